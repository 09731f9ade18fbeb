"""Whether two names lead to one file: links, bind mounts, case, parent folders by other names."""

import os
import sys
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

#: Device and inode, or the resolved name where the file system numbers no files.
FileId = tuple[int, int] | str
#: A folder that is there, and the names below it.
Location = tuple[FileId, tuple[str, ...]]


def file_id(path: Path) -> FileId | None:
    """Who the file is, links followed; None if there is none that can be reached."""
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    # Some network and FUSE file systems give every file the number 0.
    return (status.st_dev, status.st_ino) if status.st_ino else os.path.realpath(path)


def is_same_file(one: Path, other: Path) -> bool:
    """Whether writing to *one* would change *other*; either may not exist yet."""
    first, second = file_id(one), file_id(other)
    if first is not None and first == second:
        return True
    locations = Locations()
    return locations.of(one) == locations.of(other)


def ignores_case(folder: Path) -> bool:
    """Whether the file system of *folder*, which exists, takes ``a`` for ``A``; only looks."""
    name = _cased_name(folder)
    if name is None:
        return sys.platform in {"darwin", "win32"}
    return file_id(name) == file_id(name.with_name(name.name.swapcase()))


@dataclass(frozen=True, slots=True)
class Locations:
    """Where files are or will be. Remembers folders: use one for one plan."""

    ignores_case: Callable[[Path], bool] = ignores_case
    _seen: dict[Path, tuple[FileId, bool, tuple[str, ...]]] = field(default_factory=dict)

    def of(self, path: Path) -> Location:
        """Equal for two names of one place, however spelled; the file itself is not looked at."""
        # A hard link has two places: to replace it in one leaves the other alone.
        folder, folds, below = self._folder(path.parent)
        return folder, (*below, _folded(path.name, folds=folds))

    def _folder(self, folder: Path) -> tuple[FileId, bool, tuple[str, ...]]:
        """The nearest folder that exists, if it ignores case, and the names below it."""
        if folder not in self._seen:
            self._seen[folder] = self._look(folder)
        return self._seen[folder]

    def _look(self, folder: Path) -> tuple[FileId, bool, tuple[str, ...]]:
        found = file_id(folder)
        if found is not None:
            return found, self.ignores_case(folder), ()
        if folder == folder.parent:
            return str(folder), self.ignores_case(folder), ()
        above, folds, below = self._folder(folder.parent)
        return above, folds, (*below, _folded(folder.name, folds=folds))


def _folded(name: str, *, folds: bool) -> str:
    # What ignores case ignores how an accent is composed, too (APFS, HFS+).
    if folds:
        return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
    return unicodedata.normalize("NFC", name) if sys.platform == "darwin" else name


def _cased_name(folder: Path) -> Path | None:
    """Something that is there, on the folder's own file system, whose other case can be tried."""
    try:
        with os.scandir(folder) as entries:
            # A link says nothing: where it leads may be another file system.
            names = [Path(e.path) for e in islice(entries, 50) if not e.is_symlink()]
        if folder.stat().st_dev == folder.parent.stat().st_dev:
            names.append(folder)
    except OSError:
        return None
    return next((n for n in names if n.name.isascii() and n.name.swapcase() != n.name), None)
