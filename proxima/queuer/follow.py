"""Follow a batch: poll its AsyncResults, and say how it stands."""

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from proxima.batch import Batch
from proxima.broker import batches, pauses, roster
from proxima.broker.address import BrokerAddress
from proxima.broker.results import BatchResults, JobResult
from proxima.broker.trouble import translated
from proxima.errors import BrokerError
from proxima.job import JobState
from proxima.queuer.batch_ledger import BatchLedger
from proxima.queuer.outlook import Outlook
from proxima.queuer.standing import BatchStanding, EventKind, JobEvent, JobStanding

if TYPE_CHECKING:
    from celery import Celery
    from redis import Redis

#: Seconds between two polls.
TICK_SECONDS = 0.25
#: Seconds between two looks at the roster.
ROSTER_SECONDS = 1.0
#: Seconds between two looks at how the whole farm will go on.
OUTLOOK_SECONDS = 2.0
#: Events that a standing carries.
KEPT_EVENTS = 20

_EVENTS = {
    JobState.ENCODING: EventKind.STARTED,
    JobState.DONE: EventKind.FINISHED,
    JobState.FAILED: EventKind.FAILED,
    JobState.CANCELLED: EventKind.CANCELLED,
    JobState.QUEUED: EventKind.REQUEUED,
}


class Follower:
    """One view of one batch; any number may follow the same."""

    def __init__(
        self, batch: Batch, client: "Redis", celery: "Celery", address: BrokerAddress
    ) -> None:
        self._batch, self._client, self._address = batch, client, address
        self._results = BatchResults(celery, batch.id, [job.id for job in batch.jobs])
        self._jobs = {job.id: JobStanding(job=job) for job in batch.jobs}
        self._events: tuple[JobEvent, ...] = ()
        self._polled = False
        self._workers: list[roster.WorkerInfo] = []
        self._names: set[str] = set()
        self._roster_due = 0.0
        self._outlook = Outlook(client, celery)
        self._outlook_due = 0.0
        #: When the batch will be ready, in seconds since the epoch; None while nobody can tell.
        self._ready_at: float | None = None
        self._spent: float | None = None
        self._is_paused = False

    def poll(self) -> BatchStanding:
        """How the batch stands now; as last known while the broker is away."""
        trouble = None
        try:
            with translated(self._address):
                self._take(list(self._results.poll()))
                self._look_at_roster()
                is_finished = all(one.state.is_final for one in self._jobs.values())
                self._look_ahead(is_finished)
        except BrokerError as error:
            trouble = str(error)
        now = time.time()
        return BatchStanding(
            batch=self._batch,
            jobs=tuple(map(self._as_seen, self._jobs.values())),
            workers=len(self._workers),
            slots=sum(worker.slots for worker in self._workers),
            unwell=tuple((w.name, w.unwell) for w in self._workers if w.unwell),
            events=self._events,
            now=now,
            broker_trouble=trouble,
            eta_seconds=None if self._ready_at is None else max(self._ready_at - now, 0.0),
            spent=self._spent,
            is_paused=self._is_paused,
        )

    def _take(self, changed: list[JobResult]) -> None:
        ended = [result.job_id for result in changed if result.state.is_final]
        # The record knows more of an end than Celery's result: worker, time, warnings.
        outcomes = batches.outcomes(self._client, ended) if ended else {}
        for result in changed:
            before = self._jobs[result.job_id]
            now = JobStanding(
                job=before.job,
                state=result.state,
                reading=result.reading,
                outcome=outcomes.get(result.job_id, result.outcome),
            )
            self._jobs[result.job_id] = now
            # What the first poll finds happened before, nobody knows when.
            if self._polled and now.state is not before.state:
                self._note(now, before)
        self._polled = True

    def _as_seen(self, standing: JobStanding) -> JobStanding:
        """The same, or without the last figures of a worker that is gone: they are history."""
        reading = standing.reading
        if not reading or not self._workers or reading.worker in self._names:
            return standing
        return replace(standing, reading=reading.lost())

    def _note(self, now: JobStanding, before: JobStanding) -> None:
        event = JobEvent(
            kind=_EVENTS[now.state],
            job=now.job,
            worker=now.worker or before.worker,
            at=time.time(),
        )
        self._events = (event, *self._events)[:KEPT_EVENTS]

    def _look_at_roster(self) -> None:
        if time.monotonic() >= self._roster_due:
            tag = self._batch.tag
            alive = roster.alive(self._client)
            self._workers = [worker for worker in alive if not tag or tag in worker.tags]
            self._names = {worker.name for worker in self._workers}
            self._is_paused = pauses.is_paused(self._client, self._batch.id)
            self._roster_due = time.monotonic() + ROSTER_SECONDS

    def _look_ahead(self, is_finished: bool) -> None:
        """See when the batch will be ready; of one that is, how long it took."""
        if is_finished:
            self._ready_at = None
            if self._spent is None:
                ids = [self._batch.id]
                lines = BatchLedger(self._client).lines(ids, self._outlook.look(ids))
                self._spent = lines[0].seconds if lines else None
        elif time.monotonic() >= self._outlook_due:
            seconds = self._outlook.look([self._batch.id]).ready_in(self._batch.id)
            self._ready_at = None if seconds is None else time.time() + seconds
            self._outlook_due = time.monotonic() + OUTLOOK_SECONDS


def follow(
    follower: Follower, sleep: Callable[[float], None] = time.sleep
) -> Iterator[BatchStanding]:
    """How the batch stands, four times a second, until it is finished."""
    while True:
        standing = follower.poll()
        yield standing
        if standing.is_finished:
            return
        sleep(TICK_SECONDS)
