"""Backlog: every job of a farm that has not ended, in few round trips however many wait."""

import json
from collections import Counter, defaultdict
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec

from proxima.broker import keys
from proxima.broker.results import read_meta
from proxima.job import JobState
from proxima.progress import Reading

if TYPE_CHECKING:
    from celery import Celery
    from redis import Redis


class LeasedJob(msgspec.Struct, frozen=True, kw_only=True):
    """A job that a worker has, or that has just ended."""

    id: str
    state: JobState
    #: ``<uuid>@<host>``.
    worker: str
    #: None until its worker has reported.
    reading: Reading | None = None

    @property
    def batch(self) -> str:
        """Id of its batch."""
        return batch_of(self.id)


# Without slots or msgspec: cached_property keeps its value in the instance.
class Backlog:
    """The jobs that have not ended, at one moment."""

    def __init__(
        self,
        waiting: list[str],
        delayed: Mapping[str, float],
        leased: tuple[LeasedJob, ...],
        paused: frozenset[str] = frozenset(),
    ) -> None:
        #: Ids of the jobs that wait for a worker, those that wait longest first.
        self.waiting = waiting
        #: Those that are to be sent later: in how many seconds.
        self.delayed = delayed
        self.leased = leased
        #: The batches that start no jobs just now.
        self.paused = paused

    @cached_property
    def numbers(self) -> dict[str, list[int]]:
        """Of each batch the numbers of its jobs that wait or will be tried again, in order."""
        found: dict[str, list[int]] = defaultdict(list)
        for job_id in (*self.waiting, *self.delayed):
            batch_id, _, number = job_id.rpartition("-")
            found[batch_id].append(int(number))
        return dict(found)

    def groups(self) -> list[tuple[str, float, list[int]]]:
        """Numbers of jobs that will be taken: of which batch, in how many seconds at the earliest.

        Those that wait first, those of paused batches not at all.
        """
        found: dict[tuple[str, float], list[int]] = defaultdict(list)
        later = sorted(self.delayed.items(), key=lambda item: item[1])
        for job_id, after in (*((job_id, 0.0) for job_id in self.waiting), *later):
            batch_id, _, number = job_id.rpartition("-")
            found[batch_id, max(after, 0.0)].append(int(number))
        groups = ((*key, numbers) for key, numbers in found.items())
        return [group for group in groups if group[0] not in self.paused]

    @property
    def running(self) -> tuple[LeasedJob, ...]:
        """The jobs that workers have."""
        return tuple(job for job in self.leased if job.state is JobState.ENCODING)

    def mark(self, batch_id: str, *, of_all: bool = False) -> tuple[object, ...]:
        """Equal at two moments between which no job of a batch, or *of_all*, changed its state."""
        if of_all:
            return len(self.waiting), tuple(self.delayed), _states(self.leased)
        own = tuple(job for job in self.leased if job.batch == batch_id)
        return tuple(self.numbers.get(batch_id, ())), _states(own)

    def is_at_rest(self, batch_id: str) -> bool:
        """Whether no job of a batch waits or runs, and none has an end that may be taken back."""
        return batch_id not in self.numbers and all(job.batch != batch_id for job in self.leased)

    def waiting_by(self, priority_of: Mapping[str, int]) -> Counter[int]:
        """How many jobs wait for a worker at each priority; *priority_of* batches."""
        of_batch = Counter(map(batch_of, self.waiting))
        counts: Counter[int] = Counter()
        for batch_id, count in of_batch.items():
            counts[priority_of.get(batch_id, 5)] += count
        return counts


def look(client: "Redis", celery: "Celery") -> Backlog:
    """Ask the broker."""
    pipe = client.pipeline(transaction=False)
    pipe.zrange(keys.WAITING, 0, -1)
    pipe.zrange(keys.DELAYED, 0, -1, withscores=True)
    pipe.zrange(keys.LEASED, 0, -1)
    pipe.hkeys(keys.PAUSED)
    pipe.time()
    waiting, delayed, leased, paused, now = pipe.execute()
    return Backlog(
        [job_id for raw in waiting if is_job_id(job_id := raw.decode())],
        {job_id: at / 1000 - now[0] for raw, at in delayed if is_job_id(job_id := raw.decode())},
        _leased(client, celery, [raw.decode() for raw in leased]),
        frozenset(raw.decode() for raw in paused),
    )


def _leased(client: "Redis", celery: "Celery", job_ids: list[str]) -> tuple[LeasedJob, ...]:
    pipe = client.pipeline(transaction=False)
    for job_id in job_ids:
        pipe.hmget(keys.job(job_id), "state", "owner")
    for job_id in job_ids:
        pipe.get(celery.backend.get_key_for_task(job_id))
    answers: list[Any] = pipe.execute()
    records, metas = answers[: len(job_ids)], answers[len(job_ids) :]
    return tuple(
        LeasedJob(
            id=job_id,
            state=JobState(state.decode()),
            worker=(owner or b"").decode(),
            reading=read_meta(job_id, json.loads(meta)).reading if meta else None,
        )
        for job_id, (state, owner), meta in zip(job_ids, records, metas, strict=True)
        if state and is_job_id(job_id)
    )


def batch_of(job_id: str) -> str:
    """The batch of a job's id."""
    return job_id.rpartition("-")[0]


def is_job_id(job_id: str) -> bool:
    """Whether it has the form of `keys.job_id`."""
    batch_id, _, number = job_id.rpartition("-")
    return bool(batch_id) and number.isdecimal()


def _states(jobs: tuple[LeasedJob, ...]) -> tuple[tuple[str, JobState], ...]:
    return tuple((job.id, job.state) for job in jobs)
