"""FarmStanding: who works on the farm, on what, what waits, and how each batch stands. Pure."""

import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from proxima.batch import Batch
from proxima.broker.health import BrokerHealth
from proxima.broker.roster import WorkerInfo
from proxima.job import Job, JobState
from proxima.progress import Reading


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerJob:
    """A job that a worker has."""

    job: Job
    #: None until its worker has reported.
    reading: Reading | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerLine:
    """One worker."""

    info: WorkerInfo
    #: By slot.
    jobs: tuple[WorkerJob, ...] = ()

    @property
    def fps(self) -> float:
        """Frames a second, of all its slots together."""
        return sum(job.reading.fps or 0.0 for job in self.jobs if job.reading)


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchLine:
    """One batch."""

    #: Without its jobs.
    batch: Batch
    counts: Counter[JobState]
    #: When it was sent, in seconds since the epoch by the server's clock.
    sent: float
    #: Seconds of media: all, and what is done of it or of jobs that failed or were cancelled.
    media: float = 0.0
    media_done: float = 0.0
    media_lost: float = 0.0
    #: When its last job ended, in seconds since the epoch by the server's clock; 0 if none has.
    ended: float = 0.0
    #: Bytes of all outputs.
    output_bytes: int = 0
    #: How many of its jobs ended on which host.
    hosts: Mapping[str, int] = field(default_factory=dict)
    #: Seconds until it is ready, by what the farm has measured; None if nobody can tell.
    eta_seconds: float | None = None
    #: Whether it starts no jobs just now, as somebody paused it.
    is_paused: bool = False
    #: Whether a live worker may take its jobs.
    has_worker: bool = True

    @property
    def jobs(self) -> int:
        """How many jobs there are."""
        return self.counts.total()

    @property
    def is_finished(self) -> bool:
        """Whether nothing more will happen."""
        return all(state.is_final for state in self.counts)

    @property
    def fraction(self) -> float:
        """Share of its media that is done; 1 only when all of it is."""
        if self.counts[JobState.DONE] == self.jobs:
            return 1.0
        return min(self.media_done / self.media, 0.999) if self.media else 0.0

    @property
    def lost_fraction(self) -> float:
        """Share of its media whose jobs failed or were cancelled."""
        return min(self.media_lost / self.media, 1.0) if self.media else 0.0

    @property
    def seconds(self) -> float | None:
        """Seconds of wall clock from when it was sent to its end; None while it has none."""
        if not self.ended or not self.is_finished:
            return None
        return max(self.ended - self.sent, 0.0)

    @property
    def speed(self) -> float | None:
        """Times real time, of a batch that has ended; None if nothing was made."""
        return self.media_done / self.seconds if self.seconds and self.media_done else None


@dataclass(frozen=True, slots=True, kw_only=True)
class FarmStanding:
    """How a farm stands at one moment."""

    workers: tuple[WorkerLine, ...] = ()
    #: The newest first.
    batches: tuple[BatchLine, ...] = ()
    #: How many jobs wait for a worker, by priority.
    queued: Counter[int] = field(default_factory=Counter)
    #: Jobs that failed, and are tried again later.
    delayed: int = 0
    #: Messages that wait for a worker.
    waiting: int = 0
    #: Messages that made no sense and were set aside.
    set_aside: int = 0
    health: BrokerHealth | None = None
    #: Seconds since the epoch, on this machine.
    now: float = field(default_factory=time.time)

    @property
    def slots(self) -> int:
        """Encodes that the workers can run at once."""
        return sum(worker.info.slots for worker in self.workers)

    @property
    def busy(self) -> int:
        """Encodes that run."""
        # By the leases: a heartbeat is up to two seconds old.
        return sum(len(worker.jobs) for worker in self.workers)

    @property
    def fps(self) -> float:
        """Frames a second, of all workers together."""
        return sum(worker.fps for worker in self.workers)
