"""BatchRecord: all that the farm remembers of a batch or of one of its jobs."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from proxima.batch import Batch
from proxima.broker import attempts, batches
from proxima.broker.attempts import JobRecord
from proxima.queuer.batch_ledger import BatchLedger
from proxima.queuer.farm_standing import BatchLine
from proxima.queuer.outlook import Outlook

if TYPE_CHECKING:
    from celery import Celery
    from redis import Redis

#: Records in one trip.
_CHUNK = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchRecord:
    """A batch with its jobs, or with the one that was asked for."""

    line: BatchLine
    #: With all its jobs.
    batch: Batch
    jobs: tuple[JobRecord, ...]
    #: Whether one job was asked for.
    is_job: bool = False


def record_of(client: "Redis", celery: "Celery", name: str) -> BatchRecord:
    """What the farm knows of a batch or job called *name*; UnknownBatch if nothing."""
    batch, jobs = batches.find(client, name)
    ids = [job.id for job in jobs]
    chunks = [ids[start : start + _CHUNK] for start in range(0, len(ids), _CHUNK)]
    (line,) = history(client, celery, [batch.id])
    return BatchRecord(
        line=line,
        batch=batch,
        jobs=tuple(record for chunk in chunks for record in attempts.records(client, chunk)),
        is_job="-" in name,
    )


def history(client: "Redis", celery: "Celery", batch_ids: list[str]) -> tuple[BatchLine, ...]:
    """A line for each of these batches that the farm knows."""
    return BatchLedger(client).lines(batch_ids, Outlook(client, celery).look(batch_ids))
