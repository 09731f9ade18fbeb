"""The fields of `proxima status --json`."""

from typing import Any

import msgspec

from proxima.broker.health import Verdict, findings
from proxima.cli.json_fields import Fields, of_job, of_reading, rounded
from proxima.cli.local_path import LocalPath
from proxima.job import JobState
from proxima.queuer.farm_standing import BatchLine, FarmStanding, WorkerLine

#: What a job of the farm can be; those that the plan refused or skipped are none.
_STATES = (
    JobState.QUEUED,
    JobState.ENCODING,
    JobState.DONE,
    JobState.FAILED,
    JobState.CANCELLED,
)


def of_farm(standing: FarmStanding, local: LocalPath) -> Fields:
    """The one object of `proxima status --json`."""
    return {
        "type": "farm",
        "time": rounded(standing.now),
        "broker": _broker(standing),
        "slots": standing.slots,
        "busy": standing.busy,
        "fps": rounded(standing.fps),
        "queued": {str(level): count for level, count in sorted(standing.queued.items())},
        "delayed": standing.delayed,
        "waiting": standing.waiting,
        "set_aside": standing.set_aside,
        "workers": [_worker(worker, local) for worker in standing.workers],
        "batches": [of_batch(batch, standing.now) for batch in standing.batches],
    }


def of_batch(batch: BatchLine, now: float) -> Fields:
    """One batch, as in the list of `proxima status` and `proxima batches`."""
    one = batch.batch
    eta = batch.eta_seconds
    return {
        "id": one.id,
        "label": one.label,
        "user": one.user,
        "host": one.host,
        "preset": one.preset.name,
        "priority": one.priority,
        "created": rounded(batch.sent),
        "ended": rounded(batch.ended) if batch.is_finished and batch.ended else None,
        "seconds": rounded(batch.seconds),
        "jobs": {str(state): batch.counts[state] for state in _STATES},
        "is_finished": batch.is_finished,
        "is_paused": batch.is_paused,
        "has_worker": batch.has_worker,
        "tag": one.tag,
        "start_at": rounded(one.start_at),
        "percent": rounded(batch.fraction * 100),
        "media_seconds": rounded(batch.media),
        "media_seconds_done": rounded(batch.media_done),
        "speed": rounded(batch.speed),
        "output_bytes": batch.output_bytes,
        "hosts": dict(batch.hosts),
        "eta_seconds": rounded(eta),
        "ready_at": rounded(now + eta) if eta is not None else None,
    }


def _worker(worker: WorkerLine, local: LocalPath) -> Fields:
    info: Fields = msgspec.to_builtins(worker.info)
    encoding = [
        of_job(job.job, local) | (of_reading(job.reading) if job.reading else {})
        for job in worker.jobs
    ]
    return {**info, "fps": rounded(worker.fps), "encoding": encoding}


def _broker(standing: FarmStanding) -> dict[str, Any] | None:
    health = standing.health
    if health is None:
        return None
    found = [
        {"verdict": str(one.verdict), "text": one.text, "remedy": one.remedy}
        for one in findings(health)
        if one.verdict is not Verdict.OK
    ]
    return {**msgspec.to_builtins(health), "findings": found}
