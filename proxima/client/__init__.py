"""The door for Python programs: send batches, watch them, look at the farm.

::

    from proxima import client

    batch = client.queue(["A001/"], preset="prores-proxy")
    for standing in client.watch(batch.id):
        print(f"{standing.fraction:.0%}")
    for event in client.events(types=["job.failed"]):
        print(event.source, event.message)

Every error is a `proxima.errors.ProximaError`, whose text is fit for people.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from proxima.batch import Batch
from proxima.client.door import Client, Source, Verify, connect
from proxima.config.schema import IfExists
from proxima.event import Event, EventPattern

if TYPE_CHECKING:
    from proxima.queuer.standing import BatchStanding

__all__ = ["Batch", "Client", "Event", "Source", "connect", "events", "queue", "watch"]


def queue(  # noqa: PLR0913 - the options of `proxima queue`
    sources: Sequence[Source],
    *,
    preset: str | None = None,
    output: Source | None = None,
    layout: str | None = None,
    name: str | None = None,
    priority: int | None = None,
    if_exists: IfExists | None = None,
    keep_going: bool = False,
    allow_damaged: bool = False,
    rate: str | None = None,
    verify: Verify | None = None,
    start_at: float | None = None,
    tag: str = "",
    broker: str | None = None,
    config: Source | None = None,
) -> Batch:
    """Send *sources* to the farm, as `proxima queue --detach` does; the batch that was sent.

    Without jobs if there was nothing to do; see its `settled`. PlanRefused if some sources cannot
    be sent, unless *keep_going* leaves those out.
    """
    found = connect(broker=broker, config=config, preset=preset, output=output, layout=layout)
    return found.queue(
        sources,
        name=name,
        priority=priority,
        if_exists=if_exists,
        keep_going=keep_going,
        allow_damaged=allow_damaged,
        rate=rate,
        verify=verify,
        start_at=start_at,
        tag=tag,
    )


def events(
    since: str | None = None,
    *,
    batch: str | None = None,
    types: Sequence[EventPattern] = (),
    broker: str | None = None,
    config: Source | None = None,
) -> Iterator[Event]:
    """Every event as it comes, from now on or after *since*: an id, or ``15m`` ago; no end.

    Of one *batch* and its jobs; of some *types*, such as ``job.failed`` or ``batch.*``.
    """
    return connect(broker=broker, config=config).events(since, batch=batch, types=types)


def watch(
    batch_id: str | None = None, *, broker: str | None = None, config: Source | None = None
) -> Iterator["BatchStanding"]:
    """How a batch stands, four times a second until it is finished; without id the newest."""
    return connect(broker=broker, config=config).watch(batch_id)
