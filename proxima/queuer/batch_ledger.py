"""BatchLedger: sums over batches as lines, added up anew only where something changed."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from proxima.broker import keys, sums
from proxima.broker.backlog import Backlog, LeasedJob
from proxima.broker.batch_shelf import ShelvedBatch
from proxima.broker.loads import Loads
from proxima.broker.sums import Sums
from proxima.job import JobState
from proxima.queuer.farm_standing import BatchLine
from proxima.queuer.outlook import Prospect

if TYPE_CHECKING:
    from redis import Redis


class BatchLedger:
    """Remembers the sums of the batches that it was asked for last."""

    def __init__(self, client: "Redis") -> None:
        self._client = client
        #: By batch: what must not have changed, and the sums.
        self._known: dict[str, tuple[object, Sums]] = {}

    def lines(self, batch_ids: Iterable[str], prospect: Prospect) -> tuple[BatchLine, ...]:
        """A line for each of *batch_ids* that *prospect* knows."""
        shown = [batch_id for batch_id in batch_ids if batch_id in prospect.batches]
        shelved = {batch_id: prospect.batches[batch_id] for batch_id in shown}
        found = self._sums(shelved, prospect.backlog)
        running: dict[str, list[LeasedJob]] = {}
        for job in prospect.backlog.running:
            running.setdefault(job.batch, []).append(job)
        return tuple(
            replace(
                line(shelved[batch_id], found[batch_id], running.get(batch_id, ())),
                eta_seconds=prospect.ready_in(batch_id),
                is_paused=batch_id in prospect.backlog.paused,
                has_worker=prospect.has_worker(batch_id),
            )
            for batch_id in shown
        )

    def _sums(self, batches: Mapping[str, ShelvedBatch], backlog: Backlog) -> dict[str, Sums]:
        marks = self._marks(batches, backlog)
        stale = [one for one, mark in marks.items() if self._known.get(one, (None,))[0] != mark]
        for batch_id, made in zip(stale, sums.make(self._client, stale), strict=True):
            self._known[batch_id] = marks[batch_id], made
            shelved = batches[batch_id]
            if made.is_at_rest and backlog.is_at_rest(batch_id) and not shelved.shared:
                sums.keep(self._client, batch_id, made)
        self._known = {batch_id: self._known[batch_id] for batch_id in batches}
        return {batch_id: known for batch_id, (_, known) in self._known.items()}

    def _marks(self, batches: Mapping[str, ShelvedBatch], backlog: Backlog) -> dict[str, object]:
        """What must not change while the sums of a batch hold; takes over those that were kept."""
        new = [batch_id for batch_id in batches if batch_id not in self._known]
        pipe = self._client.pipeline(transaction=False)
        for batch_id in batches:
            pipe.hget(keys.batch(batch_id), "requeues")
        for batch_id in new:
            pipe.hget(keys.batch(batch_id), "sums")
        answers: list[Any] = pipe.execute()
        requeues = dict(zip(batches, answers, strict=False))
        marks: dict[str, object] = {
            batch_id: (requeues[batch_id], backlog.mark(batch_id, of_all=bool(shelved.shared)))
            for batch_id, shelved in batches.items()
        }
        for batch_id, text in zip(new, answers[len(batches) :], strict=True):
            kept = sums.read_kept(text, requeues[batch_id])
            if kept and backlog.is_at_rest(batch_id):
                self._known[batch_id] = marks[batch_id], kept
        return marks


def line(shelved: ShelvedBatch, made: Sums, running: Iterable[LeasedJob]) -> BatchLine:
    """How a batch stands."""
    weights = _weights(shelved.loads)
    done = made.weight(weights, JobState.DONE)
    for job in running:
        number = int(job.id.rpartition("-")[2])
        if job.reading and 0 < number <= len(weights):
            done += weights[number - 1] * min((job.reading.percent or 0.0) / 100, 0.999)
    return BatchLine(
        batch=shelved.batch,
        counts=made.counts,
        sent=shelved.sent,
        media=sum(weights),
        media_done=done,
        media_lost=made.weight(weights, JobState.FAILED, JobState.CANCELLED),
        ended=made.ended,
        output_bytes=made.output_bytes,
        hosts=made.hosts,
    )


def _weights(loads: Loads) -> list[float]:
    """Seconds of media of each job; of one of unknown length those of the average one."""
    known = [seconds for seconds in loads.seconds if seconds]
    usual = sum(known) / len(known) if known else 1.0
    return [seconds or usual for seconds in loads.seconds]
