"""Reading an entry of the stream of events, which scripts/tell.lua writes."""

from collections.abc import Mapping

import msgspec

from proxima.broker import wire
from proxima.errors import EventInvalid
from proxima.event import VERSION, Event


def read_event(event_id: str, fields: Mapping[bytes, bytes]) -> Event:
    """An entry of the stream; EventInvalid if it makes no sense or is of another version."""
    try:
        words = {name.decode(): text.decode() for name, text in fields.items()}
        found: dict[str, object] = {name: wire.unescaped(text) for name, text in words.items()}
        found["batches"] = words.get("batches", "").split()
        found |= {"id": event_id, "time": int(event_id.partition("-")[0]) / 1000}
        event = msgspec.convert(found, Event, strict=False)
    except (msgspec.ValidationError, ValueError) as error:
        raise EventInvalid(f"event {event_id} makes no sense: {error}") from None
    if event.version != VERSION:
        raise EventInvalid(
            f"event {event_id} is of version {event.version}, this Proxima reads {VERSION} "
            "(run the same version of Proxima on all machines)"
        )
    return event
