"""Batch records: what was sent, readable from every machine of the farm."""

import time
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import msgspec

from proxima.batch import Batch
from proxima.broker import keys, lua, wire
from proxima.broker.loads import Loads
from proxima.errors import JobFailed, UnknownBatch
from proxima.job import Job, JobOutcome

if TYPE_CHECKING:
    from redis import Redis

#: Commands in one trip: few enough that the server answers others in between.
_CHUNK = 1000


def save(client: "Redis", batch: Batch) -> Batch:
    """Keep a batch and its jobs; must come before the jobs are sent. Gives it as it was kept.

    Where another batch is making the same output of the same source, that one's job takes the
    place of ours: see `Batch.own_jobs`.
    """
    key = keys.batch(batch.id)
    # First, as a worker needs it with the first job; nobody finds the batch by it yet.
    client.hset(key, "record", wire.encode(msgspec.structs.replace(batch, jobs=())))
    client.expire(key, keys.KEEP_SECONDS)
    if batch.tag:
        client.sadd(keys.TAGS, batch.tag)
    shared = _enlist(client, batch)
    # Last: whoever finds the batch finds its jobs.
    queued = client.register_script(lua.script("queued"))
    args = (
        len(batch.jobs),
        msgspec.json.encode(shared),
        msgspec.json.encode(Loads.of(batch.jobs)),
        batch.created,
        keys.KEEP_SECONDS,
    )
    queued(keys=[key, keys.BATCHES], args=list(args))
    return load(client, batch.id) if shared else batch


def _enlist(client: "Redis", batch: Batch) -> dict[str, str]:
    """Keep the jobs of *batch*; for each that another batch has already, the id of that one."""
    script = client.register_script(lua.script("enlist"))
    found: dict[str, str] = {}
    due = _due(client, batch)
    for start in range(0, len(batch.jobs), _CHUNK):
        jobs = batch.jobs[start : start + _CHUNK]
        pipe = client.pipeline(transaction=False)
        for job in jobs:
            names = [keys.job(job.id), keys.WAITING, keys.output(job.output)]
            names += [keys.DELAYED, keys.PAUSED]
            # By our clock, which may be wrong: the sweep looks only for jobs that wait long.
            text, since = wire.encode(job), int(batch.created * 1000)
            args: list[Any] = [
                job.id,
                _likeness(job, batch),
                text,
                batch.priority,
                since,
                keys.KEEP_SECONDS,
                due,
                batch.tag,
            ]
            script(keys=names, args=args, client=pipe)
        holders = zip(jobs, pipe.execute(), strict=True)
        found |= {job.id: holder.decode() for job, holder in holders if holder}
    return found


def _due(client: "Redis", batch: Batch) -> int:
    """When its jobs may start, in milliseconds of the server's clock; 0 if at once."""
    if batch.start_at is None:
        return 0
    answer: Any = client.time()
    # Clocks of machines may differ by minutes: what counts is how long it is from now.
    return int((answer[0] + batch.start_at - time.time()) * 1000)


def keep_priority(client: "Redis", batch: Batch, priority: int) -> None:
    """Note another priority, for what is sent again."""
    changed = msgspec.structs.replace(batch, priority=priority, jobs=())
    pipe = client.pipeline(transaction=False)
    pipe.hset(keys.batch(batch.id), "record", wire.encode(changed))
    for job in batch.own_jobs:
        pipe.hset(keys.job(job.id), "priority", str(priority))
    pipe.execute()


def _likeness(job: Job, batch: Batch) -> str:
    """Equal for jobs of which the same comes out."""
    nameless = msgspec.structs.replace(job, id="", batch="")
    made = (wire.encode(nameless), wire.encode(batch.preset), batch.tag.encode())
    return sha256(b"".join(made)).hexdigest()


def header(client: "Redis", batch_id: str) -> Batch:
    """The batch without its jobs; UnknownBatch if there is none."""
    return _record(client, batch_id)


def load(client: "Redis", batch_id: str) -> Batch:
    """The batch with its jobs; UnknownBatch if there is none."""
    batch = _record(client, batch_id)
    pipe = client.pipeline(transaction=False)
    for job_id in _job_ids(client, batch_id):
        pipe.hget(keys.job(job_id), "job")
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


def recent_ids(client: "Redis", count: int) -> list[str]:
    """The ids of the batches that were sent last, the newest first."""
    ids: Any = client.zrevrange(keys.BATCHES, 0, count - 1)
    return [batch_id.decode() for batch_id in ids]


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


def _record(client: "Redis", batch_id: str) -> Batch:
    text: Any = client.hget(keys.batch(batch_id), "record")
    if not text:
        raise _unknown(batch_id)
    return wire.decode(text, Batch)


def _job_ids(client: "Redis", batch_id: str) -> list[str]:
    """The jobs of a batch in their order, those that are another batch's too."""
    found: Any = client.hmget(keys.batch(batch_id), ["jobs", "shared"])
    count, text = found
    if not count:
        raise _unknown(batch_id)
    shared = msgspec.json.decode(text or b"{}", type=dict[str, str])
    own = (keys.job_id(batch_id, number) for number in range(1, int(count) + 1))
    return [shared.get(job_id, job_id) for job_id in own]


def _unknown(batch_id: str) -> UnknownBatch:
    return UnknownBatch(f"no batch {batch_id!r} on this farm (see: proxima batches)")
