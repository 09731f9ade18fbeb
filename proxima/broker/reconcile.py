"""The sweep: puts right what lost leases, lost messages and crashes leave behind.

Every worker and every attached queuer runs one; a lock with a time lets one of them work at a
time. It finds jobs whose lease ran out (sent again, or failed as poisonous), jobs that are to be
tried again now (sent), jobs that wait and have no message (sent again), and jobs that ended without
their result being stored (stored).
"""

import logging
import random
import threading
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from proxima.broker import dispatch, keys
from proxima.broker.address import BrokerAddress
from proxima.broker.endings import store_ending
from proxima.broker.event_care import EventCare
from proxima.broker.lease import LEASE_SECONDS, Lapsed, LeaseBook
from proxima.broker.messages import MessageQueue
from proxima.broker.trouble import translated
from proxima.errors import BrokerError, FailureKind
from proxima.job import JobOutcome, JobState, Problem

if TYPE_CHECKING:
    from celery import Celery
    from redis import Redis

#: Seconds between two sweeps of a farm. These times go with a lease of LEASE_SECONDS; a farm with
#: shorter leases is swept as much more often.
SWEEP_SECONDS = 3.0
#: A job that took so many workers down is not given to another.
POISON_LIMIT = 3
#: Seconds that a job may wait before its message is looked for: sending takes a while.
LOST_SECONDS = 15.0
#: Seconds between two looks at every message, however well the counts agree.
DEEP_SECONDS = 60.0
#: Jobs that one sweep puts right; the next goes on.
_AT_ONCE = 1000

#: What a sweep finds of a job whose worker was lost: sent again, poisonous, or cancelled before.
_LOST_WITH_A_WORKER = frozenset({JobState.QUEUED, JobState.ENCODING, JobState.CANCELLED})

log = logging.getLogger(__name__)


class Sweeper:
    """Sweeps until `end`, whenever it is this one's turn."""

    def __init__(
        self, celery: "Celery", client: "Redis", address: BrokerAddress, book: LeaseBook
    ) -> None:
        self._celery, self._address, self._book = celery, address, book
        self._client: Any = client
        self._messages = MessageQueue(celery, client)
        self._care = EventCare(client)
        self._pace = book.seconds / LEASE_SECONDS
        self._ended = threading.Event()

    def run(self) -> None:
        """Sweep until `end`; for a thread of its own."""
        # Jitter: workers that were started together must not ask together for ever.
        while not self._ended.wait(self._pace * SWEEP_SECONDS * random.uniform(0.5, 1.5)):  # noqa: S311
            try:
                with translated(self._address):
                    if self._is_our_turn():
                        self.sweep()
                        self._care.care_in_turn()
            except BrokerError as error:
                log.debug("no sweep just now: %s", error)
            except Exception:
                # The next sweep may do better; the worker must not go on without one.
                log.exception("the sweep failed")

    def end(self) -> None:
        """Sweep no more."""
        self._ended.set()

    def sweep(self) -> None:
        """Put right what can be put right now."""
        for job_id in self._due(keys.LEASED, 0):
            self._put_right(job_id, self._book.reclaim(job_id, POISON_LIMIT))
        for job_id in self._due(keys.DELAYED, 0):
            if self._book.wake(job_id):
                self._send(job_id)
        for job_id in self._without_message():
            log.warning("the message of job %s was lost; it is sent again", job_id)
            self._send(job_id)

    def _is_our_turn(self) -> bool:
        return self._first(keys.SWEEP, 0.9 * SWEEP_SECONDS)

    def _put_right(self, job_id: str, lapsed: Lapsed) -> None:
        if lapsed.state in _LOST_WITH_A_WORKER:
            self._client.sadd(keys.LITTER, job_id)
        if lapsed.poisoned:
            outcome = _poisonous(job_id, lapsed)
            if self._book.finish(lapsed.poisoned, outcome):
                self._store(job_id, JobState.FAILED, outcome)
        elif lapsed.state is JobState.QUEUED:
            log.warning("the worker of job %s was lost; it is sent again", job_id)
            self._send(job_id)
        elif lapsed.state is JobState.DONE and not lapsed.is_published:
            # Only a worker can see whether the output got its name: the message asks one.
            self._send(job_id)
        elif lapsed.state:
            self._store(job_id, lapsed.state, lapsed.outcome)

    def _store(self, job_id: str, state: JobState, outcome: JobOutcome | None) -> None:
        store_ending(self._celery, job_id, state, outcome)
        self._book.settle(job_id)

    def _send(self, job_id: str) -> None:
        dispatch.send_again(self._celery, self._client, job_id)

    def _without_message(self) -> Iterable[str]:
        lost_after = self._pace * LOST_SECONDS
        waiting = self._due(keys.WAITING, lost_after)
        # Comparing counts costs nothing; reading 10 000 messages takes a tenth of a second.
        if not waiting or (self._messages.length() >= len(waiting) and not self._is_deep_turn()):
            return []
        have = self._messages.job_ids() | self._messages.fetched_since(lost_after)
        lost = [job_id for job_id in waiting if job_id not in have]
        for job_id in lost:
            self._client.zadd(keys.WAITING, {job_id: self._now()}, xx=True)
        return lost

    def _is_deep_turn(self) -> bool:
        return self._first(f"{keys.SWEEP}:deep", DEEP_SECONDS)

    def _first(self, name: str, seconds: float) -> bool:
        """Whether nobody of the farm was here in the last so many seconds."""
        return bool(self._client.set(name, "1", nx=True, px=int(self._pace * seconds * 1000)))

    def _due(self, name: str, seconds: float) -> list[str]:
        """The jobs in a sorted set whose time was over so many seconds ago."""
        latest = self._now() - seconds * 1000
        found = self._client.zrangebyscore(name, 0, latest, start=0, num=_AT_ONCE * 100)
        return [job_id.decode() for job_id in found]

    def _now(self) -> float:
        seconds, microseconds = self._client.time()
        return float(seconds * 1000 + microseconds // 1000)


def _poisonous(job_id: str, lapsed: Lapsed) -> JobOutcome:
    workers = ", ".join(lapsed.lost_to)
    problem = Problem(
        kind=FailureKind.POISONOUS,
        message=f"job {job_id} was lost with its worker {len(lapsed.lost_to)} times: {workers}",
        hint="look into the logs of these workers, try the file alone, then queue it again",
    )
    return JobOutcome(state=JobState.FAILED, problem=problem)
