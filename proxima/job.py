"""Job: one source to one output; its states, and how it ended."""

from enum import StrEnum
from typing import Annotated, NamedTuple

import msgspec

from proxima.errors import FailureKind


class JobState(StrEnum):
    """Where a job stands."""

    #: Sent; no worker has it.
    QUEUED = "queued"
    #: A worker encodes, verifies or publishes it.
    ENCODING = "encoding"
    #: The output is complete, verified, and has its name.
    DONE = "done"
    #: It ended without an output.
    FAILED = "failed"
    #: Somebody ended it.
    CANCELLED = "cancelled"
    #: Not sent: a complete, newer output exists.
    SKIPPED = "skipped"
    #: Not sent: the plan found a fault.
    REFUSED = "refused"

    @property
    def is_final(self) -> bool:
        """Whether nothing more happens to the job by itself; `proxima retry` may send it again."""
        return self not in {JobState.QUEUED, JobState.ENCODING}


#: The law of job states; docs/job-states.md is the same table for people.
NEXT_STATES: dict[JobState, frozenset[JobState]] = {
    JobState.QUEUED: frozenset({JobState.ENCODING, JobState.CANCELLED, JobState.FAILED}),
    # Back to QUEUED when a worker hands it back or loses its lease.
    JobState.ENCODING: frozenset(
        {JobState.DONE, JobState.FAILED, JobState.CANCELLED, JobState.QUEUED}
    ),
    JobState.DONE: frozenset(),
    # By `proxima retry` alone.
    JobState.FAILED: frozenset({JobState.QUEUED}),
    JobState.CANCELLED: frozenset({JobState.QUEUED}),
    JobState.SKIPPED: frozenset(),
    JobState.REFUSED: frozenset(),
}


class Problem(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Why a job failed or was refused."""

    kind: FailureKind
    #: What happened, to which file, on which worker.
    message: str
    #: What to do; may be empty.
    hint: str = ""


class JobWarning(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something that was dropped or changed on the way."""

    #: Stable, so that scripts may compare: "sound_dropped", "variable_rate", ...
    code: str
    message: str


class Load(NamedTuple):
    """What there is to encode in a job; loads of one size can be compared."""

    #: ``1920x1080``: the amount is in frames; empty: in seconds of media.
    size: str
    #: None if the source does not say.
    amount: float | None


#: Names files and keys, so nothing but what Proxima itself makes.
JobId = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-z]{1,32}-[0-9]{1,8}\Z")]
#: As long as any system allows; no system has a path with a zero in it.
PortablePath = Annotated[str, msgspec.Meta(max_length=32_767, pattern=r"^[^\0]+\Z")]


class Job(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One source to one output, as it is sent."""

    #: ``<batch>-<number>``; the Celery task has the same id.
    id: JobId
    batch: str
    #: Portable paths: ``media:/A001/C001.mov``, or absolute where no path map covers them.
    source: PortablePath
    output: PortablePath
    #: Seconds of media; None if the source does not say. The job's weight in the batch's bar.
    seconds: float | None = None
    #: Frames of the source, if known.
    frames: int | None = None
    #: Width and height of the source's picture in pixels; None if it has none.
    size: tuple[int, int] | None = None
    #: Whether an existing output may be replaced.
    replace: bool = False
    #: Whether to make what can be made of a source that is damaged.
    allow_damaged: bool = False
    #: Frames per second of an image sequence, as a whole number or ratio; None of a file.
    rate: str | None = None
    #: Further files of the clip, with sound of its own, as OP-Atom has it; portable paths, too.
    companions: Annotated[tuple[PortablePath, ...], msgspec.Meta(max_length=64)] = ()

    @property
    def load(self) -> Load:
        """How much there is to encode."""
        if self.size and self.frames:
            return Load(f"{self.size[0]}x{self.size[1]}", self.frames)
        return Load("", self.seconds)


class Ssim(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How like its source an output looks: 1 is the same."""

    #: Over all frames.
    average: float
    worst: float
    #: Number of the worst one, from 0.
    worst_frame: int


class JobOutcome(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a job ended."""

    state: JobState
    #: ``<uuid>@<host>``; None if no worker had it.
    worker: str | None = None
    #: Seconds of wall clock that the worker spent on it.
    seconds: float | None = None
    problem: Problem | None = None
    warnings: tuple[JobWarning, ...] = ()
    #: Bytes of the output.
    output_bytes: int | None = None
    #: Measured only where every picture was compared.
    ssim: Ssim | None = None
