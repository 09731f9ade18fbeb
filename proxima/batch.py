"""Batch: the jobs that one `proxima queue` sends, as one Celery group."""

from typing import Annotated, Literal

import msgspec

from proxima.job import Job, JobState, JobWarning, Problem
from proxima.preset import Preset


class Settled(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A source that was never sent, and why: skipped or refused by the plan."""

    source: str
    output: str | None = None
    state: JobState
    problem: Problem | None = None
    warnings: tuple[JobWarning, ...] = ()


class Batch(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was sent, by whom; it never changes."""

    #: Eight letters and digits, easy to type; the Celery group has the same id.
    id: str
    #: What people call it.
    label: str
    user: str
    host: str
    #: Seconds since the epoch.
    created: float
    #: 0 runs first, 9 last.
    priority: int
    #: A copy: editing the preset changes nothing already sent.
    preset: Preset
    #: How often a job is tried again after a failure that may pass; a copy, too.
    retries: int = 2
    #: Seconds without progress after which an encode is ended.
    stall_seconds: float = 120.0
    #: How outputs are verified.
    verify: Literal["quick", "full"] = "quick"
    #: Seconds since the epoch before which none of its jobs starts; None: at once.
    start_at: float | None = None
    #: Only workers with this tag take its jobs; empty: any worker.
    tag: Annotated[str, msgspec.Meta(pattern=r"^([a-z0-9_-]{1,32})?$")] = ""
    jobs: tuple[Job, ...] = ()
    #: Sources that were not sent.
    settled: tuple[Settled, ...] = ()

    @property
    def own_jobs(self) -> tuple[Job, ...]:
        """Without those that another batch had sent already; theirs are the ids and the results."""
        return tuple(job for job in self.jobs if job.batch == self.id)
