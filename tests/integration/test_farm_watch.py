"""How a farm stands, asked of the real server."""

import msgspec
import pytest

from proxima.broker import batches, dispatch, keys, roster, speeds, wire
from proxima.broker.lease import LeaseBook
from proxima.broker.speeds import Kind
from proxima.broker.steering import cancel_jobs, retry_jobs
from proxima.job import JobOutcome, JobState, Load
from proxima.progress import Reading, Stage
from proxima.queuer.farm_watch import FarmWatch

WORKER = "3f2a@edit"
READING = Reading(
    worker=WORKER, slot=0, attempt=1, stage=Stage.ENCODING, percent=50.0, frame=500, fps=50.0
)


@pytest.fixture
def jobs(make_job):
    return tuple(make_job(n, frames=1000, size=(1920, 1080), seconds=40.0) for n in range(1, 5))


@pytest.fixture
def batch(client, celery, make_batch, jobs):
    made = msgspec.structs.replace(make_batch(0), jobs=jobs)
    batches.save(client, made)
    dispatch.send_batch(celery, made)
    return made


@pytest.fixture
def watch(client, celery, address):
    return FarmWatch(client, celery, address)


def appear(client, name=WORKER, **fields):
    given = {"name": name, "host": "edit", "pid": 1, "version": "1", "slots": 1}
    roster.beat(client, roster.WorkerInfo(**given | fields))


def end(client, celery, job, state=JobState.DONE, **fields):
    book = LeaseBook(client)
    lease = book.claim(job.id, WORKER).lease
    book.finish(lease, JobOutcome(state=state, worker=WORKER, **fields))
    book.published(lease)
    book.settle(job.id)


def start(client, celery, job):
    LeaseBook(client).claim(job.id, WORKER)
    celery.backend.store_result(job.id, msgspec.to_builtins(READING), keys.ENCODING)


def test_an_empty_farm_has_a_broker(watch):
    standing = watch.look()
    assert (standing.workers, standing.batches, standing.queued) == ((), (), {})
    assert standing.health.has_aof is False


def test_a_farm_is_seen_with_what_runs_waits_and_is_done(client, celery, batch, watch):
    end(client, celery, batch.jobs[0], output_bytes=7)
    start(client, celery, batch.jobs[1])
    appear(client, jobs=(batch.jobs[1].id,))
    speeds.measured(client, Kind("edit*1", "prores-proxy", "1920x1080"), Load("1920x1080", 100), 2)
    standing = watch.look()
    (worker,) = standing.workers
    assert [(one.job, one.reading) for one in worker.jobs] == [(batch.jobs[1], READING)]
    assert worker.fps == 50.0
    (line,) = standing.batches
    assert line.counts == {JobState.DONE: 1, JobState.ENCODING: 1, JobState.QUEUED: 2}
    assert (line.media, line.media_done, line.output_bytes) == (160.0, 60.0, 7)
    assert line.fraction == 0.375
    # 500 frames of the running job and 2000 of the waiting ones, at 50 a second.
    assert line.eta_seconds == pytest.approx(50.0)
    assert standing.queued == {5: 2}
    # No worker took a message yet.
    assert standing.waiting == 4


def test_what_changes_between_two_looks_is_seen(client, celery, batch, watch):
    watch.look()
    end(client, celery, batch.jobs[0])
    assert watch.look().batches[0].counts == {JobState.DONE: 1, JobState.QUEUED: 3}
    cancel_jobs(batch.jobs, client, celery)
    (line,) = watch.look().batches
    assert line.counts == {JobState.DONE: 1, JobState.CANCELLED: 3}
    assert (line.is_finished, line.eta_seconds) == (True, None)
    assert line.seconds is not None
    retry_jobs(batch.jobs, client, celery)
    assert watch.look().batches[0].counts == {JobState.DONE: 1, JobState.QUEUED: 3}


def test_the_sums_of_a_batch_at_rest_are_there_for_the_next_who_looks(
    client, celery, address, batch, watch
):
    cancel_jobs(batch.jobs, client, celery)
    seen = watch.look().batches
    client.delete(*(keys.job(job.id) for job in batch.jobs))
    assert FarmWatch(client, celery, address).look().batches == seen


