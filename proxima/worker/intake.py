"""Intake: whether a worker takes new jobs. It does while nothing speaks against it."""

import threading
from collections.abc import Callable
from enum import StrEnum

from proxima.worker.stop import StopOrder


class Bar(StrEnum):
    """What can speak against taking new jobs."""

    #: The worker is about to leave.
    LEAVING = "leaving"
    #: Somebody drained it, from any machine of the farm.
    DRAINED = "drained"
    #: Job after job failed for its own reasons.
    UNWELL = "unwell"


class Intake:
    """Opens and closes the worker's consumer of the queue."""

    def __init__(self, order: StopOrder, turn: Callable[[bool], None]) -> None:
        """*turn* makes the worker consume, or not; it is called only when that changes."""
        self._order = order
        self._turn = turn
        self._lock = threading.Lock()
        self._bars: set[Bar] = set()

    @property
    def is_closed(self) -> bool:
        """Whether messages go straight back to the queue."""
        return bool(self._bars) or self._order.draining.is_set()

    @property
    def is_drained(self) -> bool:
        """Whether it takes nothing new, as somebody said so."""
        return self._order.draining.is_set() or Bar.DRAINED in self._bars

    def bar(self, why: Bar, *, up: bool) -> bool:
        """Put a bar up or take it away; whether that changed anything."""
        with self._lock:
            before = set(self._bars)
            (self._bars.add if up else self._bars.discard)(why)
            if bool(before) != bool(self._bars):
                self._turn(not self._bars)
            return before != self._bars
