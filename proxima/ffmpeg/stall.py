"""StallWatch: notices an ffmpeg that runs on without getting any further."""

import time
from collections.abc import Callable

from proxima.errors import FailureKind, JobFailed
from proxima.progress import Progress

#: From this share on all is encoded: ffmpeg moves the index to the front of the file, which takes
#: long on a slow share and is told by no progress.
_ENCODED = 0.99
#: So much longer it gets for that.
_ENDING = 10


class StallWatch:
    """Tell it every reading with `moved`; ask it with `check` as often as you like."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds, self._clock = seconds, clock
        self._place: tuple[int, float] | None = None
        self._patience = seconds
        self._since = clock()

    def moved(self, progress: Progress) -> None:
        """Take a reading; only another frame or position counts as a movement."""
        place = (progress.frame, progress.position)
        if place != self._place:
            self._place, self._since = place, self._clock()
            is_ending = (progress.fraction or 0.0) >= _ENCODED
            self._patience = self._seconds * (_ENDING if is_ending else 1)

    def rest(self) -> None:
        """The time until now does not count: it was made to stand still."""
        self._since = self._clock()

    def check(self) -> None:
        """JobFailed if nothing has moved for too long."""
        if self._clock() - self._since < self._patience:
            return
        frame, position = self._place or (0, 0.0)
        raise JobFailed(
            FailureKind.STALLED,
            f"ffmpeg got no further for {self._patience:g} s (frame {frame}, {position:.2f} s)",
            "look whether the storage is slow; [jobs] stall_seconds allows more time",
        )
