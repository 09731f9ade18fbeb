"""Fetching ffmpeg's log of an attempt from whichever worker has it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from proxima.broker import log_requests, roster
from proxima.broker.attempts import JobRecord
from proxima.errors import LogMissing, UsageError

if TYPE_CHECKING:
    from redis import Redis


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchedLog:
    """A log, or its end."""

    text: bytes
    #: Bytes before it that a worker does not give.
    skipped: int = 0


def fetch_log(client: "Redis", record: JobRecord, number: int | None = None) -> FetchedLog:
    """The log of attempt *number*, or of the last; UsageError or LogMissing if there is none."""
    job_id = record.job.id
    attempts = {attempt.number: attempt for attempt in record.attempts}
    attempt = attempts.get(number or max(attempts, default=0))
    if attempt is None:
        told = ", ".join(map(str, attempts)) or "none yet"
        raise UsageError(f"job {job_id} has no such attempt (there are: {told})")
    host = attempt.worker.rpartition("@")[2]
    # Another worker of that machine has the same log folder, most likely.
    near = [worker.name for worker in roster.alive(client) if worker.host == host]
    which = f"the log of {job_id}, attempt {attempt.number}, is on {host}"
    if not near:
        raise LogMissing(f"{which}, where no worker is alive (start one there: proxima work)")
    found = log_requests.ask(client, near, job_id, attempt.number)
    if found is None or found.text is None:
        raise LogMissing(f"{which}, but no worker there gives it: it was removed, or never begun")
    return FetchedLog(text=found.text, skipped=max(found.size - len(found.text), 0))
