"""Following a batch through Celery's results on the real server."""

import base64
import json

import msgspec
import pytest

from proxima.broker import batches, dispatch, keys, roster, speeds
from proxima.broker.lease import LeaseBook
from proxima.broker.steering import cancel_jobs, retry_jobs
from proxima.errors import FailureKind, JobFailed, UnknownBatch
from proxima.job import JobOutcome, JobState, Load, Problem
from proxima.progress import Reading, Stage
from proxima.queuer.follow import Follower, follow
from proxima.queuer.standing import EventKind

READING = Reading(worker="a@x", slot=0, attempt=1, stage=Stage.ENCODING, percent=40.0, speed=2.0)


@pytest.fixture
def batch(client, make_batch):
    made = make_batch(3)
    batches.save(client, made)
    return made


@pytest.fixture
def follower(batch, client, celery, address):
    following = Follower(batch, client, celery, address)
    following.poll()
    return following


def report(celery, client, job):
    LeaseBook(client).claim(job.id, "a@x")
    celery.backend.store_result(job.id, msgspec.to_builtins(READING), keys.ENCODING)


def finish(celery, client, job, **fields):
    book = LeaseBook(client)
    outcome = JobOutcome(state=JobState.DONE, worker="a@x", seconds=2.0, **fields)
    book.finish(book.claim(job.id, "a@x").lease, outcome)
    celery.backend.store_result(job.id, msgspec.to_builtins(outcome), "SUCCESS")


def fail(celery, client, job, message):
    book = LeaseBook(client)
    problem = Problem(kind=FailureKind.UNKNOWN, message=message)
    outcome = JobOutcome(state=JobState.FAILED, problem=problem)
    book.finish(book.claim(job.id, "a@x").lease, outcome)
    celery.backend.mark_as_failure(job.id, JobFailed("unknown", message))


def test_at_first_all_jobs_wait(follower):
    standing = follower.poll()
    assert standing.count(JobState.QUEUED) == 3
    assert (standing.workers, standing.fraction, standing.is_finished) == (0, 0.0, False)


def test_a_reading_makes_a_running_job_and_an_event(follower, celery, client, batch):
    report(celery, client, batch.jobs[1])
    standing = follower.poll()
    assert standing.running[0].reading == READING
    event = standing.events[0]
    assert (event.kind, event.job.id, event.worker) == (
        EventKind.STARTED,
        batch.jobs[1].id,
        "a@x",
    )
    assert standing.fraction == pytest.approx(0.4 / 3)


def test_every_end_is_seen_with_its_outcome(follower, celery, client, batch):
    finish(celery, client, batch.jobs[0])
    fail(celery, client, batch.jobs[1], "the disk is full")
    cancel_jobs(batch.jobs[2:], client, celery)
    *_, last = follow(follower, sleep=lambda _: None)
    assert [s.state for s in last.jobs] == [JobState.DONE, JobState.FAILED, JobState.CANCELLED]
    assert last.jobs[0].outcome.seconds == 2.0
    assert last.jobs[1].outcome.problem.message == "the disk is full"
    assert last.fraction == pytest.approx(1 / 3)


def test_what_happened_before_the_first_poll_is_no_event(batch, client, celery, address):
    """Nobody knows when it was."""
    finish(celery, client, batch.jobs[0])
    standing = Follower(batch, client, celery, address).poll()
    assert standing.count(JobState.DONE) == 1
    assert standing.events == ()


def test_an_end_is_told_once(follower, celery, client, batch):
    finish(celery, client, batch.jobs[0])
    assert len(follower.poll().events) == 1
    assert len(follower.poll().events) == 1


def test_workers_on_the_roster_are_counted(batch, client, celery, address):
    for name, slots in (("a@x", 2), ("b@y", 1)):
        info = roster.WorkerInfo(name=name, host="x", pid=1, version="1", slots=slots)
        roster.beat(client, info)
    standing = Follower(batch, client, celery, address).poll()
    assert (standing.workers, standing.slots) == (2, 3)


def test_a_job_whose_worker_is_gone_shows_no_old_figures(batch, client, celery, address):
    report(celery, client, batch.jobs[0])
    info = roster.WorkerInfo(name="b@y", host="y", pid=1, version="1", slots=1)
    roster.beat(client, info)
    (running,) = Follower(batch, client, celery, address).poll().running
    assert (running.reading.stage, running.reading.speed) == (Stage.LOST, None)
    roster.beat(client, msgspec.structs.replace(info, name="a@x"))
    (running,) = Follower(batch, client, celery, address).poll().running
    assert running.reading == READING