def test_a_batch_of_a_drained_farm_is_ready_nobody_knows_when(client, batch, watch):
    appear(client, draining=True)
    speeds.measured(client, Kind("edit*1", "prores-proxy", "1920x1080"), Load("1920x1080", 100), 2)
    assert watch.look().batches[0].eta_seconds is None
    appear(client, slots=2)
    # Two jobs a slot, 20 s each, by what another machine has measured.
    assert watch.look().batches[0].eta_seconds == pytest.approx(40.0)


def test_a_more_urgent_batch_goes_first(client, celery, batch, watch, make_batch, make_job):
    appear(client)
    speeds.measured(client, Kind("edit*1", "prores-proxy", "1920x1080"), Load("1920x1080", 100), 2)
    job = make_job(1, id="urgentxx-00001", batch="urgentxx", output="/o", frames=500)
    job = msgspec.structs.replace(job, size=(1920, 1080))
    urgent = msgspec.structs.replace(make_batch(0, id="urgentxx", priority=1), jobs=(job,))
    batches.save(client, urgent)
    standing = watch.look()
    assert {line.batch.id: line.eta_seconds for line in standing.batches} == {
        "urgentxx": pytest.approx(10.0),
        "abcdefgh": pytest.approx(90.0),
    }
    assert standing.queued == {1: 1, 5: 4}


def test_a_batch_is_ready_when_the_jobs_are_that_another_had_sent(
    client, celery, batch, watch, make_batch
):
    appear(client)
    speeds.measured(client, Kind("edit*1", "prores-proxy", "1920x1080"), Load("1920x1080", 100), 2)
    again = msgspec.structs.replace(batch.jobs[0], id="secondxx-00001", batch="secondxx")
    batches.save(client, msgspec.structs.replace(make_batch(0, id="secondxx"), jobs=(again,)))
    (second,) = (line for line in watch.look().batches if line.batch.id == "secondxx")
    assert second.counts == {JobState.QUEUED: 1}
    assert second.eta_seconds == pytest.approx(80.0)


def test_a_paused_batch_is_ready_nobody_knows_when_and_holds_up_no_other(
    client, celery, batch, watch, make_batch, make_job
):
    appear(client)
    speeds.measured(client, Kind("edit*1", "prores-proxy", "1920x1080"), Load("1920x1080", 100), 2)
    job = make_job(1, id="secondxx-00001", batch="secondxx", output="/o", frames=500)
    job = msgspec.structs.replace(job, size=(1920, 1080))
    batches.save(client, msgspec.structs.replace(make_batch(0, id="secondxx"), jobs=(job,)))
    client.hset(keys.PAUSED, batch.id, "paused")
    lines = {line.batch.id: line for line in watch.look().batches}
    assert (lines[batch.id].is_paused, lines[batch.id].eta_seconds) == (True, None)
    assert lines["secondxx"].eta_seconds == pytest.approx(10.0)
    client.hdel(keys.PAUSED, batch.id)
    assert {line.is_paused for line in watch.look().batches} == {False}


def test_another_priority_is_seen_at_the_next_look(client, batch, watch):
    watch.look()
    changed = msgspec.structs.replace(batch, priority=1, jobs=())
    client.hset(keys.batch(batch.id), "record", wire.encode(changed))
    standing = watch.look()
    assert standing.queued == {1: 4}
    assert standing.batches[0].batch.priority == 1


def test_jobs_that_start_later_are_counted_from_then(client, batch, watch):
    appear(client)
    speeds.measured(client, Kind("edit*1", "prores-proxy", "1920x1080"), Load("1920x1080", 100), 2)
    due = (client.time()[0] + 3600) * 1000
    for job in batch.jobs[1:]:
        client.zrem(keys.WAITING, job.id)
        client.zadd(keys.DELAYED, {job.id: due})
    (line,) = watch.look().batches
    assert line.eta_seconds == pytest.approx(3660, abs=2)
