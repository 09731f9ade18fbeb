"""Standings of a farm, with what a test is about."""

from collections import Counter

from standings import EDIT, GRADE, NOON, make_job

from proxima.batch import Batch
from proxima.broker.health import BrokerHealth
from proxima.broker.roster import WorkerInfo
from proxima.job import Job, JobState
from proxima.preset import Preset
from proxima.progress import Reading, Stage
from proxima.queuer.farm_standing import BatchLine, FarmStanding, WorkerJob, WorkerLine

HEALTH = BrokerHealth(
    address="redis://broker:6399/0",
    server="Valkey",
    version="9.1.2",
    has_aof=True,
    eviction="noeviction",
    latency=0.0003,
    memory_bytes=27 * 2**20,
    clients=14,
)


def reading(percent: float | None = 50.0, **fields: object) -> Reading:
    """A reading of GRADE at 120 frames a second."""
    given = {"worker": GRADE, "slot": 0, "attempt": 1, "stage": Stage.ENCODING, "fps": 120.0}
    return Reading(percent=percent, **{**given, **fields})


def worker(name: str = GRADE, *jobs: WorkerJob, **fields: object) -> WorkerLine:
    """A worker with two slots that encodes *jobs*."""
    given = {
        "name": name,
        "host": name.partition("@")[2],
        "pid": 1,
        "version": "0.1.0",
        "slots": 2,
        "jobs": tuple(job.job.id for job in jobs),
        "load": 3.2,
        "cores": 16,
        "free_bytes": 1_200_000_000_000,
        **fields,
    }
    return WorkerLine(info=WorkerInfo(**given), jobs=jobs)


def encoding(job: Job | None = None, percent: float | None = 50.0, **fields: object) -> WorkerJob:
    """*job* under way."""
    return WorkerJob(job=job or make_job(), reading=reading(percent, **fields))


def line(batch_id: str = "k3m9x2qp", label: str = "Day 12", **fields: object) -> BatchLine:
    """A batch of ten jobs of 100 s, of which four are done."""
    batch = Batch(
        id=batch_id,
        label=label,
        user="ann",
        host="edit",
        created=NOON - 600,
        priority=5,
        preset=Preset(name="prores-proxy"),
    )
    given = {
        "counts": Counter({JobState.DONE: 4, JobState.QUEUED: 5, JobState.ENCODING: 1}),
        "sent": NOON - 600,
        "media": 1000.0,
        "media_done": 450.0,
        "eta_seconds": 725.0,
        **fields,
    }
    return BatchLine(batch=batch, **given)


def finished(batch_id: str = "old9x2qp", **fields: object) -> BatchLine:
    """A batch that was done in five minutes."""
    given = {
        "counts": Counter({JobState.DONE: 10}),
        "media_done": 1000.0,
        "eta_seconds": None,
        "ended": NOON - 300,
        "output_bytes": 5_000_000_000,
        "hosts": {"grade": 10},
        **fields,
    }
    return line(batch_id, **given)


def farm(*batches: BatchLine, workers: tuple[WorkerLine, ...] = (), **fields: object):
    """A healthy farm."""
    given = {"queued": Counter({5: 5}), "health": HEALTH, "now": NOON, **fields}
    return FarmStanding(workers=workers, batches=batches, **given)


def busy_farm() -> FarmStanding:
    """A farm on which everything occurs once."""
    return farm(
        line(),
        line("b2", "B002", eta_seconds=None, counts=Counter({JobState.QUEUED: 3}), media_done=0.0),
        finished(
            counts=Counter({JobState.DONE: 9, JobState.FAILED: 1}),
            media_done=900.0,
            media_lost=100.0,
        ),
        workers=(
            worker(GRADE, encoding(), encoding(make_job(2), 12.0, slot=1)),
            worker(EDIT, draining=True, load=None, free_bytes=80_000_000_000),
            worker(
                "77aa0000-0000-4000-8000-000000000003@render",
                unwell="no room for the output in /mnt/media/A001/Proxy: 0.1 GB free",
            ),
        ),
        queued=Counter({2: 3, 5: 5}),
        delayed=2,
        set_aside=1,
    )
