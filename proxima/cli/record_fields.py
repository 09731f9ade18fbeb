"""The fields of `proxima show --json`."""

from proxima.broker.attempts import Attempt, JobRecord
from proxima.cli.farm_fields import of_batch
from proxima.cli.json_fields import Fields, error, of_job, of_settled, rounded, warnings
from proxima.cli.local_path import LocalPath
from proxima.queuer.batch_record import BatchRecord


def of_batch_record(record: BatchRecord, now: float, local: LocalPath) -> Fields:
    """The one object of `proxima show BATCH --json`."""
    return {
        "type": "batch",
        **of_batch(record.line, now),
        "records": [of_job_record(job, local) for job in record.jobs],
        "settled": [of_settled(settled, local) for settled in record.batch.settled],
    }


def of_job_record(record: JobRecord, local: LocalPath) -> Fields:
    """A job with all its attempts; with a type, the one object of `proxima show JOB --json`."""
    job, outcome = record.job, record.outcome
    return {
        **of_job(job, local),
        "batch": job.batch,
        "state": str(record.state),
        "priority": record.priority,
        "media_seconds": rounded(job.seconds),
        "frames": job.frames,
        "size": list(job.size) if job.size else None,
        "ended": rounded(record.ended),
        "error": error(outcome.problem if outcome else None),
        "warnings": warnings(outcome.warnings if outcome else ()),
        "output_bytes": outcome.output_bytes if outcome else None,
        "attempts": [_attempt(attempt) for attempt in record.attempts],
    }


def _attempt(attempt: Attempt) -> Fields:
    return {
        "number": attempt.number,
        "worker": attempt.worker,
        "started": rounded(attempt.started),
        "ended": rounded(attempt.ended),
        "how": str(attempt.how) if attempt.how else None,
        "error": error(attempt.problem),
        "warnings": warnings(attempt.warnings),
        "output_bytes": attempt.output_bytes,
    }
