"""Whether sources are still being copied while they are planned."""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from proxima.errors import FailureKind, SourceUnreadable
from proxima.ffmpeg.refusal import refusal

#: A file written to in the last so many seconds is looked at once more.
_FRESH_SECONDS = 2.0
#: Seconds between two looks at a fresh file: what is copied grows several times in these.
_APART_SECONDS = 0.5

#: Size in bytes, and when it was last written, in nanoseconds; None if it is gone.
_Stamp = tuple[int, int] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GrowthWatch:
    """What sources were like when planning began."""

    began: float
    stamps: dict[Path, _Stamp]
    #: Gives seconds since the epoch.
    clock: Callable[[], float]
    wait: Callable[[float], None]

    @classmethod
    def begin(
        cls,
        sources: Iterable[Path],
        clock: Callable[[], float] = time.time,
        wait: Callable[[float], None] = time.sleep,
    ) -> "GrowthWatch":
        """Look at all sources."""
        stamps = {source: _stamp(source) for source in sources}
        return cls(began=clock(), stamps=stamps, clock=clock, wait=wait)

    def growing(self) -> Iterator[tuple[Path, SourceUnreadable]]:
        """The sources that changed since, or change now; waits half a second if some are fresh."""
        if any(self._is_fresh(stamp) for stamp in self.stamps.values()):
            self.wait(max(_APART_SECONDS - (self.clock() - self.began), 0.0))
        for source, before in self.stamps.items():
            now = _stamp(source)
            if now not in {before, None}:
                what = "it is still being copied or written"
                hint = "queue it again when that is done"
                yield source, refusal(source, FailureKind.SOURCE_GROWING, what, hint)

    def _is_fresh(self, stamp: _Stamp) -> bool:
        # The clock of a file server may be a little ahead, hence the distance.
        return stamp is not None and abs(self.clock() - stamp[1] / 1e9) < _FRESH_SECONDS


def _stamp(source: Path) -> _Stamp:
    try:
        status = source.stat()
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns
