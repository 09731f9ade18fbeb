"""Rest: lets a running encode stand still, and go on."""

import signal
import sys
from collections.abc import Callable

from proxima.ffmpeg.stall import StallWatch
from proxima.process.child import Child


class Rest:
    """Stops and continues the whole group of *child* as *is_wanted* says; ask it often."""

    def __init__(
        self, child: Child, is_wanted: Callable[[], bool], stall: StallWatch | None
    ) -> None:
        self._child, self._is_wanted, self._stall = child, is_wanted, stall
        self._rests = False

    def look(self) -> None:
        """Do what is wanted now; Windows knows no such signals, there the encode goes on."""
        if sys.platform == "win32":
            return
        wanted = self._is_wanted()
        if wanted != self._rests:
            self._rests = wanted
            self._child.signal(signal.SIGSTOP if wanted else signal.SIGCONT)
        if wanted and self._stall:
            self._stall.rest()
