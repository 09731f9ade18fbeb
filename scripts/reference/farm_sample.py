"""A made-up farm with one batch, as `--json` of status, batches and show tells it."""

from collections import Counter
from typing import Any

from proxima.broker.attempts import Attempt, AttemptEnd, JobRecord
from proxima.broker.health import BrokerHealth
from proxima.broker.roster import WorkerInfo
from proxima.cli.farm_fields import of_batch, of_farm
from proxima.cli.record_fields import of_batch_record, of_job_record
from proxima.job import JobState
from proxima.queuer.batch_record import BatchRecord
from proxima.queuer.farm_standing import BatchLine, FarmStanding, WorkerJob, WorkerLine
from reference.json_sample import NOON, WORKER, job_standing, sample_batch

STATES = (JobState.DONE, JobState.FAILED, JobState.ENCODING)


def objects() -> dict[str, dict[str, Any]]:
    """What each command writes, by its command line."""
    jobs = tuple(job_standing(number, state) for number, state in enumerate(STATES, 1))
    batch = sample_batch(tuple(standing.job for standing in jobs))
    line = BatchLine(
        batch=batch,
        counts=Counter(STATES),
        sent=NOON,
        media=60.0,
        media_done=28.3,
        media_lost=20.0,
        output_bytes=48_217_344,
        hosts={"edit-07": 2},
        eta_seconds=1.6,
    )
    records = tuple(
        JobRecord(
            job=standing.job,
            state=standing.state,
            priority=5,
            ended=NOON + 8 if standing.outcome else None,
            outcome=standing.outcome,
            attempts=(_attempt(standing.state, standing.outcome),),
        )
        for standing in jobs
    )
    record = BatchRecord(line=line, batch=batch, jobs=records)
    return {
        "proxima status --json": of_farm(_farm(line, jobs[2].job, jobs[2].reading), str),
        "proxima batches --json": {"type": "batches", "batches": [of_batch(line, NOON + 10)]},
        "proxima show BATCH --json": of_batch_record(record, NOON + 10, str),
        "proxima show JOB --json": {"type": "job", **of_job_record(records[0], str)},
    }


def _farm(line: BatchLine, job: Any, reading: Any) -> FarmStanding:
    info = WorkerInfo(
        name=WORKER,
        host="edit-07",
        pid=4711,
        version="0.1.0",
        slots=2,
        jobs=(job.id,),
        load=3.1,
        cores=8,
        free_bytes=1_200_000_000_000,
        seen=NOON + 9,
    )
    health = BrokerHealth(
        address="redis://:*****@edit-01:6399/0",
        server="Valkey",
        version="9.1.2",
        has_snapshots=False,
        eviction="noeviction",
        memory_bytes=28_311_552,
        clients=9,
        latency=0.0003,
    )
    return FarmStanding(
        workers=(WorkerLine(info=info, jobs=(WorkerJob(job=job, reading=reading),)),),
        batches=(line,),
        queued=Counter({5: 12}),
        waiting=12,
        health=health,
        now=NOON + 10,
    )


def _attempt(state: JobState, outcome: Any) -> Attempt:
    if outcome is None:
        return Attempt(number=1, worker=WORKER, started=NOON + 5)
    return Attempt(
        number=1,
        worker=WORKER,
        started=NOON + 5,
        ended=NOON + 8,
        how=AttemptEnd(state.value),
        problem=outcome.problem,
        warnings=outcome.warnings,
        output_bytes=outcome.output_bytes,
    )
