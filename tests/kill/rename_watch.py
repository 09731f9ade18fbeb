"""Counts the names that outputs get, exactly: the kernel tells of every rename (inotify, Linux)."""

import ctypes
import os
import struct
import threading
from collections import Counter
from pathlib import Path

_MOVED_TO = 0x80
_HEAD = struct.Struct("iIII")


class RenameWatch:
    """How often each name in one folder was given to a scratch."""

    def __init__(self, folder: Path) -> None:
        libc = ctypes.CDLL(None, use_errno=True)
        self._descriptor = libc.inotify_init1(os.O_CLOEXEC)
        if libc.inotify_add_watch(self._descriptor, os.fsencode(folder), _MOVED_TO) < 0:
            raise OSError(ctypes.get_errno(), "no watch on the folder", str(folder))
        self.counts: Counter[str] = Counter()
        threading.Thread(target=self._read, daemon=True).start()

    def close(self) -> None:
        """Watch no more."""
        os.close(self._descriptor)

    def _read(self) -> None:
        while True:
            try:
                data = os.read(self._descriptor, 65536)
            except OSError:
                return
            place = 0
            while place < len(data):
                *_, length = _HEAD.unpack_from(data, place)
                place += _HEAD.size
                name = data[place : place + length].rstrip(b"\0")
                place += length
                self.counts[os.fsdecode(name)] += 1
