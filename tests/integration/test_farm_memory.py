"""What the broker remembers of a farm: speeds, what has not ended, and sums over batches."""

import msgspec
import pytest

from proxima.broker import backlog, batches, keys, speeds, sums
from proxima.broker.lease import LeaseBook
from proxima.broker.loads import Loads
from proxima.broker.speeds import Kind, Measured, Speeds
from proxima.broker.steering import cancel_jobs, retry_jobs
from proxima.errors import FailureKind
from proxima.job import JobOutcome, JobState, Load, Problem
from proxima.progress import Reading, Stage

HD = Kind("edit*2", "prores-proxy", "1920x1080")


def remembered(client):
    return speeds.read_measured(client.hgetall(keys.SPEEDS))


def test_a_job_adds_to_what_was_measured_and_the_earlier_ones_fade(client):
    speeds.measured(client, HD, Load(HD.size, 1000), 10.0)
    speeds.measured(client, HD, Load(HD.size, 500), 10.0)
    assert remembered(client) == {HD: Measured(1400.0, 19.0)}


def test_a_machine_that_has_become_slower_is_soon_known_as_such(client):
    for amount in [1000] * 30 + [100] * 30:
        speeds.measured(client, HD, Load(HD.size, amount), 10.0)
    assert Speeds(remembered(client)).of(*HD) == pytest.approx(10.0, rel=0.5)


def test_of_too_many_kinds_the_stalest_is_forgotten(client, monkeypatch):
    monkeypatch.setattr(speeds, "MOST", 3)
    kinds = [Kind(f"m{n}*1", "p", "") for n in range(5)]
    for kind in kinds:
        speeds.measured(client, kind, Load("", 10.0), 1.0)
    assert set(remembered(client)) < set(kinds)
    assert len(remembered(client)) == client.zcard(keys.SPEEDS_WRITTEN) == 3


def test_a_job_of_unknown_load_is_not_measured(client):
    speeds.measured(client, HD, Load(HD.size, None), 10.0)
    assert remembered(client) == {}


def test_speeds_that_make_no_sense_are_passed_over(client):
    fields = {b"x": b"1 1", b'["a","b"]': b"1 1", msgspec.json.encode(HD): b"1 b"}
    client.hset(keys.SPEEDS, mapping=fields)
    assert remembered(client) == {}
    speeds.measured(client, HD, Load(HD.size, 10), 1.0)
    assert remembered(client) == {HD: Measured(10.0, 1.0)}


@pytest.fixture
def book(client, make_batch):
    batches.save(client, make_batch(4))
    return LeaseBook(client)


def job_id(number):
    return f"abcdefgh-{number:05}"


READING = Reading(worker="a@x", slot=0, attempt=1, stage=Stage.ENCODING, percent=40.0)
FULL = Problem(kind=FailureKind.DISK_FULL, message="full")


def test_the_backlog_tells_what_waits_what_is_delayed_and_what_runs(book, client, celery):
    book.claim(job_id(2), "a@x")
    celery.backend.store_result(job_id(2), msgspec.to_builtins(READING), keys.ENCODING)
    book.retry(book.claim(job_id(3), "a@x").lease, FULL, seconds=60, counts=True)
    client.zadd(keys.WAITING, {"no job": 1})
    found = backlog.look(client, celery)
    assert found.waiting == [job_id(1), job_id(4)]
    assert list(found.delayed) == [job_id(3)]
    assert 30 < found.delayed[job_id(3)] <= 61
    (running,) = found.running
    assert (running.id, running.worker, running.reading) == (job_id(2), "a@x", READING)
    assert found.numbers == {"abcdefgh": [1, 4, 3]}
    assert found.waiting_by({"abcdefgh": 2}) == {2: 2}
    assert not found.is_at_rest("abcdefgh")
    assert found.is_at_rest("another1")


def test_the_mark_of_a_batch_changes_with_the_state_of_its_jobs(book, client, celery):
    before = backlog.look(client, celery)
    assert backlog.look(client, celery).mark("abcdefgh") == before.mark("abcdefgh")
    book.claim(job_id(2), "a@x")
    now = backlog.look(client, celery)
    assert now.mark("abcdefgh") != before.mark("abcdefgh")
    assert now.mark("another1") == before.mark("another1")
    assert now.mark("another1", of_all=True) != before.mark("another1", of_all=True)


def end(book, number, state=JobState.DONE, worker="a@x", **fields):
    lease = book.claim(job_id(number), worker).lease
    book.finish(lease, JobOutcome(state=state, worker=worker, **fields))


def test_sums_tell_the_state_of_each_job_and_where_it_was_made(book, client):
    end(book, 1, output_bytes=30)
    end(book, 2, JobState.FAILED, "b@y", problem=Problem(kind="unknown", message='"worker":"c@z"'))
    book.claim(job_id(3), "a@x")
    (found,) = sums.make(client, ["abcdefgh"])
    assert (found.letters, found.output_bytes, found.hosts) == ("dfeq", 30, {"x": 1, "y": 1})
    assert found.counts == {
        JobState.DONE: 1,
        JobState.FAILED: 1,
        JobState.ENCODING: 1,
        JobState.QUEUED: 1,
    }
    assert client.time()[0] - 60 < found.ended <= client.time()[0] + 1
    assert not found.is_at_rest
    assert found.weight([1.0, 2.0, 4.0, 8.0], JobState.DONE, JobState.ENCODING) == 5.0


def test_sums_follow_jobs_that_another_batch_had_sent(book, client, make_batch, make_job):
    end(book, 2)
    second = {"batch": "secondxx"}
    jobs = (
        make_job(1, id="secondxx-00001", **second),
        make_job(9, id="secondxx-00002", **second),
    )
    batches.save(client, msgspec.structs.replace(make_batch(0, id="secondxx"), jobs=jobs))
    end(book, 1, output_bytes=7)
    (found,) = sums.make(client, ["secondxx"])
    assert (found.letters, found.output_bytes) == ("dq", 7)


def test_sums_of_a_batch_at_rest_are_kept_until_something_is_sent_again(
    book, client, celery, make_batch
):
    jobs = batches.load(client, "abcdefgh").jobs
    cancel_jobs(jobs, client, celery)
    (found,) = sums.make(client, ["abcdefgh"])
    assert found.is_at_rest
    sums.keep(client, "abcdefgh", found)
    key = keys.batch("abcdefgh")
    assert sums.read_kept(*client.hmget(key, "sums", "requeues")) == found
    retry_jobs(jobs[:1], client, celery)
    assert sums.read_kept(*client.hmget(key, "sums", "requeues")) is None
    assert sums.read_kept(b"nonsense", None) is None
    client.delete(key)
    sums.keep(client, "abcdefgh", found)
    assert client.ttl(key) > 0


def test_a_batch_that_is_not_there_has_no_sums(client):
    (found,) = sums.make(client, ["nothing1"])
    assert (found.letters, found.counts) == ("", {})


def test_the_loads_of_a_batch_are_kept_beside_it(book, client, make_batch):
    text = client.hget(keys.batch("abcdefgh"), "loads")
    assert msgspec.json.decode(text, type=Loads) == Loads.of(make_batch(4).jobs)
