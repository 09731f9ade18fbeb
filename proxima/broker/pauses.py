"""Batches that are paused: their jobs are held among the delayed ones, due when they go on."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from proxima.broker import dispatch, keys
from proxima.broker.lease import LeaseBook
from proxima.job import Job

if TYPE_CHECKING:
    from celery import Celery
    from redis import Redis

#: Values of the hash: no more jobs are started; and those that run stand still.
_PAUSED, _SUSPENDED = "paused", "suspended"


def pause(client: "Redis", batch_id: str, *, suspend: bool) -> None:
    """Let a batch start no more jobs; with *suspend* its running encodes stand still."""
    client.hset(keys.PAUSED, batch_id, _SUSPENDED if suspend else _PAUSED)


def resume(batch_id: str, jobs: Sequence[Job], client: "Redis", celery: "Celery") -> int:
    """Let a batch go on; how many of its *jobs* were held."""
    # First: a job that is claimed now is not held any more.
    client.hdel(keys.PAUSED, batch_id)
    return hasten(jobs, client, celery)


def hasten(jobs: Sequence[Job], client: "Redis", celery: "Celery") -> int:
    """Send what is held or delayed of *jobs* now; how many those were."""
    book = LeaseBook(client)
    due = [job.id for job, was in zip(jobs, book.hasten([j.id for j in jobs]), strict=True) if was]
    for job_id in due:
        # The sweep may be quicker, and sends what we cannot.
        if book.wake(job_id):
            dispatch.send_again(celery, client, job_id)
    return len(due)


def is_paused(client: "Redis", batch_id: str) -> bool:
    """Whether a batch starts no jobs just now."""
    return bool(client.hexists(keys.PAUSED, batch_id))


def paused(client: "Redis") -> frozenset[str]:
    """The batches that are paused."""
    return frozenset(batch_id.decode() for batch_id in _all(client))


def suspended(client: "Redis") -> frozenset[str]:
    """The batches of which nothing may run."""
    pairs = _all(client).items()
    return frozenset(b.decode() for b, how in pairs if how == _SUSPENDED.encode())


def _all(client: "Redis") -> dict[bytes, bytes]:
    found: Any = client.hgetall(keys.PAUSED)
    return found or {}
