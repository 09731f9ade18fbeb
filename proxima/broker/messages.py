"""The messages of Celery's queue, as they lie in Redis: which jobs have one."""

import re
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

from proxima.batch import Batch
from proxima.broker import keys, lua

if TYPE_CHECKING:
    from celery import Celery
    from redis import Redis

#: Messages read in one trip.
_CHUNK = 1000
#: Kombu's hash of messages that a worker has and has not acknowledged, and its index by time.
_UNACKED, _UNACKED_INDEX = "unacked", "unacked_index"
_TASK_ID = re.compile(rb'"id": "([^"]+)"')


class MessageQueue:
    """The lists of one queue."""

    def __init__(self, celery: "Celery", client: "Redis") -> None:
        self._celery = celery
        self._client: Any = client

    def length(self) -> int:
        """How many messages wait."""
        return sum(self._client.llen(name) for name in self._lists)

    def set_aside(self) -> int:
        """How many messages made no sense and were set aside."""
        return int(self._client.get(keys.GARBAGE_COUNT) or 0)

    def job_ids(self) -> set[str]:
        """The jobs whose messages wait."""
        return {job_id for name in self._lists for job_id in self._ids(name)}

    def fetched_since(self, seconds: float) -> set[str]:
        """The jobs whose messages a worker fetched in the last so many seconds."""
        now = self._client.time()[0]
        tags = self._client.zrangebyscore(_UNACKED_INDEX, now - seconds, "+inf")
        texts = self._client.hmget(_UNACKED, tags) if tags else []
        return {job_id for text in texts if text for job_id in _ids_in(text)}

    def move(self, batch: Batch, priority: int) -> int:
        """Let the messages of a batch wait at another priority; how many those were."""
        script = self._client.register_script(lua.script("move"))
        lists = self._lists_of(batch.tag)
        target = 1 + lists.index(self._name(batch.tag, priority))
        return int(script(keys=lists, args=[batch.id, priority, target]))

    @property
    def _lists(self) -> list[str]:
        tags = ["", *(tag.decode() for tag in self._client.smembers(keys.TAGS))]
        return [name for tag in tags for name in self._lists_of(tag)]

    def _lists_of(self, tag: str) -> list[str]:
        return [self._name(tag, step) for step in self._channel.priority_steps]

    def _name(self, tag: str, priority: int) -> str:
        return str(self._channel._q_for_pri(keys.queue(tag), priority))  # noqa: SLF001

    @cached_property
    def _channel(self) -> Any:
        # It only knows how lists are called; no connection is kept.
        with self._celery.connection_for_write() as connection:
            return connection.default_channel

    def _ids(self, name: str) -> Iterator[str]:
        start = 0
        while texts := self._client.lrange(name, start, start + _CHUNK - 1):
            for text in texts:
                yield from _ids_in(text)
            start += _CHUNK


def _ids_in(text: bytes) -> list[str]:
    # Not json.loads: a message may be garbage, and of a good one only the id matters.
    return [found.decode() for found in _TASK_ID.findall(text)]
