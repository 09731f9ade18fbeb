"""FarmStanding: who works on the farm, on what, and what waits."""

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from proxima.batch import Batch
from proxima.broker import batches, roster
from proxima.broker.messages import MessageQueue
from proxima.broker.roster import WorkerInfo
from proxima.job import JobState

if TYPE_CHECKING:
    from celery import Celery
    from redis import Redis

#: Batches that a standing tells of: the newest.
RECENT = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class FarmStanding:
    """How a farm stands at one moment."""

    workers: tuple[WorkerInfo, ...]
    #: The newest first, each with its jobs counted by state.
    batches: tuple[tuple[Batch, Counter[JobState]], ...]
    #: Messages that wait for a worker.
    waiting: int
    #: Messages that made no sense and were set aside.
    set_aside: int

    @property
    def slots(self) -> int:
        """Encodes that the workers can run at once."""
        return sum(worker.slots for worker in self.workers)


def look_at_farm(client: "Redis", celery: "Celery") -> FarmStanding:
    """Ask the broker."""
    messages = MessageQueue(celery, client)
    recent = batches.recent(client, RECENT)
    return FarmStanding(
        workers=tuple(sorted(roster.alive(client), key=lambda worker: worker.name)),
        batches=tuple((batch, batches.states(client, batch.id)) for batch in recent),
        waiting=messages.length(),
        set_aside=messages.set_aside(),
    )
