"""Event: one thing that happened on a farm, as it is told to people and programs."""

from enum import StrEnum
from typing import Literal

import msgspec

#: Of the fields below. Readers pass over fields and types that they do not know; another form of
#: the same fields is another version.
VERSION = 1


class EventType(StrEnum):
    """What can happen."""

    #: The batch was sent.
    BATCH_QUEUED = "batch.queued"
    #: A worker has begun its first job.
    BATCH_STARTED = "batch.started"
    #: No job of it waits or runs any more, and none was cancelled.
    BATCH_FINISHED = "batch.finished"
    #: No job of it waits or runs any more, and some were cancelled.
    BATCH_CANCELLED = "batch.cancelled"
    #: A worker has begun an attempt at the job.
    JOB_STARTED = "job.started"
    #: The job waits again, see `reason`.
    JOB_RETRIED = "job.retried"
    #: The output is complete, verified, and has its name.
    JOB_FINISHED = "job.finished"
    #: The job ended without its output, and is not tried again.
    JOB_FAILED = "job.failed"
    #: Somebody ended the job.
    JOB_CANCELLED = "job.cancelled"
    #: A worker came to the farm.
    WORKER_UP = "worker.up"
    #: A worker left the farm, or was not heard of for 12 seconds.
    WORKER_DOWN = "worker.down"
    #: A worker takes nothing new, as it was told.
    WORKER_DRAINED = "worker.drained"
    #: A drained worker takes jobs again.
    WORKER_UNDRAINED = "worker.undrained"
    #: A worker takes no jobs, as one after the other failed on it for reasons of its own.
    WORKER_UNWELL = "worker.unwell"
    #: An unwell worker takes jobs again.
    WORKER_WELL = "worker.well"


class Event(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What happened. Fields that say nothing are left out."""

    #: Of this form: 1.
    version: int
    #: `<milliseconds>-<number>`: its place in the stream; later events have greater ones.
    id: str
    #: See the table of types; a later Proxima may know more.
    type: str
    #: Seconds since 1970 (UTC), by the broker's clock.
    time: float
    #: Id of the batch; of a job's event that of the batch which sent it.
    batch: str = ""
    #: Of a job that several batches share: the ids of them all.
    batches: tuple[str, ...] = ()
    #: Of a batch: what people call it.
    label: str = ""
    #: Of a batch: who sent it.
    user: str = ""
    #: Of a batch the machine that sent it, of a worker the one that it runs on.
    host: str = ""
    #: Of a batch: name of its preset.
    preset: str = ""
    #: Id of the job.
    job: str = ""
    #: Path of the source; on this machine, where it has one here.
    source: str = ""
    #: Path of the output; on this machine, where it has one here.
    output: str = ""
    #: Number of the attempt at the job, from 1; 0 before the first.
    attempt: int | None = None
    #: `<uuid>@<host>`.
    worker: str = ""
    #: Of `job.retried`: `failed` (and tried again), `lost` (with its worker), `returned` (by its
    #: worker) or `asked` (by `proxima retry`). Of `worker.down`: `left` or `lost`.
    reason: str = ""
    #: Of a failure: one of the [kinds of failure](errors.md#kinds-of-failure).
    kind: str = ""
    #: Of a failure or an unwell worker: what is the matter, for people.
    message: str = ""
    #: Seconds that the worker spent on the job.
    seconds: float | None = None
    #: Size of the output.
    output_bytes: int | None = None
    #: Of a batch: how many jobs it has.
    jobs: int | None = None
    #: Of a batch that ended: how many jobs are done.
    done: int | None = None
    #: Of a batch that ended: how many jobs failed.
    failed: int | None = None
    #: Of a batch that ended: how many jobs were cancelled.
    cancelled: int | None = None
    #: 1 if a sweep found that the event was missing, and told it late.
    swept: int | None = None

    def concerns(self, batch_id: str) -> bool:
        """Whether it is about that batch, or a job of it."""
        return batch_id in (self.batch, *self.batches)


#: What a hook or a reader may ask for: a type, all of one kind, or all.
EventPattern = Literal[
    "*",
    "batch.*",
    "batch.queued",
    "batch.started",
    "batch.finished",
    "batch.cancelled",
    "job.*",
    "job.started",
    "job.retried",
    "job.finished",
    "job.failed",
    "job.cancelled",
    "worker.*",
    "worker.up",
    "worker.down",
    "worker.drained",
    "worker.undrained",
    "worker.unwell",
    "worker.well",
]


def matches(event_type: str, patterns: tuple[str, ...]) -> bool:
    """Whether one of *patterns* means that type."""
    kind = event_type.partition(".")[0]
    return not {event_type, f"{kind}.*", "*"}.isdisjoint(patterns)
