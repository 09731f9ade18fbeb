"""The roster: which workers are alive, and what they are."""

from enum import StrEnum
from typing import TYPE_CHECKING, Any

import msgspec

from proxima.broker import keys, lua, wire
from proxima.errors import JobFailed, UnknownWorker

if TYPE_CHECKING:
    from redis import Redis

#: A worker that was not heard of for this long counts as gone.
ALIVE_SECONDS = 12.0
#: A worker says that it is alive this often.
BEAT_SECONDS = 2.0


class Order(StrEnum):
    """What a worker can be told; none of them lets it take a new job."""

    DRAIN = "drain"
    PAUSE = "pause"
    #: What runs stands still, too.
    SUSPEND = "suspend"


class Orders(msgspec.Struct, frozen=True, kw_only=True):
    """All that a worker was told."""

    #: None if it is to take jobs.
    order: Order | None = None
    #: How many slots it is to have; None as many as it began with.
    slots: int | None = None


class WorkerInfo(msgspec.Struct, frozen=True, kw_only=True):
    """What a worker says of itself. Fields that a newer version adds are passed over."""

    #: ``<uuid>@<host>``.
    name: str
    host: str
    pid: int
    version: str
    slots: int
    #: Ids of the jobs it works on.
    jobs: tuple[str, ...] = ()
    #: Whether it takes no new jobs.
    draining: bool = False
    #: Whether that is as it was paused.
    paused: bool = False
    #: It takes jobs for these, besides those for any worker.
    tags: tuple[str, ...] = ()
    #: Why it takes no jobs until it is well again; empty while it does.
    unwell: str = ""
    #: Processes that run or wait to, over the last minute; None where the system tells none.
    load: float | None = None
    #: Cores that the worker may use; 0 if it does not say.
    cores: int = 0
    #: Bytes free where its outputs go, on the fullest disk; None while nobody knows.
    free_bytes: int | None = None
    #: Seconds since the epoch, by the broker's clock.
    seen: float = 0.0


def beat(client: "Redis", info: WorkerInfo) -> None:
    """Put a worker on the roster, or keep it there."""
    seen = msgspec.structs.replace(info, seen=_now(client))
    script = client.register_script(lua.script("beat"))
    script(keys=[keys.WORKERS], args=[info.name, wire.encode(seen)])


def leave(client: "Redis", name: str) -> None:
    """Take a worker off the roster."""
    _leave(client, name, "left")


def give(client: "Redis", name: str, order: Order) -> None:
    """Order a worker about; it obeys with its next heartbeat."""
    client.hset(keys.ORDERS, name, order.value)


def take_back(client: "Redis", name: str) -> None:
    """Take the order back."""
    client.hdel(keys.ORDERS, name)


def set_slots(client: "Redis", name: str, slots: int) -> None:
    """Let a worker have so many slots, with its next heartbeat."""
    client.hset(keys.ORDERS, _slots_of(name), str(slots))


def orders_of(client: "Redis", name: str) -> Orders:
    """What a worker was ordered to do."""
    found: Any = client.hmget(keys.ORDERS, [name, _slots_of(name)])
    word, slots = found
    known = {order.value.encode(): order for order in Order}
    return Orders(order=known.get(word), slots=int(slots) if slots else None)


def _slots_of(name: str) -> str:
    return f"{name} slots"


def find(client: "Redis", word: str) -> list[WorkerInfo]:
    """The live workers that *word* means: a name, the beginning of its uuid, or a host.

    UnknownWorker if there is none.
    """
    workers = alive(client)
    found = [w for w in workers if word == w.host or w.name.startswith(word)]
    if not found:
        names = ", ".join(worker.name for worker in workers) or "none"
        raise UnknownWorker(f"no live worker is called {word!r} (alive: {names})")
    return found


def alive(client: "Redis") -> list[WorkerInfo]:
    """The workers that were heard of lately; the others are forgotten."""
    now = _now(client)
    texts: Any = client.hvals(keys.WORKERS)
    found = [(worker, text) for text in texts if (worker := _read(text))]
    gone = {w.name: text for w, text in found if now - w.seen > ALIVE_SECONDS}
    for name, text in gone.items():
        _leave(client, name, "lost", text)
    return [worker for worker, _ in found if worker.name not in gone]


def _leave(client: "Redis", name: str, reason: str, *record: bytes) -> None:
    script = client.register_script(lua.script("leave"))
    script(keys=[keys.WORKERS, keys.ORDERS], args=[name, reason, *record])


def _read(text: bytes) -> WorkerInfo | None:
    try:
        return wire.decode(text, WorkerInfo)
    except JobFailed:
        # A worker of another version: it refuses our jobs by name, so it does not count.
        return None


def _now(client: "Redis") -> float:
    # The broker's clock: those of the machines may differ by minutes.
    answer: Any = client.time()
    seconds, microseconds = answer
    return float(seconds) + float(microseconds) / 1e6
