"""Reading the stream of events from any place in it, without a trace on the broker."""

import logging
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from proxima.broker import keys
from proxima.broker.event_entry import read_event
from proxima.errors import EventInvalid, UsageError
from proxima.event import Event

if TYPE_CHECKING:
    from redis import Redis

#: Events in one answer, and seconds that one may wait for the next event.
CHUNK = 500
WAIT_SECONDS = 2.0

_ID = re.compile(r"\d{1,19}(-\d{1,19})?")
_AGO = re.compile(r"(\d{1,9})([smhd])")
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}

log = logging.getLogger(__name__)


def place_of(client: "Redis", since: str | None) -> str:
    """The id after which reading begins: that of *since*, or of the last event if it is None.

    *since* is an id, or how long ago: ``90s``, ``15m``, ``2h``, ``1d``. UsageError if it is
    neither.
    """
    if since is None:
        return last_id(client)
    if ago := _AGO.fullmatch(since.strip()):
        now: Any = client.time()
        milliseconds = (now[0] - int(ago[1]) * _SECONDS[ago[2]]) * 1000
        return f"{max(milliseconds, 0)}-0"
    if _ID.fullmatch(since.strip()):
        event_id = since.strip()
        return event_id if "-" in event_id else f"{event_id}-0"
    raise UsageError(f"{since!r} is no place in the events (write an id, or 90s, 15m, 2h, 1d)")


def last_id(client: "Redis") -> str:
    """Id of the last event there was; ``0-0`` if there was none."""
    if not client.exists(keys.EVENTS):
        return "0-0"
    info: Any = client.xinfo_stream(keys.EVENTS)
    return str(info["last-generated-id"].decode())


def read_on(client: "Redis", after: str, wait: float = WAIT_SECONDS) -> Iterator[tuple[str, Event]]:
    """Yield the next events with their ids; nothing if none comes in *wait* seconds."""
    for event_id, fields in entries(client, after, wait):
        try:
            yield event_id, read_event(event_id, fields)
        except EventInvalid as error:
            log.warning("passed over: %s", error)


def gap_after(client: "Redis", event_id: str) -> bool:
    """Whether events that came after that one were trimmed away unread."""
    trimmed: Any = client.get(keys.EVENTS_TRIMMED)
    return bool(trimmed) and event_id != "0-0" and _order(trimmed.decode()) > _order(event_id)


def _order(event_id: str) -> tuple[int, int]:
    milliseconds, _, number = event_id.partition("-")
    return int(milliseconds), int(number or 0)


def entries(
    client: "Redis", after: str, wait: float = WAIT_SECONDS
) -> list[tuple[str, dict[bytes, bytes]]]:
    """The next entries with their ids, whatever they hold; none if none comes in *wait* seconds."""
    answer: Any = client.xread({keys.EVENTS: after}, count=CHUNK, block=int(wait * 1000))
    found = answer[0][1] if answer else []
    return [(event_id.decode(), fields) for event_id, fields in found]
