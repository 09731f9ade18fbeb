"""Ending jobs that nobody wants any more, and sending failed ones again."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from celery import states

from proxima.batch import Batch
from proxima.broker import batches, dispatch
from proxima.broker.lease import LeaseBook
from proxima.broker.messages import MessageQueue
from proxima.job import Job, JobState

if TYPE_CHECKING:
    from celery import Celery
    from redis import Redis


def cancel_jobs(jobs: Sequence[Job], client: "Redis", celery: "Celery") -> int:
    """Cancel those of *jobs* that have not ended; how many those were.

    Waiting jobs end at once, running ones when their worker renews its lease.
    """
    book = LeaseBook(client)
    found = book.cancel([job.id for job in jobs])
    for job, state in zip(jobs, found, strict=True):
        if state is JobState.QUEUED:
            celery.backend.store_result(job.id, None, states.REVOKED)
            book.settle(job.id)
    return sum(state in {JobState.QUEUED, JobState.ENCODING} for state in found)


def prioritise(batch: Batch, priority: int, client: "Redis", celery: "Celery") -> int:
    """Let a batch run at another priority (0 first, 9 last); how many messages were moved."""
    batches.keep_priority(client, batch, priority)
    return MessageQueue(celery, client).move(batch, priority)


def retry_jobs(jobs: Sequence[Job], client: "Redis", celery: "Celery") -> int:
    """Send those of *jobs* again that failed or were cancelled; how many those were."""
    book = LeaseBook(client)
    again = [
        job for job, done in zip(jobs, book.requeue([j.id for j in jobs]), strict=True) if done
    ]
    for job in again:
        # Before it is sent: a worker may report on it before the next line is reached.
        celery.backend.delete(celery.backend.get_key_for_task(job.id))
        dispatch.send_again(celery, client, job.id)
    return len(again)
