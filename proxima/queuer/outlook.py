"""Outlook: what the broker is asked for a forecast, and the forecast."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from proxima.broker import backlog, keys, roster
from proxima.broker.backlog import Backlog, LeasedJob, batch_of
from proxima.broker.batch_shelf import BatchShelf, ShelvedBatch
from proxima.broker.loads import Loads
from proxima.broker.roster import WorkerInfo
from proxima.broker.speeds import machine, read_measured
from proxima.progress import Reading
from proxima.queuer.forecast import Bench, QueuedBatch, RunningJob, Scene, forecast

if TYPE_CHECKING:
    from celery import Celery
    from redis import Redis


@dataclass(frozen=True, slots=True, kw_only=True)
class Prospect:
    """A farm and its backlog at one moment, and how it will go on."""

    workers: tuple[WorkerInfo, ...]
    backlog: Backlog
    #: The batches of the backlog and those that were asked for.
    batches: dict[str, ShelvedBatch]
    #: Seconds until each batch of the backlog is ready; None where nobody can tell.
    ready: dict[str, float | None]

    def has_worker(self, batch_id: str) -> bool:
        """Whether a live worker may take the jobs of a batch."""
        tag = self.batches[batch_id].batch.tag
        return any(not tag or tag in worker.tags for worker in self.workers)

    def ready_in(self, batch_id: str) -> float | None:
        """Seconds until a batch is ready, with the jobs that another had sent before."""
        shelved = self.batches.get(batch_id)
        others = shelved.shared if shelved else ()
        concerned = {batch_id, *map(batch_of, others)} & self.ready.keys()
        times = [self.ready[one] for one in concerned]
        known = [seconds for seconds in times if seconds is not None]
        return max(known) if known and len(known) == len(times) else None


class Outlook:
    """Looks at one farm again and again."""

    def __init__(self, client: "Redis", celery: "Celery") -> None:
        self._client, self._celery = client, celery
        self._shelf = BatchShelf(client)

    def look(self, batch_ids: Iterable[str] = ()) -> Prospect:
        """How the farm stands; with the batches *batch_ids*, besides those of the backlog."""
        found = backlog.look(self._client, self._celery)
        workers = tuple(sorted(roster.alive(self._client), key=lambda worker: worker.name))
        open_ids = {*found.numbers, *(job.batch for job in found.leased)}
        batches = self._shelf([*batch_ids, *sorted(open_ids)])
        measured: Any = self._client.hgetall(keys.SPEEDS)
        scene = Scene(
            benches=[_bench(worker) for worker in workers],
            running=list(_running(found, batches, {worker.name for worker in workers})),
            queue=_queue(found, batches),
            measured=read_measured(measured),
        )
        # What runs of a paused batch may end, but the rest waits for a word.
        ready = forecast(scene) | dict.fromkeys(found.paused & found.numbers.keys())
        return Prospect(workers=workers, backlog=found, batches=batches, ready=ready)


def _bench(worker: WorkerInfo) -> Bench:
    takes_jobs = not worker.draining and not worker.unwell
    return Bench(
        worker=worker.name,
        machine=machine(worker.host, worker.slots),
        slots=worker.slots if takes_jobs else 0,
        tags=worker.tags,
    )


def _running(
    found: Backlog, batches: dict[str, ShelvedBatch], alive: set[str]
) -> Iterator[RunningJob]:
    for job in found.running:
        shelved = batches.get(job.batch)
        loads = shelved.loads if shelved else Loads()
        yield RunningJob(
            batch=job.batch,
            worker=job.worker,
            preset=shelved.batch.preset.name if shelved else "",
            load=loads.load(int(job.id.rpartition("-")[2])),
            reading=as_seen(job, alive),
        )


def as_seen(job: LeasedJob, alive: set[str]) -> Reading | None:
    """Its reading; without figures if its worker is gone."""
    if job.reading is None or job.worker in alive:
        return job.reading
    return job.reading.lost()


def _queue(found: Backlog, batches: dict[str, ShelvedBatch]) -> list[QueuedBatch]:
    """What waits, by priority, and of one priority what waits longest; then what is due later."""
    groups = [
        (after, batches[batch_id].batch.priority, place, batch_id, numbers)
        for place, (batch_id, after, numbers) in enumerate(found.groups())
        if batch_id in batches
    ]
    return [
        QueuedBatch(
            id=batch_id,
            preset=batches[batch_id].batch.preset.name,
            loads=batches[batch_id].loads,
            numbers=numbers,
            after=after,
            tag=batches[batch_id].batch.tag,
        )
        for after, _, _, batch_id, numbers in sorted(groups)
    ]
