"""Litter: scratches that a lost worker left, removed by whoever sees their folder."""

import logging
import threading
from typing import TYPE_CHECKING, Any

from proxima.broker import keys, wire
from proxima.broker.address import BrokerAddress
from proxima.broker.trouble import translated
from proxima.errors import BrokerError, JobFailed
from proxima.job import Job, JobState
from proxima.worker.access import Access
from proxima.worker.scratch import clear

if TYPE_CHECKING:
    from redis import Redis

#: Seconds between two looks.
LITTER_SECONDS = 10.0

log = logging.getLogger(__name__)


class Litter:
    """Looks for litter until `end`."""

    def __init__(
        self, client: "Redis", address: BrokerAddress, access: Access, seconds: float
    ) -> None:
        self._client: Any = client
        self._address, self._access, self._seconds = address, access, seconds
        self._ended = threading.Event()

    def run(self) -> None:
        """Remove litter until `end`; for a thread of its own."""
        while not self._ended.wait(self._seconds):
            try:
                with translated(self._address):
                    self.remove_all()
            except BrokerError as error:
                log.debug("no look for litter just now: %s", error)

    def end(self) -> None:
        """Look no more."""
        self._ended.set()

    def remove_all(self) -> None:
        """Remove what is seen from here; the rest is left to other workers."""
        for job_id in self._client.smembers(keys.LITTER):
            if self._remove(job_id.decode()):
                self._client.srem(keys.LITTER, job_id)

    def _remove(self, job_id: str) -> bool:
        """Whether nothing of this job's lost attempts is left."""
        names = ("job", "state", "attempt", "published")
        job, state, attempt, published = self._client.hmget(keys.job(job_id), names)
        if job is None:
            return True
        # That attempt may still get its name, or be written just now.
        in_use = state == JobState.ENCODING.encode() or (
            state == JobState.DONE.encode() and not published
        )
        try:
            output = self._access.output(wire.decode(job, Job).output)
            if not output.parent.exists():
                return False
            clear(output, job_id, int(attempt) - in_use)
        except (JobFailed, OSError) as error:
            log.debug("litter of job %s is left to others: %s", job_id, error)
            return False
        return True
