"""Every name that both sides spell alike: Redis keys, the queue, the task."""

import hashlib

#: Version of everything that crosses the broker. A worker refuses any other by name.
PROTOCOL = 1

#: Celery's names.
QUEUE = "proxima"
TASK = "proxima.transcode"
#: Celery's state of a running job; its meta is a `Reading`.
ENCODING = "ENCODING"

#: Set of tags that batches were sent to.
TAGS = "proxima:tags"
#: Sorted set of batch ids by the time they were sent.
BATCHES = "proxima:batches"
#: Hash of worker name -> WorkerInfo.
WORKERS = "proxima:workers"

#: Hash of worker name -> what it is to do, see `roster.Order`; and "NAME slots" -> how many.
ORDERS = "proxima:orders"
#: Sorted set of jobs that wait, by the time since when (milliseconds, the server's clock).
WAITING = "proxima:waiting"
#: Sorted set of jobs that are to be sent later, by the time when they are due: after a failure, at
#: the start of their batch, or when that is paused no more.
DELAYED = "proxima:delayed"
#: Hash of batches that start no jobs just now: "paused", or "suspended" if none may run either.
#: What was to start meanwhile is among the delayed jobs, due never.
PAUSED = "proxima:paused"
#: Sorted set of jobs that a worker has, by the time when their lease runs out; and of jobs that
#: ended and whose result is not stored yet, by the time when somebody else must look after them.
LEASED = "proxima:leased"
#: Set of jobs that were lost with a worker: a scratch of theirs may lie about.
LITTER = "proxima:litter"
#: Stream of what happened, see `Event`; what Lua knows it by stands in scripts/tell.lua.
EVENTS = "proxima:events"
#: Id of the last event that was trimmed away.
EVENTS_TRIMMED = "proxima:events:trimmed"
#: Stream of events that no consumer could handle, and hash of how many each group has lost.
EVENTS_DEAD = "proxima:events:dead"
EVENTS_LOST = "proxima:events:lost"
#: Sorted set, one a group, its name appended: events to be tried again, by when.
EVENTS_DUE = "proxima:events:due:"
#: Held by whoever looks after the events; see `event_care`.
EVENTS_CARE = "proxima:events:care"
#: Held by whoever sweeps; see `reconcile`.
SWEEP = "proxima:sweep"

#: List of messages that made no sense, the newest first, and how many there have been.
GARBAGE = "proxima:garbage"
GARBAGE_COUNT = "proxima:garbage:count"

#: List of `LogRequest`, one a worker, its name appended; and of the answers to one, its token.
LOGS_ASKED = "proxima:logs:asked:"
LOG_ANSWER = "proxima:logs:answer:"

#: Hash of how fast machines encode, see `speeds`; and its fields by when they were written last.
SPEEDS = "proxima:speeds"
SPEEDS_WRITTEN = "proxima:speeds:written"

#: Records are kept as long as Celery keeps results.
KEEP_SECONDS = 7 * 24 * 3600


def queue(tag: str) -> str:
    """Celery's queue of the jobs for workers with a tag; of all others without one."""
    return f"{QUEUE}.{tag}" if tag else QUEUE


def batch(batch_id: str) -> str:
    """Hash: ``record`` (the Batch without its jobs), ``jobs`` (how many there are).

    And ``shared``: JSON object, of its jobs that are another batch's, own id -> the other's;
    ``loads``: what there is to encode in each, see `Loads`; ``sent``: when (milliseconds, the
    server's clock); ``requeues``: how often a job of it was sent again by `proxima retry`;
    ``sums``: of a batch at rest, see `sums`; and for its events ``open`` (how many jobs wait or
    run), ``started`` and ``told`` (the event of its end).
    """
    return f"proxima:batch:{batch_id}"


def job(job_id: str) -> str:
    """Hash: ``job`` (the Job), ``priority``, ``tag``, and what `lease` keeps.

    That is: state, attempt, owner, until (milliseconds, the server's clock), outcome, cancel,
    published, lost and lost_to; and of failures after which the job was tried again: failures
    and returned (how many), failed_on, problem (the last) and declines. And of when: ended; and
    of each attempt start:N and end:N, see `attempts`; and for its events sharers (the batches
    that share it) and told (the event of its end).
    """
    return f"proxima:job:{job_id}"


def output(path: str) -> str:
    """String: the job that was last sent to make this output, and a digest of what it makes."""
    digest = hashlib.sha256(path.encode(errors="surrogateescape")).hexdigest()
    return f"proxima:output:{digest}"


def job_id(batch_id: str, number: int) -> str:
    """The id of a batch's job, numbered from 1; Celery's task id too."""
    return f"{batch_id}-{number:05}"
