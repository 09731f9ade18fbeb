"""BatchStanding: how a batch stands at one moment; everything a view draws comes from here."""

from dataclasses import dataclass
from enum import StrEnum

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
        if self.reading is None or self.reading.percent is None:
            return 0.0
        return min(self.reading.percent / 100, 0.999)


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchStanding:
    """How a batch stands at one moment."""

    batch: Batch
    jobs: tuple[JobStanding, ...]
    #: Workers alive on this farm, and the slots that they have.
    workers: int = 0
    slots: int = 0
    #: The newest first.
    events: tuple[JobEvent, ...] = ()
    #: Seconds since the epoch, on this machine.
    now: float = 0.0
    #: What the broker said last, if it does not answer just now.
    broker_trouble: str | None = None

    def count(self, *states: JobState) -> int:
        """How many jobs are in one of *states*."""
        return sum(standing.state in states for standing in self.jobs)

    @property
    def running(self) -> tuple[JobStanding, ...]:
        """The jobs that workers have now."""
        return tuple(s for s in self.jobs if s.state is JobState.ENCODING)

    @property
    def is_finished(self) -> bool:
        """Whether nothing more will happen."""
        return all(standing.state.is_final for standing in self.jobs)

    @property
    def fraction(self) -> float:
        """Share of the batch's media that is done; a failed job never counts as done."""
        total = sum(self._weight(s) for s in self.jobs)
        return sum(self._weight(s) * s.fraction for s in self.jobs) / total if total else 1.0

    @property
    def speed(self) -> float | None:
        """Media seconds per second of wall clock, over all running jobs; None if unknown."""
        speeds = [s.reading.speed for s in self.running if s.reading and s.reading.speed]
        return sum(speeds) if speeds else None

    @property
    def eta_seconds(self) -> float | None:
        """Wall-clock seconds to the end at the present speed; None if unknown."""
        if self.is_finished or not self.speed:
            return None
        left = sum(self._weight(s) * (1 - s.fraction) for s in self.jobs if s.state not in _LOST)
        return left / self.speed

    def _weight(self, standing: JobStanding) -> float:
        """Seconds of media; a job of unknown length weighs as the average one."""
        if standing.job.seconds:
            return standing.job.seconds
        known = [s.job.seconds for s in self.jobs if s.job.seconds]
        return sum(known) / len(known) if known else 1.0
