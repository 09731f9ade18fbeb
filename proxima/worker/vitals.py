"""Vitals: how the machine of a worker is: its load, and the room on its disks."""

import os
import threading
from collections.abc import Iterable
from pathlib import Path

from proxima.worker.disk_space import Usage, usage_of

#: Seconds between two looks.
LOOK_SECONDS = 10.0
#: Folders of outputs that are looked at, those used last.
_MOST = 4


class Vitals:
    """Looked at from a thread of its own: a share that hangs must not hold up the heartbeat."""

    def __init__(self, roots: Iterable[Path], usage: Usage = usage_of) -> None:
        """*roots* are always looked at, besides the folders of the last outputs."""
        self._roots, self._usage = tuple(roots), usage
        self._folders: dict[Path, None] = {}
        self._ended = threading.Event()
        #: Bytes that are free where there is least room; None while nobody knows.
        self.free_bytes: int | None = None

    @property
    def load(self) -> float | None:
        """Processes that run or wait to, over the last minute; None where the system tells none."""
        return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None

    def usage(self, folder: Path) -> tuple[int, int]:
        """Total and free bytes of a folder of outputs, which is looked at from now on."""
        found = self._usage(folder)
        self._folders.pop(folder, None)
        self._folders[folder] = None
        while len(self._folders) > _MOST:
            self._folders.pop(next(iter(self._folders)), None)
        return found

    def run(self) -> None:
        """Look until `end`; for a thread of its own."""
        self.look()
        while not self._ended.wait(LOOK_SECONDS):
            self.look()

    def end(self) -> None:
        """Look no more."""
        self._ended.set()

    def look(self) -> None:
        """Look at every disk once; one that is gone counts for nothing."""
        free = [self._free(folder) for folder in (*self._roots, *list(self._folders))]
        self.free_bytes = min((count for count in free if count is not None), default=None)

    def _free(self, folder: Path) -> int | None:
        try:
            return self._usage(folder)[1]
        except OSError:
            return None
