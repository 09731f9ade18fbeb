"""Sending a batch: one Celery group, its messages in few round trips."""

from typing import TYPE_CHECKING, Any

from proxima.batch import Batch
from proxima.broker import keys

if TYPE_CHECKING:
    from celery import Celery
    from celery.result import GroupResult
    from redis import Redis

#: Messages in one round trip.
_CHUNK = 1000
_KWARGS = {"protocol": keys.PROTOCOL}
_KWARGS_SHOWN = repr(_KWARGS)


def send_batch(celery: "Celery", batch: Batch) -> "GroupResult":
    """Send the own jobs of *batch* as one group; the batch must have been saved before."""
    from celery import group

    signatures = [_signature(celery, job.id, batch.priority, batch.tag) for job in batch.own_jobs]
    with celery.producer_pool.acquire(block=True) as producer, producer.batch(_CHUNK):
        return group(signatures, app=celery).apply_async(task_id=batch.id, producer=producer)


def send_job(celery: "Celery", job_id: str, priority: int, tag: str = "") -> None:
    """Send one job again."""
    _signature(celery, job_id, priority, tag).apply_async()


def send_again(celery: "Celery", client: "Redis", job_id: str) -> None:
    """Send one job again, as its record says."""
    found: Any = client.hmget(keys.job(job_id), ["priority", "tag"])
    priority, tag = found
    send_job(celery, job_id, int(priority or 5), (tag or b"").decode())


def _signature(celery: "Celery", job_id: str, priority: int, tag: str) -> Any:
    # Ids only: the record in the broker says what the job is.
    return celery.signature(
        keys.TASK,
        args=(job_id,),
        kwargs=_KWARGS,
        task_id=job_id,
        priority=priority,
        immutable=True,
        queue=keys.queue(tag),
        # What Celery would do for each of 10 000 messages: find out how to show these, and
        # declare a queue that on Redis is a mere list. Without it, sending takes 3/4 of the time.
        argsrepr=f"({job_id!r},)",
        kwargsrepr=_KWARGS_SHOWN,
        declare=(),
    )
