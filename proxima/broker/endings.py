"""Storing how a job ended as Celery's result, so that its group completes."""

from typing import TYPE_CHECKING

import msgspec
from celery import states

from proxima.errors import FailureKind, JobFailed
from proxima.job import JobOutcome, JobState

if TYPE_CHECKING:
    from celery import Celery


def store_ending(
    celery: "Celery", job_id: str, state: JobState, outcome: JobOutcome | None
) -> None:
    """Store the final *state* of a job; the same twice changes nothing."""
    if state is JobState.DONE and outcome:
        celery.backend.store_result(job_id, msgspec.to_builtins(outcome), states.SUCCESS)
    elif state is JobState.CANCELLED:
        celery.backend.store_result(job_id, None, states.REVOKED)
    else:
        celery.backend.mark_as_failure(job_id, failure_of(outcome))


def failure_of(outcome: JobOutcome | None) -> JobFailed:
    """The failure that *outcome* tells of, as the exception of its task."""
    problem = outcome.problem if outcome else None
    if problem is None:
        return JobFailed(FailureKind.UNKNOWN, "no reason was stored")
    return JobFailed(problem.kind, problem.message, problem.hint)
