"""From arguments to sources: files, folders and patterns; what cannot be a source is refused.

- A *file* is taken whatever its extension.
- A *folder* gives the files below it that have an extension of the list (``[sources] extensions``
  in the config, in any case), but no hidden files, no AppleDouble files (``._C001.mov``), and
  nothing in folders that begin with a dot or are named Proxy or Proxies: what lies there are
  proxies, ours or a camera's, and nobody wants proxies of proxies. Such a folder is searched when
  it is an argument itself. Links are followed, each folder is searched once.
- *Numbered pictures* of a folder without clips are one source each run, by the name of
  `image_sequence`; so are ``A001.[0001-0240].dpx`` and ``A001.%04d.dpx`` as arguments. Photos on a
  camera's card are none.
- A *pattern* is used only where no file has that very name, for shells that leave patterns alone;
  what it matches counts as named.

Every file is a source once, by whatever names it was found.

The *common root* is the deepest folder that holds all arguments; ``--output`` keeps the structure
below it. A folder that is named keeps its name, as with ``cp -r``: both ``A001/`` and
``A001/ B002/`` give ``A001/C001.mov``, while ``A001/C001.mov`` alone, or ``A001/.``, gives
``C001.mov``.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from proxima.batch import Settled
from proxima.errors import FailureKind, SourceUnreadable, UsageError
from proxima.ffmpeg.probe_file import file_size
from proxima.ffmpeg.refusal import refusal
from proxima.image_sequence import ImageSequence, matching_sequences, sequences
from proxima.job import JobState, JobWarning, Problem
from proxima.printable import printable
from proxima.queuer.folder_walk import Walk, holds_photos, is_folder, why_not_entered
from proxima.queuer.identity import FileId, file_id
from proxima.queuer.natural_order import natural_key
from proxima.queuer.wildcard import is_pattern, matching


@dataclass(frozen=True, slots=True, kw_only=True)
class Discovery:
    """What the arguments lead to."""

    #: Absolute, in natural order, each file once.
    sources: tuple[Path, ...]
    #: Those that are arguments themselves; the others were found in folders.
    named: frozenset[Path] = frozenset()
    #: What cannot be a source, and why.
    refused: tuple[Settled, ...]
    #: Further names of sources: skipped, with a warning that tells which source it is.
    repeated: tuple[Settled, ...] = ()
    #: The deepest folder that holds all arguments.
    common_root: Path


def discover(
    arguments: Sequence[str],
    extensions: frozenset[str],
    cwd: Path,
    output: Path | None = None,
) -> Discovery:
    """Look for sources; see the head of this module. The folder *output* is not searched."""
    left_out = file_id(absolute(output, cwd)) if output else None
    search = _Search(cwd=cwd, extensions=_dotted(extensions), left_out=left_out)
    for argument in arguments:
        search.take(argument)
    sources, repeated = _each_once(search.files)
    return Discovery(
        sources=sources,
        named=frozenset(path for path in sources if search.files[path] in search.named),
        refused=tuple(_refused(path, error) for path, error in search.refused.items()),
        repeated=repeated,
        common_root=_common(search.roots) if search.roots else cwd,
    )


def absolute(path: Path, cwd: Path) -> Path:
    """*path* from the root on, as it is named; ``..`` is followed as the system would."""
    parts = (cwd / path).parts
    if ".." not in parts:
        return Path(*parts)
    end = len(parts) - parts[::-1].index("..")
    # Only the system knows where .. leads behind a link.
    return Path(os.path.realpath(Path(*parts[:end])), *parts[end:])


@dataclass(slots=True, kw_only=True)
class _Search:
    cwd: Path
    extensions: frozenset[str]
    left_out: FileId | None
    files: dict[Path, FileId] = field(default_factory=dict)
    named: set[FileId] = field(default_factory=set)
    #: By what was refused; a file that is named twice is refused once.
    refused: dict[str, SourceUnreadable] = field(default_factory=dict)
    roots: set[Path] = field(default_factory=set)

    def take(self, argument: str) -> None:
        """Look at one argument."""
        if not argument:
            self.refused[""] = SourceUnreadable(
                FailureKind.SOURCE_MISSING, "an argument is empty", "is a variable not set?"
            )
            return
        path = absolute(Path(argument), self.cwd)
        if found := _sequences_named(path):
            self._take_sequences(found)
        elif is_pattern(argument) and not _is_there(path):
            self._pattern(Path(argument))
        else:
            # A dot at the end means what is in the folder, as for cp and rsync.
            self._named(path, inside=os.path.split(argument)[1] in {".", ".."})

    def _pattern(self, pattern: Path) -> None:
        found = sorted(set(matching(self.cwd / pattern, self._walk())), key=natural_key)
        for path in found:
            self._named(absolute(path, self.cwd))
        if not found:
            what = "no file has this name, or matches it"
            self.refused[str(pattern)] = refusal(pattern, FailureKind.SOURCE_MISSING, what)

    def _named(self, path: Path, *, inside: bool = False) -> None:
        self.roots.add(path if inside else path.parent)
        if not is_folder(path):
            self._file(path)
            self.named.update({self.files[path]} if path in self.files else ())
        elif fault := why_not_entered(path):
            self.refused[str(path)] = fault
        else:
            self._folder(path)

    def _folder(self, top: Path) -> None:
        walk = self._walk()
        found = False
        for folder, names in walk.names(top):
            wanted = [name for name in names if self._is_wanted(name)]
            for name in wanted:
                self._file(folder / name)
            pictures = [] if wanted or holds_photos(folder) else sequences(names, folder)
            self.files.update({one.path: str(one.path) for one in pictures})
            found = found or bool(wanted or pictures)
        self.refused |= {str(folder): fault for folder, fault in walk.faults.items()}
        if not found and not walk.faults:
            self.refused[str(top)] = self._no_media(top, walk)

    def _take_sequences(self, found: list[ImageSequence]) -> None:
        for one in found:
            self.roots.add(one.folder)
            self.files[one.path] = str(one.path)
            self.named.add(str(one.path))

    def _file(self, path: Path) -> None:
        try:
            file_size(path)
        except SourceUnreadable as error:
            self.refused[str(path)] = error
            return
        self.files[path] = file_id(path) or str(path)

    def _no_media(self, top: Path, walk: Walk) -> SourceUnreadable:
        what = f"no media in this folder (looked for {' '.join(sorted(self.extensions))})"
        if walk.proxy_folders:
            what += "; folders named Proxy or Proxies are left out"
        hint = "[sources] extensions in the config has the list"
        return refusal(top, FailureKind.SOURCE_MISSING, what, hint)

    def _walk(self) -> Walk:
        return Walk(left_out=self.left_out)

    def _is_wanted(self, name: str) -> bool:
        return Path(name).suffix.lower() in self.extensions


def _sequences_named(path: Path) -> list[ImageSequence]:
    """What a name such as ``A001.[0001-0240].dpx`` or ``A001.%04d.dpx`` means."""
    try:
        one = ImageSequence.of(path)
        return [one] if one else [] if _is_there(path) else matching_sequences(path)
    except (OSError, ValueError):
        return []


def _is_there(path: Path) -> bool:
    try:
        return os.path.lexists(path)
    except ValueError:  # a null character
        return False


def _dotted(extensions: frozenset[str]) -> frozenset[str]:
    return frozenset(f".{extension.lstrip('.').lower()}" for extension in extensions)


def _each_once(files: dict[Path, FileId]) -> tuple[tuple[Path, ...], tuple[Settled, ...]]:
    names: dict[FileId, list[Path]] = {}
    for path in sorted(files, key=natural_key):
        names.setdefault(files[path], []).append(path)
    sources, repeated = [], []
    for paths in names.values():
        kept = paths[0] if len(paths) == 1 else min(paths, key=_linked)
        sources.append(kept)
        repeated += [_same(path, kept) for path in paths if path != kept]
    return tuple(sorted(sources, key=natural_key)), tuple(repeated)


def _linked(path: Path) -> tuple[bool, bool]:
    """Sorts a file's own name before links to it, and those before names through linked folders."""
    return path.is_symlink(), os.path.realpath(path) != str(path)


def _same(path: Path, kept: Path) -> Settled:
    message = f"{printable(path)} is the same file as {printable(kept)}"
    warning = JobWarning(code="same_source", message=message)
    return Settled(source=str(path), state=JobState.SKIPPED, warnings=(warning,))


def _refused(source: str, error: SourceUnreadable) -> Settled:
    problem = Problem(kind=error.kind, message=error.message, hint=error.hint)
    return Settled(source=source, state=JobState.REFUSED, problem=problem)


def _common(roots: set[Path]) -> Path:
    first, *others = roots
    for folder in (first, *first.parents):
        if all(other.is_relative_to(folder) for other in others):
            return folder
    drives = ", ".join(sorted({root.drive for root in roots}))
    raise UsageError(f"the sources are on several drives ({drives}); queue each drive by itself")
