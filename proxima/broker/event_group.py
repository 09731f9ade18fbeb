"""EventGroup: consumers that share the events, each of which goes to one of them.

The stream's own group keeps who has which event and how often it was delivered; the scripts
decide by it, on the server. An event whose consumer says nothing for a while is another's.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from redis.exceptions import ResponseError

from proxima.broker import keys, lua
from proxima.broker.event_stream import place_of
from proxima.errors import UnknownGroup

if TYPE_CHECKING:
    from redis import Redis

#: Seconds without a word after which a consumer counts as gone; it says one three times as often.
IDLE_SECONDS = 30.0
#: An event that was delivered so often without success is set aside.
MOST_DELIVERIES = 5

_SCRIPTS = ("take", "ack", "fail", "renew", "leave")

Ack = Literal["ours", "ahead", "done", "lost"]
Failure = Literal["again", "dead", "lost"]


class Delivery(msgspec.Struct, frozen=True, kw_only=True):
    """An event that this consumer is to handle."""

    event_id: str
    #: As they stand in the stream.
    fields: dict[bytes, bytes]
    #: From 1: how often the group's consumers got it.
    count: int


class GroupInfo(msgspec.Struct, frozen=True, kw_only=True):
    """How a group stands."""

    name: str
    #: Events that nobody has got yet; None if the server cannot tell.
    lag: int | None
    #: Events that somebody has, or that wait to be tried again.
    pending: int
    #: Of each consumer: its name, how many events it has, seconds since it was heard of.
    consumers: tuple[tuple[str, int, float], ...]
    #: Events that were trimmed away before it had acknowledged them.
    lost: int


class EventGroup:
    """One group, as one of its consumers sees it. Every method is one round trip and atomic."""

    def __init__(
        self, client: "Redis", name: str, consumer: str, idle_seconds: float = IDLE_SECONDS
    ) -> None:
        self._client: Any = client
        self.name, self.consumer, self.idle_seconds = name, consumer, idle_seconds
        self._script = {
            word: client.register_script(lua.script(f"event_{word}")) for word in _SCRIPTS
        }

    def join(self, since: str | None = None) -> None:
        """Make the group unless it is there; it begins at *since*, or now. See `place_of`."""
        self._create(place_of(self._client, since))

    def next(self, wait: float) -> Delivery | None:
        """The next event that nobody has got; None if there is none for *wait* seconds."""
        with self._there():
            answer = self._client.xreadgroup(
                self.name,
                self.consumer,
                {keys.EVENTS: ">"},
                # One at a time: what a busy consumer holds, an idle one cannot have.
                count=1,
                block=max(int(wait * 1000), 1),
            )
            if answer:
                ((event_id, fields),) = answer[0][1]
                return Delivery(event_id=event_id.decode(), fields=fields, count=1)
        return None

    def take(self) -> Delivery | None:
        """An event that is to be tried again now, or whose consumer is gone."""
        with self._there():
            found = self._run("take", int(self.idle_seconds * 1000), MOST_DELIVERIES)
            if found:
                event_id, flat, count = found
                fields = dict(zip(flat[::2], flat[1::2], strict=True))
                return Delivery(event_id=event_id.decode(), fields=fields, count=count)
        return None

    def ack(self, event_id: str) -> Ack:
        """Say that the event was handled; "lost" if another consumer has it now.

        "ahead" if it was ours, and others did less lately: they should go first.
        """
        answer: Ack = self._run_or(b"lost", "ack", event_id).decode()
        return answer

    def fail(
        self, event_id: str, reason: str, *, seconds: float, most: int = MOST_DELIVERIES
    ) -> Failure:
        """Say that it could not be handled: it is tried again in *seconds*, or set aside."""
        args = (event_id, int(seconds * 1000), most, reason)
        answer: Failure = self._run_or(b"lost", "fail", *args).decode()
        return answer

    def renew(self, event_id: str) -> bool:
        """Say that we still work on it; False if another consumer has it now."""
        return bool(self._run_or(0, "renew", event_id))

    def leave(self) -> bool:
        """Forget this consumer, unless events wait for it."""
        return bool(self._run_or(1, "leave"))

    def _run_or(self, gone: Any, word: str, *args: Any) -> Any:
        """The answer of a script; *gone* if the group was."""
        try:
            return self._run(word, *args)
        except ResponseError as error:
            self._make_again(error)
            return gone

    def _run(self, word: str, *args: Any) -> Any:
        given = [self.name, self.consumer, *args]
        return self._script[word](keys=group_keys(self.name), args=given)

    @contextmanager
    def _there(self) -> Iterator[None]:
        """Make the group again if it is gone, with the stream: whatever is in there is new."""
        try:
            yield
        except ResponseError as error:
            self._make_again(error)

    def _make_again(self, error: ResponseError) -> None:
        if not str(error).startswith("NOGROUP"):
            raise error
        self._create("0")

    def _create(self, event_id: str) -> None:
        try:
            self._client.xgroup_create(keys.EVENTS, self.name, id=event_id, mkstream=True)
        except ResponseError as error:
            if not str(error).startswith("BUSYGROUP"):
                raise


def group_keys(group: str) -> list[str]:
    """What the scripts work on."""
    return [keys.EVENTS, keys.EVENTS_DEAD, keys.EVENTS_DUE + group]


def groups(client: "Redis") -> list[GroupInfo]:
    """Every group of the farm, by name."""
    if not client.exists(keys.EVENTS):
        return []
    found: Any = client.xinfo_groups(keys.EVENTS)
    lost: Any = client.hgetall(keys.EVENTS_LOST)
    told = (_info(client, group, int(lost.get(group["name"], 0))) for group in found)
    return sorted(told, key=lambda info: info.name)


def drop_group(client: "Redis", name: str) -> None:
    """Forget a group: no event is kept for it any more. UnknownGroup if there is none."""
    known = [info.name for info in groups(client)]
    if name not in known:
        raise UnknownGroup(f"no group is called {name!r} (there are: {', '.join(known) or 'none'})")
    client.xgroup_destroy(keys.EVENTS, name)
    client.delete(keys.EVENTS_DUE + name)
    client.hdel(keys.EVENTS_LOST, name)


def _info(client: "Redis", group: dict[str, Any], lost: int) -> GroupInfo:
    consumers: Any = client.xinfo_consumers(keys.EVENTS, group["name"])
    return GroupInfo(
        name=group["name"].decode(),
        lag=group.get("lag"),
        pending=group["pending"],
        consumers=tuple((c["name"].decode(), c["pending"], c["idle"] / 1000) for c in consumers),
        lost=lost,
    )
