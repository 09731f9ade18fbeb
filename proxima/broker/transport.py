"""Kombu's Redis transport, made proof against messages that it cannot read.

Such a message (``LPUSH proxima "not json"``) ends Kombu's loop, and with it the worker process.
Here it is set aside, counted, and logged. And made proof against lost acknowledgements.
"""

import base64
import json
import logging
from typing import Any

import redis
from kombu.transport import redis as kombu_redis
from kombu.transport import virtual

from proxima.broker import keys

#: Messages set aside that are kept, and how much of each: enough to see who sent them.
_KEPT, _KEPT_BYTES = 100, 4096

log = logging.getLogger(__name__)


class _Reader(redis.Redis):
    """Passes on what BRPOP gives, unless Kombu could not read it."""

    def parse_response(self, connection: Any, command_name: Any, **options: Any) -> Any:
        """The answer of the server; None, as if nothing had come, for an unreadable message."""
        answer: Any = super().parse_response(connection, command_name, **options)  # type: ignore[no-untyped-call]
        if command_name == "BRPOP" and answer and not is_readable(answer[1]):
            self._set_aside(answer[1])
            return None
        return answer

    def _set_aside(self, item: bytes) -> None:
        log.error("a message that makes no sense was set aside: %r", item[:80])
        pipe = redis.Redis(connection_pool=self.connection_pool).pipeline()
        pipe.lpush(keys.GARBAGE, item[:_KEPT_BYTES])
        pipe.ltrim(keys.GARBAGE, 0, _KEPT - 1)
        pipe.incr(keys.GARBAGE_COUNT)
        pipe.execute()


class _QoS(kombu_redis.QoS):
    """Never waits for ever for a message whose acknowledgement was lost.

    Kombu would count that message as still in work, and a worker with one slot would never ask for
    another. The broker keeps it as not acknowledged and delivers it again a day later: by then its
    job has ended.
    """

    def ack(self, delivery_tag: str) -> None:
        """Acknowledge; the error of redis-py if the broker is away."""
        try:
            super().ack(delivery_tag)  # type: ignore[no-untyped-call]
        except redis.RedisError:
            virtual.QoS.ack(self, delivery_tag)  # type: ignore[no-untyped-call]
            raise

    def reject(self, delivery_tag: str, requeue: bool = False) -> None:
        """Give it back to the queue; the sweep sends its job again if the broker is away."""
        try:
            super().reject(delivery_tag, requeue=requeue)  # type: ignore[no-untyped-call]
        except redis.RedisError:
            virtual.QoS.ack(self, delivery_tag)  # type: ignore[no-untyped-call]
            raise


class _Channel(kombu_redis.Channel):
    QoS = _QoS

    def _get_client(self) -> type[redis.Redis]:
        super()._get_client()  # type: ignore[no-untyped-call]
        return _Reader


class Transport(kombu_redis.Transport):
    """For Celery's setting ``broker_transport``."""

    Channel = _Channel


def is_readable(item: bytes) -> bool:
    """Whether Kombu and Celery can read *item* as a message, whatever the task makes of it."""
    try:
        message = json.loads(item)
        properties = message["properties"]
        if properties.get("body_encoding") == "base64":
            base64.b64decode(message["body"], validate=True)
        return (
            isinstance(message["body"], str)
            and isinstance(message["headers"], dict)
            and isinstance(properties["delivery_tag"], str)
            and isinstance(properties["delivery_info"]["exchange"], str)
            and isinstance(properties["delivery_info"]["routing_key"], str)
        )
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return False
