"""The group's AsyncResults, polled in one round trip."""

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from proxima.broker import keys
from proxima.errors import FailureKind
from proxima.job import JobOutcome, JobState, Problem
from proxima.progress import Reading

if TYPE_CHECKING:
    from celery import Celery
    from celery.result import AsyncResult, GroupResult

T = TypeVar("T")

#: Celery's states in our words; anything else is a job that waits.
_STATES = {
    keys.ENCODING: JobState.ENCODING,
    "SUCCESS": JobState.DONE,
    "FAILURE": JobState.FAILED,
    "REVOKED": JobState.CANCELLED,
}


class JobResult(msgspec.Struct, frozen=True, kw_only=True):
    """What the result backend says of one job."""

    job_id: str
    state: JobState
    reading: Reading | None = None
    outcome: JobOutcome | None = None


class BatchResults:
    """The AsyncResults of a batch; `poll` gives those that changed."""

    def __init__(self, celery: "Celery", batch_id: str, job_ids: Sequence[str]) -> None:
        self._backend: Any = celery.backend
        self.group: GroupResult = celery.GroupResult(
            batch_id, [celery.AsyncResult(job_id) for job_id in job_ids]
        )
        self._open: list[AsyncResult] = list(self.group.results)
        self._raw: dict[str, bytes | None] = {}

    def poll(self) -> Iterator[JobResult]:
        """Fetch all unfinished results at once; those that differ from the last poll."""
        if not self._open:
            return
        raws = self._backend.mget([self._backend.get_key_for_task(r.id) for r in self._open])
        still_open = []
        for result, raw in zip(self._open, raws, strict=True):
            found = self._changed(result.id, raw)
            if found:
                yield found
            if not found or not found.state.is_final:
                still_open.append(result)
        self._open = still_open

    def _changed(self, job_id: str, raw: bytes | None) -> JobResult | None:
        # Most jobs of a long batch wait: comparing bytes is cheaper than decoding them.
        if raw == self._raw.get(job_id):
            return None
        self._raw[job_id] = raw
        return (
            read_meta(job_id, json.loads(raw))
            if raw
            else JobResult(job_id=job_id, state=JobState.QUEUED)
        )


def read_meta(job_id: str, meta: dict[str, Any]) -> JobResult:
    """Celery's result meta in our words. Never builds the exception that it names."""
    state = _STATES.get(meta.get("status", ""), JobState.QUEUED)
    value = meta.get("result")
    if state is JobState.ENCODING:
        return JobResult(job_id=job_id, state=state, reading=_convert(value, Reading))
    if state is JobState.DONE:
        return JobResult(job_id=job_id, state=state, outcome=_convert(value, JobOutcome))
    if state is JobState.FAILED:
        outcome = JobOutcome(state=state, problem=_problem(value))
        return JobResult(job_id=job_id, state=state, outcome=outcome)
    return JobResult(job_id=job_id, state=state)


def _convert(value: object, kind: type[T]) -> T | None:
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError:
        return None


def _problem(value: object) -> Problem:
    """JobFailed's arguments as Celery stored them; any other exception as it stands."""
    stored = value if isinstance(value, dict) else {}
    args = stored.get("exc_message", ())
    args = list(args) if isinstance(args, list | tuple) else [args]
    if stored.get("exc_type") == "JobFailed" and len(args) == 3:
        fields = dict(zip(("kind", "message", "hint"), args, strict=True))
        if problem := _convert(fields, Problem):
            return problem
    text = " ".join(str(arg) for arg in args) or "no reason was stored"
    return Problem(kind=FailureKind.UNKNOWN, message=f"{stored.get('exc_type', 'error')}: {text}")
