"""The files below a folder that may be sources, and the folders that cannot be entered."""

import errno
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from proxima.errors import FailureKind, SourceUnreadable
from proxima.ffmpeg.refusal import refusal, system_refusal
from proxima.ffmpeg.unsupported import raw_or_heic
from proxima.queuer.identity import FileId, file_id

#: Where proxies lie: what is in there was made from something else.
_PROXY_FOLDERS = frozenset({"proxy", "proxies"})
#: Where cameras keep photos (JEITA CP-3461: DCIM) and thumbnails.
_PHOTO_FOLDERS = frozenset({"dcim", "thmbnl", "thumbnails", "icon"})
#: What systems keep at the top of a drive: deleted files, indexes.
_SYSTEM_FOLDERS = frozenset({"$recycle.bin", "system volume information", "lost+found"})


@dataclass(slots=True)
class Walk:
    """One walk through a folder; each folder is entered once, however many links lead to it."""

    #: A folder not to enter: the one for the outputs.
    left_out: FileId | None = None
    #: Folders that could not be entered, and why.
    faults: dict[Path, SourceUnreadable] = field(default_factory=dict)
    #: Folders of proxies that were passed over.
    proxy_folders: int = 0
    _entered: set[FileId | None] = field(default_factory=set)

    def folders(self, top: Path) -> Iterator[tuple[Path, list[os.DirEntry[str]]]]:
        """*top* and each folder below it with what is in it, nothing hidden; in no order.

        Not entered, but for *top* itself: folders that begin with a dot, folders named Proxy or
        Proxies, clips of RED cameras, and what systems keep for themselves.
        """
        ahead, links = [top], list[Path]()
        while ahead or links:
            # Links come last: what has a name of its own in here keeps that.
            folder = ahead.pop() if ahead else links.pop()
            entries = self._enter(folder)
            yield folder, entries
            for entry in filter(is_folder, entries):
                if self._may_enter(entry):
                    (links if entry.is_symlink() else ahead).append(Path(entry.path))

    def names(self, top: Path) -> Iterator[tuple[Path, list[str]]]:
        """*top* and each folder below it with the names of what is no folder; in no order."""
        for folder, entries in self.folders(top):
            yield folder, [entry.name for entry in entries if not is_folder(entry)]

    def _enter(self, folder: Path) -> list[os.DirEntry[str]]:
        identity = file_id(folder)
        if identity in self._entered:
            return []
        self._entered.add(identity)
        try:
            with os.scandir(folder) as entries:
                return [entry for entry in entries if not entry.name.startswith(".")]
        except OSError as error:
            self.faults[folder] = system_refusal(folder, error)
            return []

    def _may_enter(self, entry: os.DirEntry[str]) -> bool:
        path, name = Path(entry.path), entry.name.lower()
        if fault := camera_raw(path):
            self.faults[path] = fault
            return False
        if name in _PROXY_FOLDERS:
            self.proxy_folders += 1
            return False
        if name in _SYSTEM_FOLDERS:
            return False
        return self.left_out is None or file_id(path) != self.left_out


def why_not_entered(folder: Path) -> SourceUnreadable | None:
    """Why a folder that is named cannot be searched: camera RAW, or a link to what holds it."""
    if folder.is_symlink() and file_id(folder) in {file_id(parent) for parent in folder.parents}:
        return system_refusal(folder, OSError(errno.ELOOP, "a loop of links"))
    return camera_raw(folder)


def camera_raw(folder: Path) -> SourceUnreadable | None:
    """Why a folder is refused that is one clip of a camera (``.RDC``); None if it is not."""
    known = raw_or_heic(folder, b"")
    if known is None:
        return None
    return refusal(folder, FailureKind.SOURCE_UNSUPPORTED, known.what, known.remedy)


def holds_photos(folder: Path) -> bool:
    """Whether numbered pictures in it are photos or thumbnails of a camera, not frames."""
    return any(part.lower() in _PHOTO_FOLDERS for part in folder.parts)


def is_folder(entry: os.DirEntry[str] | Path) -> bool:
    """Whether it is a folder, or a link to one; False if it cannot be known."""
    try:
        return entry.is_dir()
    except (OSError, ValueError):  # a loop of links, no permission, a null character
        return False
