"""BatchStanding: how a batch stands at one moment; everything a view draws comes from here."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from proxima.batch import Batch
from proxima.job import Job, JobOutcome, JobState
from proxima.progress import Reading

#: States that take no more work, but made no output.
_LOST = frozenset({JobState.FAILED, JobState.CANCELLED})


class EventKind(StrEnum):
    """What can happen to a job while somebody watches."""

    STARTED = "started"
    FINISHED = "finished"
    FAILED = "failed"
    CANCELLED = "cancelled"
    #: A worker handed it back, or lost it: it waits again.
    REQUEUED = "requeued"


@dataclass(frozen=True, slots=True, kw_only=True)
class JobEvent:
    """Something that happened to a job, as seen between two polls."""

    kind: EventKind
    job: Job
    #: ``<uuid>@<host>``; None if no worker was concerned.
    worker: str | None
    #: Seconds since the epoch, on this machine.
    at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class JobStanding:
    """How one job stands."""

    job: Job
    state: JobState = JobState.QUEUED
    #: Only while it is encoding.
    reading: Reading | None = None
    #: Only when it has ended.
    outcome: JobOutcome | None = None

    @property
    def fraction(self) -> float:
        """Share of the job done, from 0 to 1; 1 only when it is done."""
        if self.state is JobState.DONE:
            return 1.0
        # A failed job may still carry its last reading, which is worth nothing now.
        if self.state is not JobState.ENCODING or self.reading is None:
            return 0.0
        return min(max((self.reading.percent or 0.0) / 100, 0.0), 0.999)

    @property
    def worker(self) -> str | None:
        """Who has it, or had it at its end: ``<uuid>@<host>``; None if nobody."""
        if self.reading:
            return self.reading.worker
        return self.outcome.worker if self.outcome else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """Sums over the jobs of a batch; weights are seconds of media."""

    counts: Mapping[JobState, int]
    running: tuple[JobStanding, ...]
    #: Weight of all jobs, of what is done, of jobs that failed or were cancelled.
    total: float
    done: float
    lost: float
    #: Times real time, of each running job that tells it.
    speeds: tuple[float, ...]

    @classmethod
    def of(cls, jobs: Sequence[JobStanding]) -> "Tally":
        """Add up *jobs*; one of unknown length weighs as the average one."""
        usual = _usual_weight(jobs)
        total = done = lost = 0.0
        for standing in jobs:
            weight = standing.job.seconds or usual
            total += weight
            if standing.state in _LOST:
                lost += weight
                continue
            done += weight * standing.fraction
        running = tuple(s for s in jobs if s.state is JobState.ENCODING)
        speeds = tuple(s.reading.speed for s in running if s.reading and s.reading.speed)
        return cls(
            counts=Counter(standing.state for standing in jobs),
            running=running,
            total=total,
            done=done,
            lost=lost,
            speeds=speeds,
        )


def _usual_weight(jobs: Sequence[JobStanding]) -> float:
    """Seconds of the average job whose length is known; 1 if none is."""
    known = [standing.job.seconds for standing in jobs if standing.job.seconds]
    return sum(known) / len(known) if known else 1.0


# Without slots: cached_property keeps its value in the instance's __dict__.
@dataclass(frozen=True, kw_only=True)
class BatchStanding:
    """How a batch stands at one moment."""

    batch: Batch
    #: One for each job of the batch, in its order.
    jobs: tuple[JobStanding, ...]
    #: Workers alive on this farm, and the slots that they have.
    workers: int = 0
    slots: int = 0
    #: The workers that take no jobs until they are well again, each with the reason.
    unwell: tuple[tuple[str, str], ...] = ()
    #: The newest first.
    events: tuple[JobEvent, ...] = ()
    #: Seconds since the epoch, on this machine.
    now: float = 0.0
    #: What the broker said last, if it does not answer just now.
    broker_trouble: str | None = None
    #: Seconds until it is ready, by what the farm has measured; None if nobody can tell.
    eta_seconds: float | None = None
    #: Whether it starts no jobs just now, as somebody paused it.
    is_paused: bool = False
    #: Seconds of wall clock from when it was sent to its end; None while it has none.
    spent: float | None = None

    @cached_property
    def tally(self) -> Tally:
        """All sums over the jobs, made when first asked for."""
        return Tally.of(self.jobs)

    def count(self, *states: JobState) -> int:
        """How many jobs are in one of *states*."""
        return sum(self.tally.counts.get(state, 0) for state in set(states))

    @property
    def has_begun(self) -> bool:
        """Whether any job was started."""
        return self.count(JobState.QUEUED) < len(self.jobs)

    @property
    def running(self) -> tuple[JobStanding, ...]:
        """The jobs that workers have now."""
        return self.tally.running

    @property
    def is_finished(self) -> bool:
        """Whether nothing more will happen."""
        return self.count(*(state for state in JobState if state.is_final)) == len(self.jobs)

    @property
    def fraction(self) -> float:
        """Share of the batch's media that is done; a failed job never counts as done."""
        return self.tally.done / self.tally.total if self.tally.total else 1.0

    @property
    def lost_fraction(self) -> float:
        """Share of the batch's media whose jobs failed or were cancelled."""
        return self.tally.lost / self.tally.total if self.tally.total else 0.0

    @property
    def speed(self) -> float | None:
        """Media seconds per second of wall clock, over all running jobs; None if unknown."""
        return sum(self.tally.speeds) or None
