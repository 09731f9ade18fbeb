"""Attempts: when and where a job was worked on, and how each attempt ended.

The record of a job holds of attempt N ``start:N`` (``MILLISECONDS WORKER``) and, when it is over,
``end:N`` (``MILLISECONDS HOW [PROBLEM or OUTCOME]``), by the server's clock. The outcome of the
last attempt stands in the record itself.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from proxima.broker import keys, wire
from proxima.errors import JobFailed
from proxima.job import Job, JobOutcome, JobState, JobWarning, Problem

if TYPE_CHECKING:
    from redis import Redis

T = TypeVar("T")


class AttemptEnd(StrEnum):
    """How an attempt ended."""

    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"
    #: It failed, and the job is tried again.
    RETRIED = "retried"
    #: Its worker handed the job back.
    RETURNED = "returned"
    #: Its worker was lost.
    LOST = "lost"


class Attempt(msgspec.Struct, frozen=True, kw_only=True):
    """One attempt at a job."""

    #: From 1.
    number: int
    #: ``<uuid>@<host>``.
    worker: str
    #: Seconds since the epoch, by the server's clock.
    started: float
    #: None while it runs.
    ended: float | None = None
    how: AttemptEnd | None = None
    problem: Problem | None = None
    warnings: tuple[JobWarning, ...] = ()
    #: Bytes of the output.
    output_bytes: int | None = None


class JobRecord(msgspec.Struct, frozen=True, kw_only=True):
    """All that the farm remembers of a job."""

    job: Job
    state: JobState
    priority: int
    #: When it ended, in seconds since the epoch; None while it has not.
    ended: float | None = None
    outcome: JobOutcome | None = None
    #: The oldest first; of very many the last 20.
    attempts: tuple[Attempt, ...] = ()


def records(client: "Redis", job_ids: list[str]) -> list[JobRecord]:
    """The records of those of *job_ids* that the farm knows, in their order."""
    pipe = client.pipeline(transaction=False)
    for job_id in job_ids:
        pipe.hgetall(keys.job(job_id))
    found = (read_record(fields) for fields in pipe.execute())
    return [record for record in found if record]


def read_record(fields: Mapping[bytes, bytes]) -> JobRecord | None:
    """The record in the *fields* of a job's hash; None if they are not of this version."""
    job = _read(fields.get(b"job"), Job)
    if job is None:
        return None
    outcome = _read(fields.get(b"outcome"), JobOutcome)
    numbers = sorted(int(name[6:]) for name in fields if name.startswith(b"start:"))
    ended = fields.get(b"ended")
    return JobRecord(
        job=job,
        state=JobState(fields[b"state"].decode()),
        priority=int(fields.get(b"priority", 5)),
        ended=int(ended) / 1000 if ended else None,
        outcome=outcome,
        attempts=tuple(
            _attempt(number, fields, outcome if number == numbers[-1] else None)
            for number in numbers
        ),
    )


def _attempt(number: int, fields: Mapping[bytes, bytes], last: JobOutcome | None) -> Attempt:
    since, _, worker = fields[b"start:%d" % number].decode().partition(" ")
    known: dict[str, Any] = {
        "number": number,
        "worker": worker,
        "started": int(since) / 1000,
    }
    end = fields.get(b"end:%d" % number)
    if end is None:
        return Attempt(**known)
    at, how, *rest = end.split(b" ", 2)
    known |= {"ended": int(at) / 1000, "how": AttemptEnd(how.decode())}
    text = rest[0] if rest else None
    if known["how"] is AttemptEnd.RETRIED:
        return Attempt(**known, problem=_read(text, Problem))
    outcome = _read(text, JobOutcome) or last
    if outcome is None or outcome.state.value != known["how"]:
        return Attempt(**known)
    return Attempt(
        **known,
        problem=outcome.problem,
        warnings=outcome.warnings,
        output_bytes=outcome.output_bytes,
    )


def _read(text: bytes | None, kind: type[T]) -> T | None:
    try:
        return wire.decode(text, kind) if text else None
    except JobFailed:
        # Written by another version.
        return None
