"""LogRequest: asking a worker for ffmpeg's log of an attempt, through the broker.

A request names a job and an attempt, never a path: which file that is only the worker knows. Both
the request and the answer vanish by themselves.
"""

import secrets
import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from proxima.broker import keys, wire
from proxima.errors import JobFailed

if TYPE_CHECKING:
    from redis import Redis

#: Seconds until somebody who asked gives up (less than a connection may be silent), and until a
#: request or an answer vanishes.
ANSWER_SECONDS = 8.0
_KEEP_SECONDS = 60
#: Bytes of a log that an answer holds at most: its end.
MOST_BYTES = 256 * 1024
#: Requests that wait at one worker.
_MOST_REQUESTS = 100


class LogRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a worker is asked for; it trusts none of it."""

    job_id: str
    #: From 1.
    attempt: int
    #: 32 hexadecimal digits: where the answer is awaited.
    token: str


class LogAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What a worker answers."""

    #: The end of the log; None if the worker has none of this attempt, or refuses it.
    text: bytes | None = None
    #: Bytes of the whole log.
    size: int = 0


def ask(
    client: "Redis",
    workers: Iterable[str],
    job_id: str,
    attempt: int,
    *,
    seconds: float = ANSWER_SECONDS,
) -> LogAnswer | None:
    """The log as the first of *workers* has it; None if none has, or answers in time."""
    token = secrets.token_hex(16)
    request = wire.encode(LogRequest(job_id=job_id, attempt=attempt, token=token))
    pipe = client.pipeline()
    asked = list(workers)
    for worker in asked:
        key = keys.LOGS_ASKED + worker
        pipe.lpush(key, request)
        pipe.ltrim(key, 0, _MOST_REQUESTS - 1)
        pipe.expire(key, _KEEP_SECONDS)
    pipe.execute()
    answers = _answers(client, keys.LOG_ANSWER + token, len(asked), seconds)
    return next((answer for answer in answers if answer.text is not None), None)


def requests(client: "Redis", worker: str) -> Iterator[LogRequest]:
    """Take what *worker* is asked for; what makes no sense is passed over."""
    while text := client.rpop(keys.LOGS_ASKED + worker):
        try:
            yield wire.decode(text, LogRequest)  # type: ignore[arg-type]
        except JobFailed:
            continue


def answer(client: "Redis", token: str, given: LogAnswer) -> None:
    """Give an answer to whoever waits for it."""
    key = keys.LOG_ANSWER + token
    pipe = client.pipeline()
    pipe.lpush(key, wire.encode(given))
    pipe.expire(key, _KEEP_SECONDS)
    pipe.execute()


def _answers(client: "Redis", key: str, count: int, seconds: float) -> Iterator[LogAnswer]:
    deadline = time.monotonic() + seconds
    for _ in range(count):
        left = deadline - time.monotonic()
        found: Any = client.blpop([key], timeout=left) if left > 0 else None
        if found is None:
            return
        yield wire.decode(found[1], LogAnswer)
