"""PathMaps: shared storage has another root on each machine; jobs carry portable paths."""

import os
import re
import socket
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

import msgspec
from msgspec import Meta

from proxima.errors import FailureKind, JobFailed
from proxima.printable import printable

Platform = Literal["linux", "macos", "windows"]

#: At least two letters, so that no drive is ever taken for a map.
NAME_PATTERN = r"^[A-Za-z][A-Za-z0-9_-]+$"

_PORTABLE = re.compile(r"([A-Za-z][A-Za-z0-9_-]+):/(.*)", re.DOTALL)
#: A drive (``M:``) or a share (``\\server\share``), perhaps in the long form ``\\?\``.
_WINDOWS_ANCHOR = re.compile(
    r"(?:[\\/]{2}\?[\\/])?(?:([A-Za-z]:)(?=[\\/]|$)"
    r"|(?:[\\/]{2}|(?<=\?[\\/])UNC[\\/])(?!\.)([^\\/:*?\"<>|]+)"
    r"[\\/]+(?!\.)([^\\/:*?\"<>|]+)(?=[\\/]|$))"
)
#: No file on Windows has such a name: a separator, a drive, a stream, a wildcard, a device.
_NO_WINDOWS_NAME = re.compile(r'[<>:"|?*\\\x00-\x1f]|[. ]$')


