"""DiskSpace: whether the file system of an output has room for it."""

import shutil
import time
from collections.abc import Callable
from pathlib import Path

from proxima.errors import FailureKind, JobFailed

#: Total and free bytes of the file system that a folder is on; OSError.
Usage = Callable[[Path], tuple[int, int]]

#: Bytes that always stay free, for whatever else lives there: the smaller of 256 MiB and a
#: twentieth of the file system.
FLOOR_BYTES = 256 * 2**20
_FLOOR_SHARE = 20
#: Seconds between two looks while an encode runs.
LOOK_SECONDS = 3.0


def usage_of(folder: Path) -> tuple[int, int]:
    """Total and free bytes, as the system tells them."""
    total, _, free = shutil.disk_usage(folder)
    return total, free


def shortage(folder: Path, needed: int, usage: Usage = usage_of) -> str | None:
    """What is lacking for *needed* bytes beside the floor, in words; None if nothing is."""
    total, free = usage(folder)
    floor = min(FLOOR_BYTES, total // _FLOOR_SHARE)
    if free >= needed + floor:
        return None
    return f"{_shown(free)} free, {_shown(needed + floor)} needed"


class DiskSpace:
    """The room for one output while it is made."""

    def __init__(
        self,
        folder: Path,
        usage: Usage = usage_of,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._folder, self._usage, self._clock = folder, usage, clock
        self._next_look = clock() + LOOK_SECONDS

    def require(self, estimate: int | None, *, is_exact: bool) -> None:
        """JobFailed if an output of so many bytes cannot fit."""
        # A rough estimate may be twice the truth, and must not refuse what would fit.
        needed = (estimate or 0) if is_exact else (estimate or 0) // 2
        self._refuse_without(needed)

    def check(self) -> None:
        """JobFailed if the disk is about to be full; looks every few seconds only."""
        if self._clock() >= self._next_look:
            self._next_look = self._clock() + LOOK_SECONDS
            self._refuse_without(0)

    def _refuse_without(self, needed: int) -> None:
        try:
            lacking = shortage(self._folder, needed, self._usage)
        except OSError as error:
            raise JobFailed(
                FailureKind.MOUNT_STALE,
                f"the folder of the output, {self._folder}, is gone: {error.strerror}",
                "mount the share again on the worker",
            ) from error
        if lacking:
            raise JobFailed(
                FailureKind.DISK_FULL,
                f"no room for the output in {self._folder}: {lacking}",
                "free space there, or choose another --output",
            )


def _shown(count: int) -> str:
    return f"{count / 1e9:.2f} GB" if count >= 10**9 else f"{count / 1e6:.1f} MB"
