"""Whether sources are still being copied while they are planned."""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from proxima import composite
from proxima.errors import FailureKind, SourceUnreadable
from proxima.ffmpeg.refusal import refusal

#: A file written to in the last so many seconds is looked at once more.
_FRESH_SECONDS = 2.0
#: Seconds between two looks at a fresh file: what is copied grows several times in these.
_APART_SECONDS = 0.5

#: Size in bytes, and when it was last written, in nanoseconds; None if it is gone.
Stamp = tuple[int, int] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GrowthWatch:
    """What sources were like when planning began."""

    began: float
    stamps: dict[Path, Stamp]
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
        stamps = {source: stamp(source) for source in sources}
        return cls(began=clock(), stamps=stamps, clock=clock, wait=wait)

    def growing(self) -> Iterator[tuple[Path, SourceUnreadable]]:
        """The sources that changed since, or change now; waits half a second if some are fresh."""
        if any(map(self._is_fresh, self.stamps.values())):
            self.wait(max(_APART_SECONDS - (self.clock() - self.began), 0.0))
        for source, before in self.stamps.items():
            now = stamp(source)
            if now not in {before, None}:
                what = "it is still being copied or written"
                hint = "queue it again when that is done"
                yield source, refusal(source, FailureKind.SOURCE_GROWING, what, hint)

    def _is_fresh(self, found: Stamp) -> bool:
        # The clock of a file server may be a little ahead, hence the distance.
        return found is not None and abs(self.clock() - found[1] / 1e9) < _FRESH_SECONDS


def stamp(source: Path) -> Stamp:
    """What a file, or all files of a composite, are like now."""
    try:
        return composite.stamp(source)
    except OSError:
        return None