class PathMap(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One storage, and the folder where each machine sees it."""

    name: Annotated[
        str,
        Meta(
            pattern=NAME_PATTERN,
            title="a word of two or more letters, digits, - and _",
            description="What jobs call this storage: media:/A001/C001.mov.",
            examples=["media"],
        ),
    ]
    linux: Annotated[str, Meta(description="Its root on Linux.", examples=["/mnt/media"])] = ""
    macos: Annotated[str, Meta(description="Its root on macOS.", examples=["/Volumes/Media"])] = ""
    windows: Annotated[
        str, Meta(description="Its root on Windows: a drive or a share.", examples=["M:\\"])
    ] = ""
    hosts: Annotated[
        dict[str, str],
        Meta(
            description="Its root on single machines, by host name; goes before the others.",
            examples=[{"edit-07": "/data/media"}],
        ),
    ] = {}

    def root_for(self, platform: Platform, host: str) -> str:
        """The root on that machine as the config spells it; empty if there is none."""
        roots = {key.lower(): root for key, root in self.hosts.items()}
        # The very same name goes before a short one that stands for it.
        for key in sorted(roots, key=lambda key: key != host.lower()):
            if _is_same_host(key, host.lower()):
                return roots[key]
        return {"linux": self.linux, "macos": self.macos, "windows": self.windows}[platform]


def _is_same_host(one: str, other: str) -> bool:
    """Whether the names are equal, or one is the other without its domain."""
    if "." in one and "." in other:
        return one == other
    return one.partition(".")[0] == other.partition(".")[0]


class Place(NamedTuple):
    """An absolute path taken apart: its drive, share or slash, and the names below it."""

    anchor: str
    names: tuple[str, ...]


def place(path: str, platform: Platform) -> Place | None:
    """Take an absolute path apart; None if it is not absolute on that platform."""
    if platform != "windows":
        return Place("/", _names(path, "/")) if path.startswith("/") else None
    anchor = _WINDOWS_ANCHOR.match(path)
    if not anchor:
        return None
    drive, server, share = anchor.groups()
    names = _names(path[anchor.end() :].replace("\\", "/"), "/")
    return Place(f"{drive}\\" if drive else f"\\\\{server}\\{share}\\", names)


def _names(path: str, separator: str) -> tuple[str, ...]:
    """The components, unchanged; empty ones and dots mean nothing."""
    return tuple(name for name in path.split(separator) if name not in {"", "."})


class PathMaps:
    """The path maps as one machine sees them."""

    def __init__(self, maps: Sequence[PathMap], platform: Platform, host: str) -> None:
        self._maps = {entry.name.lower(): entry for entry in maps}
        self._platform = platform
        self._host = host
        roots = ((entry.name, self._root(entry)) for entry in maps)
        #: The deepest root first: the longest match wins.
        self._roots = sorted(
            ((name, root) for name, root in roots if root), key=lambda item: -len(item[1].names)
        )

    @classmethod
    def here(cls, maps: Sequence[PathMap]) -> "PathMaps":
        """The maps as this machine sees them."""
        return cls(maps, this_platform(), socket.gethostname())

    def to_portable(self, path: str) -> str:
        """An absolute path as jobs carry it; JobFailed if it is relative or climbs with ``..``.

        Where no map covers it, it travels as it is.
        """
        found = place(path, self._platform)
        if found is None or ".." in found.names or "\0" in path:
            why = "it is no absolute path" if found is None else "it climbs out of its folder"
            raise _refused(f"{printable(path)} cannot be sent: {why}", "write it in full")
        for name, root in self._roots:
            below = self._below(root, found)
            if below is not None:
                return f"{name}:/{'/'.join(below)}"
        return path

    def to_local(self, portable: str) -> Path:
        """Where a portable path is on this machine.

        JobFailed (PATH_REFUSED) names this host and what was tried. Nothing is looked up on disk;
        see `find_spelling`.
        """
        match = _PORTABLE.fullmatch(portable)
        if match and "\0" not in portable:
            return self._mapped(portable, match[1], _names(match[2], "/"))
        whole = place(portable, self._platform)
        if whole is None:
            raise self._unresolved(
                portable,
                f"it is no path on {self._platform}",
                "add a [[paths]] entry for its storage on the machine that queues",
            )
        self._require_plain(portable, whole.names)
        return self._path(whole)

    def root_of(self, portable: str) -> Path | None:
        """The root on this machine of the path map that *portable* names; None if it names none."""
        match = _PORTABLE.fullmatch(portable)
        entry = self._maps.get(match[1].lower()) if match else None
        root = self._root(entry) if entry else None
        return self._path(root) if root else None

    def _mapped(self, portable: str, name: str, names: tuple[str, ...]) -> Path:
        self._require_plain(portable, names)
        entry = self._maps.get(name.lower())
        if entry is None:
            known = ", ".join(item.name for item in self._maps.values()) or "none"
            raise self._unresolved(
                portable,
                f"no path map is called {name} (there are: {known})",
                f'add a [[paths]] entry with name = "{name}" to its config',
            )
        root = self._root(entry)
        if root is None:
            spelled = entry.root_for(self._platform, self._host)
            raise self._unresolved(
                portable,
                f"{printable(spelled)} is no absolute path on {self._platform}"
                if spelled
                else f"the path map {name} has no root for {self._platform} or {self._host}",
                f"give the path map {name} a root for {self._platform} in its config",
            )
        return self._path(Place(root.anchor, (*root.names, *names)))

    def _require_plain(self, portable: str, names: tuple[str, ...]) -> None:
        """Refuse what could lead elsewhere than to a file of that name."""
        if ".." in names or "\0" in portable:
            raise self._unresolved(portable, "it climbs out of its folder", "write it in full")
        bad = [name for name in names if _NO_WINDOWS_NAME.search(name)]
        if self._platform == "windows" and bad:
            raise self._unresolved(
                portable, f'no file on Windows is called "{printable(bad[0])}"', "rename the file"
            )

    def _unresolved(self, portable: str, why: str, hint: str) -> JobFailed:
        return _refused(f"{self._host} cannot resolve {printable(portable)}: {why}", hint)

    def _root(self, entry: PathMap) -> Place | None:
        return place(entry.root_for(self._platform, self._host), self._platform)

    def _path(self, whole: Place) -> Path:
        separator = "\\" if self._platform == "windows" else "/"
        return Path(whole.anchor + separator.join(whole.names))

    def _below(self, root: Place, path: Place) -> tuple[str, ...] | None:
        """The names of *path* below *root*, unchanged; None if it lies elsewhere."""
        depth = len(root.names)
        if self._alike(root.anchor) != self._alike(path.anchor):
            return None
        pairs = zip(root.names, path.names[:depth], strict=False)
        if len(path.names) < depth or any(self._alike(a) != self._alike(b) for a, b in pairs):
            return None
        return path.names[depth:]

    def _alike(self, name: str) -> str:
        """The same for all spellings of one name."""
        composed = unicodedata.normalize("NFC", name)
        return composed.lower() if self._platform == "windows" else composed


def _refused(message: str, hint: str) -> JobFailed:
    return JobFailed(FailureKind.PATH_REFUSED, message, hint)


def this_platform() -> Platform:
    """The platform of this machine; other Unix systems name their paths as Linux does."""
    if sys.platform == "win32":
        return "windows"
    return "macos" if sys.platform == "darwin" else "linux"


def find_spelling(path: Path) -> Path:
    """The path as the file system spells it: each name as given, composed (NFC) or not (NFD).

    Names that are not there, such as those of an output, stay as given.
    """
    if os.path.lexists(path):
        return path
    start = Path(path.anchor)
    names = path.parts[1:] if path.anchor else path.parts
    best = start
    for found in _spellings(start, names):
        if len(found.parts) > len(best.parts):
            best = found
        if len(best.parts) == len(path.parts):
            break
    return best.joinpath(*path.parts[len(best.parts) :])


def _spellings(folder: Path, names: Sequence[str]) -> Iterator[Path]:
    """Everything on disk that some spelling of the first of *names*, or of more, leads to."""
    if not names:
        return
    for form in dict.fromkeys((names[0], *(unicodedata.normalize(f, names[0]) for f in _FORMS))):
        if os.path.lexists(folder / form):
            yield folder / form
            yield from _spellings(folder / form, names[1:])


_FORMS: tuple[Literal["NFC", "NFD"], ...] = ("NFC", "NFD")
