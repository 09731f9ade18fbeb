"""FarmWatch: asks the broker how a farm stands, again and again."""

import time
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from proxima.broker import batches, keys, wire
from proxima.broker.address import BrokerAddress
from proxima.broker.backlog import LeasedJob
from proxima.broker.connection import check
from proxima.broker.health import BrokerHealth
from proxima.broker.messages import MessageQueue
from proxima.broker.trouble import translated
from proxima.errors import JobFailed
from proxima.job import Job
from proxima.queuer.batch_ledger import BatchLedger
from proxima.queuer.farm_standing import FarmStanding, WorkerJob, WorkerLine
from proxima.queuer.outlook import Outlook, Prospect, as_seen

if TYPE_CHECKING:
    from celery import Celery
    from redis import Redis

#: Batches that a standing tells of: the newest, and all that have not ended.
RECENT = 20
#: Seconds between two looks of a watch.
TICK_SECONDS = 1.0
#: Seconds between two looks at the health of the broker.
HEALTH_SECONDS = 10.0


class FarmWatch:
    """One view of one farm; any number may look at the same."""

    def __init__(self, client: "Redis", celery: "Celery", address: BrokerAddress) -> None:
        self._client, self._address = client, address
        self._outlook = Outlook(client, celery)
        self._ledger = BatchLedger(client)
        self._messages = MessageQueue(celery, client)
        #: The jobs that run, by id.
        self._jobs: dict[str, Job] = {}
        self._health: BrokerHealth | None = None
        self._health_due = 0.0

    def look(self) -> FarmStanding:
        """How the farm stands now; BrokerError while the broker is away."""
        with translated(self._address):
            return self._look()

    def _look(self) -> FarmStanding:
        recent = batches.recent_ids(self._client, RECENT)
        prospect = self._outlook.look(recent)
        older = sorted(prospect.batches.keys() - {*recent})
        return FarmStanding(
            workers=self._workers(prospect),
            batches=self._ledger.lines([*recent, *older], prospect),
            queued=prospect.backlog.waiting_by(
                {one: shelved.batch.priority for one, shelved in prospect.batches.items()}
            ),
            delayed=len(prospect.backlog.delayed),
            waiting=self._messages.length(),
            set_aside=self._messages.set_aside(),
            health=self._look_at_broker(),
            now=time.time(),
        )

    def _workers(self, prospect: Prospect) -> tuple[WorkerLine, ...]:
        running = prospect.backlog.running
        self._jobs = self._read_jobs([job.id for job in running])
        alive = {worker.name for worker in prospect.workers}
        of_worker: dict[str, list[LeasedJob]] = defaultdict(list)
        for job in sorted(running, key=_slot):
            of_worker[job.worker].append(job)
        return tuple(
            WorkerLine(
                info=info,
                jobs=tuple(
                    WorkerJob(job=self._jobs[job.id], reading=as_seen(job, alive))
                    for job in of_worker[info.name]
                    if job.id in self._jobs
                ),
            )
            for info in prospect.workers
        )

    def _read_jobs(self, job_ids: list[str]) -> dict[str, Job]:
        known = {job_id: self._jobs[job_id] for job_id in job_ids if job_id in self._jobs}
        new = [job_id for job_id in job_ids if job_id not in known]
        pipe = self._client.pipeline(transaction=False)
        for job_id in new:
            pipe.hget(keys.job(job_id), "job")
        for job_id, text in zip(new, pipe.execute(), strict=True):
            if job := _job(text):
                known[job_id] = job
        return known

    def _look_at_broker(self) -> BrokerHealth | None:
        if time.monotonic() >= self._health_due:
            self._health = check(self._address)
            self._health_due = time.monotonic() + HEALTH_SECONDS
        return self._health


def _slot(job: LeasedJob) -> tuple[int, str]:
    return (job.reading.slot if job.reading else -1, job.id)


def _job(text: Any) -> Job | None:
    try:
        return wire.decode(text, Job) if text else None
    except JobFailed:
        return None
