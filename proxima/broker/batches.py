"""Batch records: what was sent, readable from every machine of the farm."""

from collections import Counter
from typing import TYPE_CHECKING, Any

import msgspec

from proxima.batch import Batch
from proxima.broker import keys, wire
from proxima.errors import JobFailed, UnknownBatch
from proxima.job import Job, JobOutcome, JobState

if TYPE_CHECKING:
    from redis import Redis

#: Commands in one trip: few enough that the server answers others in between.
_CHUNK = 1000


def save(client: "Redis", batch: Batch) -> None:
    """Keep a batch and its jobs; must come before the jobs are sent."""
    for start in range(0, len(batch.jobs), _CHUNK):
        pipe = client.pipeline(transaction=False)
        for job in batch.jobs[start : start + _CHUNK]:
            key = keys.job(job.id)
            fields: dict[Any, Any] = {
                "job": wire.encode(job),
                "state": JobState.QUEUED.value,
                "attempt": 0,
                "priority": batch.priority,
            }
            pipe.hset(key, mapping=fields)
            pipe.expire(key, keys.KEEP_SECONDS)
            # By our clock, which may be wrong: the sweep looks only for jobs that wait long.
            pipe.zadd(keys.WAITING, {job.id: batch.created * 1000})
        pipe.execute()
    # Last: whoever finds the batch finds its jobs.
    record: dict[Any, Any] = {
        "record": wire.encode(msgspec.structs.replace(batch, jobs=())),
        "jobs": len(batch.jobs),
    }
    pipe = client.pipeline()
    pipe.hset(keys.batch(batch.id), mapping=record)
    pipe.expire(keys.batch(batch.id), keys.KEEP_SECONDS)
    pipe.zadd(keys.BATCHES, {batch.id: batch.created})
    pipe.zremrangebyscore(keys.BATCHES, 0, batch.created - keys.KEEP_SECONDS)
    pipe.execute()


def header(client: "Redis", batch_id: str) -> Batch:
    """The batch without its jobs; UnknownBatch if there is none."""
    return _record(client, batch_id)[0]


def load(client: "Redis", batch_id: str) -> Batch:
    """The batch with its jobs; UnknownBatch if there is none."""
    batch, count = _record(client, batch_id)
    pipe = client.pipeline(transaction=False)
    for number in range(1, count + 1):
        pipe.hget(keys.job(keys.job_id(batch_id, number)), "job")
    jobs = tuple(wire.decode(text, Job) for text in pipe.execute() if text)
    return msgspec.structs.replace(batch, jobs=jobs)


def find(client: "Redis", name: str) -> tuple[Batch, tuple[Job, ...]]:
    """What *name* means: a batch and all its jobs, or a batch and one job of it.

    UnknownBatch if there is none.
    """
    batch_id, is_job, _ = name.partition("-")
    batch = load(client, batch_id)
    jobs = tuple(job for job in batch.jobs if not is_job or job.id == name)
    if not jobs and is_job:
        raise UnknownBatch(f"batch {batch_id} has no job {name!r} (see: proxima watch {batch_id})")
    return batch, jobs


def outcomes(client: "Redis", job_ids: list[str]) -> dict[str, JobOutcome]:
    """How those of *job_ids* ended that have ended."""
    pipe = client.pipeline(transaction=False)
    for job_id in job_ids:
        pipe.hget(keys.job(job_id), "outcome")
    found = zip(job_ids, pipe.execute(), strict=True)
    outcomes = {job_id: _outcome(text) for job_id, text in found if text}
    return {job_id: outcome for job_id, outcome in outcomes.items() if outcome}


def recent(client: "Redis", count: int) -> list[Batch]:
    """The batches that were sent last, the newest first, without their jobs."""
    ids: Any = client.zrevrange(keys.BATCHES, 0, count - 1)
    pipe = client.pipeline(transaction=False)
    for batch_id in ids:
        pipe.hget(keys.batch(batch_id.decode()), "record")
    return [wire.decode(text, Batch) for text in pipe.execute() if text]


def states(client: "Redis", batch_id: str) -> Counter[JobState]:
    """How many jobs of a batch are in which state."""
    _, count = _record(client, batch_id)
    pipe = client.pipeline(transaction=False)
    for number in range(1, count + 1):
        pipe.hget(keys.job(keys.job_id(batch_id, number)), "state")
    return Counter(JobState(state.decode()) for state in pipe.execute() if state)


def newest(client: "Redis") -> str:
    """The id of the batch that was sent last; UnknownBatch if there is none."""
    ids: Any = client.zrevrange(keys.BATCHES, 0, 0)
    if not ids:
        raise UnknownBatch("this farm has no batch yet (send one: proxima queue FILES)")
    return str(ids[0].decode())


def _outcome(text: bytes) -> JobOutcome | None:
    try:
        return wire.decode(text, JobOutcome)
    except JobFailed:
        # Written by another version: Celery's result, in plain JSON, must do.
        return None


def _record(client: "Redis", batch_id: str) -> tuple[Batch, int]:
    found: Any = client.hmget(keys.batch(batch_id), ["record", "jobs"])
    text, count = found
    if not text:
        raise UnknownBatch(f"no batch {batch_id!r} on this farm (the newest: proxima watch)")
    return wire.decode(text, Batch), int(count)
