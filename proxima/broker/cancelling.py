"""Ending jobs that somebody no longer wants."""

from typing import TYPE_CHECKING

from celery import states

from proxima.batch import Batch
from proxima.broker.lease import LeaseBook
from proxima.job import JobState

if TYPE_CHECKING:
    from celery import Celery
    from redis import Redis


def cancel_batch(batch: Batch, client: "Redis", celery: "Celery") -> int:
    """Cancel all jobs of *batch* that have not ended; how many those were.

    Waiting jobs end at once, running ones when their worker renews its lease.
    """
    book = LeaseBook(client)
    found = book.cancel([job.id for job in batch.jobs])
    for job, state in zip(batch.jobs, found, strict=True):
        if state is JobState.QUEUED:
            celery.backend.store_result(job.id, None, states.REVOKED)
            book.settle(job.id)
    return sum(state in {JobState.QUEUED, JobState.ENCODING} for state in found)
