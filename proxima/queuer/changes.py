"""What changed between two standings of the same batch."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from proxima.job import JobState
from proxima.queuer.standing import EventKind, JobStanding

_ENDS = {
    JobState.DONE: EventKind.FINISHED,
    JobState.FAILED: EventKind.FAILED,
    JobState.CANCELLED: EventKind.CANCELLED,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One thing that happened to one job."""

    kind: EventKind
    before: JobStanding
    now: JobStanding

    @property
    def worker(self) -> str | None:
        """The worker concerned: ``<uuid>@<host>``; None if none was."""
        if self.kind is EventKind.REQUEUED:
            return self.before.worker
        return self.now.worker or self.before.worker


def changes(before: Sequence[JobStanding], now: Sequence[JobStanding]) -> Iterator[Change]:
    """Yield what happened to each job, in order; both hold the same jobs in the same order."""
    for old, new in zip(before, now, strict=True):
        # Most jobs are the same object as at the last poll.
        if old is new:
            continue
        for kind in _kinds(old, new):
            yield Change(kind=kind, before=old, now=new)


def waiting(now: Sequence[JobStanding]) -> tuple[JobStanding, ...]:
    """The same jobs as they stood when they were sent."""
    return tuple(JobStanding(job=standing.job) for standing in now)


def _kinds(old: JobStanding, new: JobStanding) -> tuple[EventKind, ...]:
    match old.state, new.state:
        case JobState.QUEUED, JobState.ENCODING:
            return (EventKind.STARTED,)
        case JobState.QUEUED, (JobState.DONE | JobState.FAILED) if new.worker:
            # It began and ended between two polls.
            return (EventKind.STARTED, _ENDS[new.state])
        case JobState.ENCODING, JobState.ENCODING if _is_new_attempt(old, new):
            return (EventKind.REQUEUED, EventKind.STARTED)
        case JobState.ENCODING, JobState.QUEUED:
            return (EventKind.REQUEUED,)
        case ((JobState.QUEUED | JobState.ENCODING), end) if end in _ENDS:
            return (_ENDS[end],)
    return ()


def _is_new_attempt(old: JobStanding, new: JobStanding) -> bool:
    return bool(old.reading and new.reading and new.reading.attempt > old.reading.attempt)
