"""Supervisor: keeps one child running; starts it again when it dies."""

import threading
from collections.abc import Callable

from proxima.process.child import Child

#: Exit codes that a new start would not change: all well, wrong usage, unfit broker.
FINAL_CODES = frozenset({0, 2, 3})
#: As a shell's code for what it cannot run: no memory, say, or too many processes.
CANNOT_START = 126
#: Seconds before a new start; the last repeats.
BACK_OFF = (0.5, 1.0, 2.0, 5.0, 10.0)


class Supervisor:
    """Runs *start* again and again until it ends well or `finish` was called."""

    def __init__(self, start: Callable[[], Child], on_death: Callable[[int], None]) -> None:
        self._start = start
        self._on_death = on_death
        self._finishing = threading.Event()
        self._lock = threading.Lock()
        self._child: Child | None = None

    def run(self) -> int:
        """Supervise until the end; the exit code of the last child."""
        deaths = 0
        while True:
            code = self._run_once()
            if code in FINAL_CODES or self._finishing.is_set():
                return code
            self._on_death(code)
            if self._finishing.wait(BACK_OFF[min(deaths, len(BACK_OFF) - 1)]):
                return code
            deaths += 1

    def signal(self, number: int) -> None:
        """Pass a signal on to the child; it is not started again once it ends."""
        self._finishing.set()
        with self._lock:
            if self._child:
                self._child.signal(number)

    def kill(self) -> None:
        """End the child at once; it is not started again."""
        self._finishing.set()
        with self._lock:
            if self._child:
                self._child.kill()

    def _run_once(self) -> int:
        with self._lock:
            try:
                child = self._child = self._start()
            except OSError:
                return CANNOT_START
            if self._finishing.is_set():
                child.kill()
        return child.wait()
