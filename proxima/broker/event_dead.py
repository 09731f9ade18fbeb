"""Dead letters: events that a group could not handle, set aside with the reason."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import msgspec

from proxima.broker import keys, lua
from proxima.broker.event_entry import read_event
from proxima.broker.event_group import group_keys
from proxima.errors import EventInvalid
from proxima.event import Event

if TYPE_CHECKING:
    from redis import Redis


class DeadLetter(msgspec.Struct, frozen=True, kw_only=True):
    """An event that was set aside."""

    #: `<milliseconds>-<number>`: when it was set aside.
    id: str
    group: str
    event_id: str
    deliveries: int
    reason: str
    #: None if this version cannot read it.
    event: Event | None


def dead_letters(client: "Redis", group: str | None = None) -> list[DeadLetter]:
    """All that were set aside, of one group or of all, the oldest first."""
    entries: Any = client.xrange(keys.EVENTS_DEAD)
    found = [_letter(entry_id.decode(), fields) for entry_id, fields in entries]
    return [letter for letter in found if group in {None, letter.group}]


def retry_letters(client: "Redis", letters: Iterable[DeadLetter]) -> tuple[int, int]:
    """Deliver events again, each to its group: how many, and how many were trimmed away since."""
    script = client.register_script(lua.script("event_revive"))
    living = {info["name"].decode() for info in _groups(client)}
    done = [
        letter.group in living
        and bool(script(keys=group_keys(letter.group), args=_revived(letter)))
        for letter in letters
    ]
    return sum(done), len(done) - sum(done)


def drop_letters(client: "Redis", letters: Iterable[DeadLetter]) -> int:
    """Forget them; how many those were."""
    ids = [letter.id for letter in letters]
    dropped: Any = client.xdel(keys.EVENTS_DEAD, *ids) if ids else 0
    return int(dropped)


def _revived(letter: DeadLetter) -> list[Any]:
    return [letter.id, letter.group, letter.event_id]


def _groups(client: "Redis") -> list[dict[str, Any]]:
    found: Any = client.xinfo_groups(keys.EVENTS) if client.exists(keys.EVENTS) else []
    return list(found)


def _letter(entry_id: str, fields: dict[bytes, bytes]) -> DeadLetter:
    event_id = fields[b"dead_id"].decode()
    event: Event | None
    try:
        event = read_event(event_id, fields)
    except EventInvalid:
        event = None
    return DeadLetter(
        id=entry_id,
        group=fields[b"dead_group"].decode(),
        event_id=event_id,
        deliveries=int(fields[b"dead_deliveries"]),
        reason=fields[b"dead_reason"].decode(errors="replace"),
        event=event,
    )
