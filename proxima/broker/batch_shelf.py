"""BatchShelf: batches without their jobs; what is long of them is read once."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from proxima.batch import Batch
from proxima.broker import keys, wire
from proxima.broker.loads import Loads
from proxima.errors import JobFailed

if TYPE_CHECKING:
    from redis import Redis


class ShelvedBatch(msgspec.Struct, frozen=True, kw_only=True):
    """A batch without its jobs."""

    batch: Batch
    #: How many jobs it has, those that another batch had sent before too.
    count: int
    #: Id of each job that another batch had sent before.
    shared: tuple[str, ...] = ()
    loads: Loads = Loads()
    #: When it was sent, in seconds since the epoch by the server's clock.
    sent: float = 0.0


class BatchShelf:
    """Remembers the batches that it was asked for last."""

    def __init__(self, client: "Redis") -> None:
        self._client = client
        self._shelf: dict[str, ShelvedBatch] = {}

    def __call__(self, batch_ids: Iterable[str]) -> dict[str, ShelvedBatch]:
        """Those of *batch_ids* that the farm knows; the others of earlier calls are forgotten."""
        wanted = list(dict.fromkeys(batch_ids))
        pipe = self._client.pipeline(transaction=False)
        for batch_id in wanted:
            # Of a batch that is known only what can change: its priority.
            rest = () if batch_id in self._shelf else ("jobs", "shared", "loads", "sent")
            pipe.hmget(keys.batch(batch_id), "record", *rest)
        answers = zip(wanted, pipe.execute(), strict=True)
        found = {batch_id: self._shelved(batch_id, fields) for batch_id, fields in answers}
        self._shelf = {batch_id: batch for batch_id, batch in found.items() if batch}
        return self._shelf

    def _shelved(self, batch_id: str, fields: list[bytes | None]) -> ShelvedBatch | None:
        known = self._shelf.get(batch_id)
        if known is None:
            return _shelved(fields)
        (record,) = fields
        if not record:
            return None
        return msgspec.structs.replace(known, batch=wire.decode(record, Batch))


def _shelved(fields: list[bytes | None]) -> ShelvedBatch | None:
    """The batch in these fields; None of one that is being saved, or is of another version."""
    record, count, shared, loads, sent = fields
    if not record or not count:
        return None
    try:
        batch = wire.decode(record, Batch)
        return ShelvedBatch(
            batch=batch,
            count=int(count),
            shared=tuple(msgspec.json.decode(shared or b"{}", type=dict[str, str]).values()),
            loads=msgspec.json.decode(loads, type=Loads) if loads else Loads(),
            sent=int(sent) / 1000 if sent else batch.created,
        )
    except (JobFailed, msgspec.MsgspecError):
        return None
