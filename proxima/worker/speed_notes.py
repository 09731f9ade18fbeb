"""SpeedNotes: how long jobs took, told to the farm from one thread that no job waits for."""

import logging
import threading
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING

from proxima.broker import speeds
from proxima.broker.address import BrokerAddress
from proxima.broker.speeds import Kind
from proxima.broker.trouble import translated
from proxima.errors import BrokerError
from proxima.job import Job, Load
from proxima.preset import Preset

if TYPE_CHECKING:
    from redis import Redis

#: Seconds between two looks at what is to be told.
INTERVAL_SECONDS = 1.0
#: Notes kept while the broker is away; older ones are forgotten.
_MOST = 100

log = logging.getLogger(__name__)


class SpeedNotes:
    """Keeps notes until they are told."""

    def __init__(self, client: "Redis", address: BrokerAddress, machine: Callable[[], str]) -> None:
        """*machine* gives that of `speeds.machine`; it changes with the slots of the worker."""
        self._client, self._address, self._machine = client, address, machine
        self._notes: deque[tuple[Kind, Load, float]] = deque(maxlen=_MOST)
        self._ended = threading.Event()

    def put(self, job: Job, preset: Preset, seconds: float) -> None:
        """Note that a job took so many seconds in its slot; returns at once."""
        kind = Kind(self._machine(), preset.name, job.load.size)
        self._notes.append((kind, job.load, seconds))

    def run(self) -> None:
        """Tell until `end`; for a thread of its own."""
        while not self._ended.wait(INTERVAL_SECONDS):
            self.tell_all()
        self.tell_all()

    def end(self) -> None:
        """Tell what is left, and stop."""
        self._ended.set()

    def tell_all(self) -> None:
        """Tell what is to be told, once; what the broker does not take now is kept."""
        while self._notes:
            note = self._notes[0]
            try:
                with translated(self._address):
                    speeds.measured(self._client, *note)
            except BrokerError as error:
                log.debug("speed not told just now: %s", error)
                return
            if self._notes and self._notes[0] is note:
                self._notes.popleft()
