"""Every name that both sides spell alike: Redis keys, the queue, the task."""

#: Version of everything that crosses the broker. A worker refuses any other by name.
PROTOCOL = 1

#: Celery's names.
QUEUE = "proxima"
TASK = "proxima.transcode"
#: Celery's state of a running job; its meta is a `Reading`.
ENCODING = "ENCODING"

#: Sorted set of batch ids by the time they were sent.
BATCHES = "proxima:batches"
#: Hash of worker name -> WorkerInfo.
WORKERS = "proxima:workers"

#: Records are kept as long as Celery keeps results.
KEEP_SECONDS = 7 * 24 * 3600


def batch(batch_id: str) -> str:
    """Hash: ``record`` (the Batch without its jobs), ``jobs`` (how many there are)."""
    return f"proxima:batch:{batch_id}"


def job(job_id: str) -> str:
    """Hash: ``job`` (the Job) and what `lease` keeps: state, attempt, owner, until, outcome."""
    return f"proxima:job:{job_id}"


def job_id(batch_id: str, number: int) -> str:
    """The id of a batch's job, numbered from 1; Celery's task id too."""
    return f"{batch_id}-{number:05}"
