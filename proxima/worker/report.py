"""Reporter: readings to the result backend, from one thread that never fails an encode."""

import logging
import threading
from collections.abc import Callable
from typing import Any

import msgspec

from proxima.progress import Reading

#: Seconds between two writes: at most 4 a second and job.
INTERVAL_SECONDS = 0.25

#: Writes Celery's state ENCODING with this meta for a job.
UpdateState = Callable[[str, dict[str, Any]], None]

log = logging.getLogger(__name__)


class Reporter:
    """Keeps the newest reading of each job, and writes it when its turn comes."""

    def __init__(self, update_state: UpdateState) -> None:
        self._update_state = update_state
        self._waiting: dict[str, Reading] = {}
        # Held while writing, so that `forget` returns only when no late write can follow.
        self._writing = threading.Lock()
        self._ended = threading.Event()

    def put(self, job_id: str, reading: Reading) -> None:
        """Report a reading; returns at once, and replaces one that was not written yet."""
        self._waiting[job_id] = reading

    def forget(self, job_id: str) -> None:
        """Write nothing more of a job: after this its final state cannot be overwritten."""
        self._waiting.pop(job_id, None)
        with self._writing:
            self._waiting.pop(job_id, None)

    def run(self) -> None:
        """Write until `end`; for a thread of its own."""
        while not self._ended.wait(INTERVAL_SECONDS):
            self.write_all()

    def end(self) -> None:
        """Stop writing."""
        self._ended.set()

    def write_all(self) -> None:
        """Write what waits, once."""
        for job_id in list(self._waiting):
            with self._writing:
                reading = self._waiting.pop(job_id, None)
                if reading:
                    self._write(job_id, reading)

    def _write(self, job_id: str, reading: Reading) -> None:
        try:
            self._update_state(job_id, msgspec.to_builtins(reading))
        except Exception as error:  # noqa: BLE001 - whatever the broker has, the encode goes on
            log.debug("reading of %s not stored: %s", job_id, error)
