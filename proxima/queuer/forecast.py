"""Forecast: when each batch of a farm will be ready, by what its machines have measured. Pure.

The queue is played through: each job, in the order of the queue, goes to the slot that is free
first, and takes there as long as its load at the speed that was measured. A job that runs is
counted with its own speed for the share that is done, with the measured one for the rest, as its
first seconds tell little.
"""

import heapq
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from proxima.broker.loads import Loads
from proxima.broker.speeds import Kind, Measured, Speeds
from proxima.job import Load
from proxima.progress import Reading, Stage

#: Seconds that a job must run before its own speed says anything.
SETTLED_SECONDS = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """A worker as a place to encode: its slots."""

    #: ``<uuid>@<host>``.
    worker: str
    #: As `speeds.machine` says.
    machine: str
    #: Slots that take new jobs; 0 while it is drained or unwell.
    slots: int
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningJob:
    """A job that a worker has."""

    batch: str
    worker: str
    preset: str
    load: Load
    reading: Reading | None


@dataclass(frozen=True, slots=True, kw_only=True)
class QueuedBatch:
    """Jobs of a batch that wait, in order."""

    id: str
    preset: str
    loads: Loads
    numbers: Sequence[int]
    #: Seconds until they may start.
    after: float = 0.0
    #: Only workers with this tag take them; empty: any worker.
    tag: str = ""


class _Slot(NamedTuple):
    """A slot while the queue is played through; that which is free first is the least."""

    free: float
    bench: int
    machine: str
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """All that a forecast follows from."""

    benches: Sequence[Bench]
    running: Sequence[RunningJob]
    #: In the order in which they will be taken.
    queue: Sequence[QueuedBatch]
    measured: Mapping[Kind, Measured]


def forecast(scene: Scene) -> dict[str, float | None]:
    """Seconds until each batch that waits or runs is ready; None where nobody can tell."""
    machines = {bench.worker: bench.machine for bench in scene.benches}
    speeds = Speeds({**_live(scene.running, machines), **scene.measured})
    ready: dict[str, float | None] = {}
    #: Of each worker when its slots are free; never, of a job of which nobody can tell.
    busy: dict[str, list[float]] = {bench.worker: [] for bench in scene.benches}
    for job in scene.running:
        left = left_seconds(job, speeds, machines.get(job.worker, ""))
        ready[job.batch] = _later(ready.get(job.batch, 0.0), left)
        if job.worker in busy:
            busy[job.worker].append(math.inf if left is None else left)
    slots = [
        _Slot(free, number, bench.machine, bench.tags)
        for number, bench in enumerate(scene.benches)
        for free in _free_at(busy[bench.worker], bench.slots)
        if free < math.inf
    ]
    for batch_id, end in _played(scene.queue, slots, speeds):
        ready[batch_id] = _later(ready.get(batch_id, 0.0), end)
    return ready


def left_seconds(job: RunningJob, speeds: Speeds, machine: str) -> float | None:
    """Wall-clock seconds that a running job still takes; None if unknown."""
    load, reading = job.load, job.reading
    if load.amount is None:
        return None
    usual = speeds.of(machine, job.preset, load.size)
    if reading and reading.stage is Stage.SUSPENDED:
        return None
    if reading is None or reading.stage is Stage.LOST:
        return load.amount / usual if usual else None
    share = min(max((reading.percent or 0.0) / 100, 0.0), 1.0)
    own = _own_speed(reading, load)
    if own and usual:
        own = share * own + (1 - share) * usual
    speed = own or usual
    return load.amount * (1 - share) / speed if speed else None


def _own_speed(reading: Reading, load: Load) -> float | None:
    """Amount a second of a running job; None before it has run for a while."""
    speed, done = (
        (reading.fps, float(reading.frame)) if load.size else (reading.speed, reading.position)
    )
    return speed if speed and done / speed >= SETTLED_SECONDS else None


def _live(running: Iterable[RunningJob], machines: Mapping[str, str]) -> dict[Kind, Measured]:
    """What running jobs tell of speeds that the farm has not measured yet."""
    found = {}
    for job in running:
        own = _own_speed(job.reading, job.load) if job.reading else None
        if own and job.worker in machines:
            found[Kind(machines[job.worker], job.preset, job.load.size)] = Measured(own, 1.0)
    return found


def _free_at(busy: Sequence[float], slots: int) -> list[float]:
    """When each slot of a worker is free: those that are idle now, the others as their jobs end."""
    return [*[0.0] * (slots - len(busy)), *sorted(busy)][:slots]


def _played(
    queue: Iterable[QueuedBatch], slots: Sequence[_Slot], speeds: Speeds
) -> Iterator[tuple[str, float | None]]:
    """Yield when each batch of the queue will be ready."""
    is_known = True
    for batch in queue:
        fit = [slot for slot in slots if not batch.tag or batch.tag in slot.tags]
        if not fit or not is_known:
            # Of what no slot may take nobody can tell, but it keeps none from others.
            yield batch.id, None
            continue
        others = [slot for slot in slots if batch.tag and batch.tag not in slot.tags]
        end = _taken(batch, fit, speeds)
        slots = [*fit, *others]
        # What comes after a job of which nobody can tell is as unknown.
        is_known = end is not None
        yield batch.id, end


def _taken(batch: QueuedBatch, slots: list[_Slot], speeds: Speeds) -> float | None:
    """Give each job of a batch to the slot that is free first; when the last of them ends."""
    known = [amount for amount in batch.loads.amounts if amount]
    usual = sum(known) / len(known) if known else None
    end = 0.0
    heapq.heapify(slots)
    for job in batch.numbers:
        size, amount = batch.loads.load(job)
        slot = slots[0]
        speed = speeds.of(slot.machine, batch.preset, size)
        amount = amount or usual
        if not speed or not amount:
            return None
        free = max(slot.free, batch.after) + amount / speed
        heapq.heapreplace(slots, _Slot(free, slot.bench, slot.machine, slot.tags))
        end = max(end, free)
    return end


def _later(one: float | None, other: float | None) -> float | None:
    """The later of two times; None if one of them is unknown."""
    return None if one is None or other is None else max(one, other)
