"""The promise, checked: each job ended once, and nothing is left."""

import time
from collections.abc import Iterator
from pathlib import Path

from celery import states
from kill.farm import KillFarm
from redis.exceptions import RedisError

from proxima.batch import Batch
from proxima.broker import batches, keys
from proxima.errors import ProximaError
from proxima.ffmpeg.probe import probe
from proxima.job import Job, JobOutcome, JobState
from proxima.worker.verify import verify

_RESULTS = {
    JobState.DONE: states.SUCCESS,
    JobState.FAILED: states.FAILURE,
    JobState.CANCELLED: states.REVOKED,
}
#: Seconds that a farm gets to put everything right after the last fault.
SETTLE_SECONDS = 90.0
#: Seconds in which nothing late may happen any more.
_QUIET = 0.5


def settle(farm: KillFarm, patience: float = SETTLE_SECONDS) -> list[str]:
    """Wait until nothing is left to do, then check everything; the violations."""
    deadline = time.monotonic() + patience
    while open_ends := _open_ends(farm):
        if time.monotonic() > deadline:
            break
        time.sleep(0.1)
    time.sleep(_QUIET)
    return open_ends + list(_violations(farm))


def require(farm: KillFarm, **ends: int) -> None:
    """AssertionError unless the farm keeps its promise; *ends* counts jobs by their state."""
    farm.heal()
    found = settle(farm)
    assert not found, "\n".join([*found, farm.story()])
    counted = count_ends(farm)
    assert {state: counted.get(state, 0) for state in ends} == ends, f"{counted}\n{farm.story()}"


def count_ends(farm: KillFarm) -> dict[str, int]:
    """How many jobs ended in each state."""
    found = [farm.state(job.id).value for batch in farm.batches for job in batch.jobs]
    return {state: found.count(state) for state in sorted(set(found))}


def _open_ends(farm: KillFarm) -> list[str]:
    """What still happens, or should."""
    try:
        return list(_left(farm))
    except RedisError as error:
        return [f"the broker is away: {error}"]


def _left(farm: KillFarm) -> Iterator[str]:
    farm.results.look()
    for batch in farm.batches:
        for job in batch.jobs:
            state = farm.field(job.id, "state")
            if not state or not JobState(state).is_final:
                yield f"{job.id} has not ended: {state or 'no record'}"
            elif not farm.results.ends.get(job.id):
                yield f"{job.id} is {state}, but its result is not ready"
    for name in (keys.WAITING, keys.LEASED):
        yield from (f"{job_id.decode()} is in {name}" for job_id in farm.client.zrange(name, 0, -1))
    if count := farm.messages():
        yield f"{count} messages wait"
    yield from (f"still runs: {stray}" for stray in farm.stray_processes())
    yield from (f"scratch {path.name}" for path in farm.outputs.glob(".*.part.*"))


def _violations(farm: KillFarm) -> Iterator[str]:
    media = probe(farm.clip)
    for batch in farm.batches:
        ended = batches.outcomes(farm.client, [job.id for job in batch.jobs])
        for job in batch.jobs:
            for fault in _faults(farm, batch, job, ended.get(job.id), media):
                yield f"{job.id}: {fault}"


def _faults(
    farm: KillFarm, batch: Batch, job: Job, outcome: JobOutcome | None, media: object
) -> Iterator[str]:
    if outcome is None:
        yield "no outcome"
        return
    ends = farm.results.ends.get(job.id, [])
    if ends != [_RESULTS[outcome.state]]:
        yield f"the record says {outcome.state}, its result was {', then '.join(ends)}"
    if outcome.state is JobState.CANCELLED and job.id not in farm.cancelled:
        yield "cancelled by nobody"
    if outcome.state is JobState.FAILED and not outcome.problem:
        yield "failed without a reason"
    output = Path(job.output)
    published = farm.renames.counts[output.name]
    if published != (outcome.state is JobState.DONE):
        yield f"{outcome.state}, but published {published} times"
    if outcome.state is JobState.DONE:
        try:
            verify(output, media=media, preset=batch.preset, frames_encoded=job.frames)
        except ProximaError as error:
            yield f"its output is wrong: {error}"
    elif output.exists() and not job.replace:
        yield f"{outcome.state}, but there is an output"