def test_a_worker_that_left_or_fell_silent_is_not_counted(client):
    for name in ("a@x", "b@y", "c@z"):
        roster.beat(client, roster.WorkerInfo(name=name, host="x", pid=1, version="1", slots=1))
    roster.leave(client, "a@x")
    silent = client.hget(keys.WORKERS, "b@y").replace(b'"seen":', b'"seen":1,"was":')
    client.hset(keys.WORKERS, "b@y", silent)
    client.hset(keys.WORKERS, "d@w", b"not a worker")
    assert [worker.name for worker in roster.alive(client)] == ["c@z"]


def test_a_group_of_jobs_is_sent_with_their_ids_and_priority(celery, client, make_batch):
    batch = make_batch(2, priority=2)
    group = dispatch.send_batch(celery, batch)
    assert group.id == batch.id
    assert [result.id for result in group.results] == [job.id for job in batch.jobs]
    queues = {key: client.llen(key) for key in client.keys("proxima\x06*")}
    assert queues == {b"proxima\x06\x162": 2}


def test_a_message_says_which_group_and_job_it_is_of(celery, client, make_batch):
    dispatch.send_batch(celery, make_batch(2, priority=0))
    message = json.loads(client.lindex("proxima", -1))
    shown = ("id", "group", "group_index", "argsrepr", "kwargsrepr")
    assert {name: message["headers"][name] for name in shown} == {
        "id": "abcdefgh-00001",
        "group": "abcdefgh",
        "group_index": 0,
        "argsrepr": "('abcdefgh-00001',)",
        "kwargsrepr": "{'protocol': 1}",
    }
    args, kwargs, _ = json.loads(base64.b64decode(message["body"]))
    assert (args, kwargs) == (["abcdefgh-00001"], {"protocol": 1})


def test_cancelling_a_batch_ends_waiting_jobs_at_once(client, celery, batch, follower):
    assert cancel_jobs(batch.jobs, client, celery) == 3
    standing = follower.poll()
    assert standing.count(JobState.CANCELLED) == 3
    assert standing.is_finished


def test_only_what_failed_or_was_cancelled_is_sent_again(client, celery, batch, follower):
    finish(celery, client, batch.jobs[0])
    fail(celery, client, batch.jobs[1], "boom")
    cancel_jobs(batch.jobs[2:], client, celery)
    follower.poll()
    assert retry_jobs(batch.jobs, client, celery) == 2
    again = Follower(batch, client, celery, follower._address).poll()
    assert [s.state for s in again.jobs] == [JobState.DONE, JobState.QUEUED, JobState.QUEUED]
    assert client.llen("proxima\x06\x165") == 2
    assert LeaseBook(client).claim(batch.jobs[1].id, "a@x").lease.attempt == 2


def test_a_job_is_found_by_its_id(client, batch):
    found, jobs = batches.find(client, batch.jobs[1].id)
    assert (found, jobs) == (batch, (batch.jobs[1],))
    assert batches.find(client, batch.id)[1] == batch.jobs


def test_an_unknown_job_is_an_error_that_says_so(client, batch):
    with pytest.raises(UnknownBatch, match="has no job 'abcdefgh-00099'"):
        batches.find(client, "abcdefgh-00099")


def measure(client, amount=1.0):
    """A worker with one slot, which does so many seconds of media a second."""
    info = roster.WorkerInfo(name="a@x", host="x", pid=1, version="1", slots=1)
    roster.beat(client, info)
    kind = speeds.Kind("x*1", "prores-proxy", "")
    speeds.measured(client, kind, Load("", amount), 1.0)


def test_the_end_of_a_waiting_batch_is_foretold_by_what_was_measured(
    batch, client, celery, address
):
    measure(client)
    standing = Follower(batch, client, celery, address).poll()
    assert standing.eta_seconds == pytest.approx(30.0, abs=1.0)
    assert standing.spent is None


def test_all_who_watch_see_the_same(batch, client, celery, address):
    """Also who comes later, and of a batch that has ended how long it took."""
    measure(client)
    first = Follower(batch, client, celery, address)
    early = first.poll()
    late = Follower(batches.load(client, batch.id), client, celery, address).poll()
    assert (late.batch, late.jobs) == (early.batch, early.jobs)
    assert late.eta_seconds == pytest.approx(early.eta_seconds, abs=1.0)
    finish(celery, client, batch.jobs[0])
    fail(celery, client, batch.jobs[1], "boom")
    cancel_jobs(batch.jobs[2:], client, celery)
    ended, seen = first.poll(), Follower(batch, client, celery, address).poll()
    assert (ended.jobs, ended.spent) == (seen.jobs, seen.spent)
    assert ended.is_finished
    assert ended.spent is not None
    assert ended.eta_seconds is None
