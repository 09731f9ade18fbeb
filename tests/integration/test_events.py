"""The stream of events on the real server: each change of state with its event."""

import msgspec
import pytest

from proxima.broker import batches, keys, roster
from proxima.broker.event_stream import place_of, read_on
from proxima.broker.lease import LeaseBook
from proxima.broker.roster import WorkerInfo
from proxima.errors import FailureKind, UsageError
from proxima.job import JobOutcome, JobState, Problem

ONE, TWO = "abcdefgh-00001", "abcdefgh-00002"
CRASH = Problem(kind=FailureKind.FFMPEG_CRASHED, message="ffmpeg was killed")


@pytest.fixture
def book(client):
    return LeaseBook(client)


def told(client, after="0-0"):
    """Every event after that id."""
    return [event for _, event in read_on(client, after, 0.001)]


def types(client):
    """What was told, shortly: type and the last digit of the job, or the batch."""
    return [f"{e.type} {e.job[-1:] or e.batch}".strip() for e in told(client)]


def finish(book, lease, state=JobState.DONE, **fields):
    book.finish(lease, JobOutcome(state=state, worker=lease.worker, **fields))
    book.published(lease)


def test_a_batch_is_told_from_its_sending_to_its_end(book, client, make_batch):
    batches.save(client, make_batch(2))
    for job_id in (ONE, TWO):
        finish(book, book.claim(job_id, "a@x").lease, seconds=2.5, output_bytes=12_000_000_000)
    assert types(client) == [
        "batch.queued abcdefgh",
        "job.started 1",
        "batch.started abcdefgh",
        "job.finished 1",
        "job.started 2",
        "job.finished 2",
        "batch.finished abcdefgh",
    ]
    first, last = told(client)[3], told(client)[-1]
    assert (first.source, first.output) == ("/card/C001.mov", "/card/Proxy/C001.mov")
    assert (first.worker, first.attempt, first.seconds) == ("a@x", 1, 2.5)
    assert (first.batch, first.output_bytes) == ("abcdefgh", 12_000_000_000)
    assert (last.label, last.user, last.host, last.preset) == (
        "A001",
        "sam",
        "edit1",
        "prores-proxy",
    )
    assert (last.jobs, last.done, last.failed, last.cancelled) == (2, 2, 0, 0)


def test_a_done_job_is_told_when_its_output_has_its_name_and_only_once(book, client, make_batch):
    batches.save(client, make_batch(1))
    lease = book.claim(ONE, "a@x").lease
    book.finish(lease, JobOutcome(state=JobState.DONE))
    assert "job.finished 1" not in types(client)
    assert book.published(lease)
    assert book.published(lease)
    assert types(client)[-2:] == ["job.finished 1", "batch.finished abcdefgh"]


def test_every_way_back_to_the_queue_says_why(book, client, make_batch):
    batches.save(client, make_batch(1))
    book.release(book.claim(ONE, "a@x").lease)
    book.retry(book.claim(ONE, "b@y").lease, CRASH, seconds=0, counts=True)
    book.wake(ONE)
    book.claim(ONE, "c@z")
    client.zadd(keys.LEASED, {ONE: 1})
    book.reclaim(ONE, 3)
    book.cancel([ONE])
    book.requeue([ONE])
    retried = [event for event in told(client) if event.type == "job.retried"]
    assert [(e.reason, e.worker, e.attempt) for e in retried] == [
        ("returned", "a@x", 1),
        ("failed", "b@y", 2),
        ("lost", "c@z", 3),
        ("asked", "", None),
    ]
    assert (retried[1].kind, retried[1].message) == ("ffmpeg_crashed", "ffmpeg was killed")


def test_a_failure_says_what_is_the_matter(book, client, make_batch):
    batches.save(client, make_batch(1))
    finish(book, book.claim(ONE, "a@x").lease, JobState.FAILED, problem=CRASH)
    failed, ended = told(client)[-2:]
    assert (failed.type, failed.kind, failed.message) == (
        "job.failed",
        "ffmpeg_crashed",
        "ffmpeg was killed",
    )
    assert (ended.type, ended.done, ended.failed) == ("batch.finished", 0, 1)


def test_a_batch_of_which_jobs_were_cancelled_ends_as_cancelled(book, client, make_batch):
    batches.save(client, make_batch(2))
    finish(book, book.claim(ONE, "a@x").lease)
    book.cancel([TWO])
    assert types(client)[-2:] == ["job.cancelled 2", "batch.cancelled abcdefgh"]
    assert (told(client)[-1].done, told(client)[-1].cancelled) == (1, 1)


def test_a_running_job_is_cancelled_once_its_worker_or_the_sweep_ends_it(book, client, make_batch):
    batches.save(client, make_batch(1))
    book.claim(ONE, "a@x")
    book.cancel([ONE])
    assert types(client)[-1] == "batch.started abcdefgh"
    client.zadd(keys.LEASED, {ONE: 1})
    book.reclaim(ONE, 3)
    assert types(client)[-2:] == ["job.cancelled 1", "batch.cancelled abcdefgh"]


def test_a_batch_that_is_tried_again_starts_and_ends_again(book, client, make_batch):
    batches.save(client, make_batch(2))
    finish(book, book.claim(ONE, "a@x").lease)
    finish(book, book.claim(TWO, "a@x").lease, JobState.FAILED, problem=CRASH)
    book.requeue([TWO])
    finish(book, book.claim(TWO, "a@x").lease)
    assert types(client)[-5:] == [
        "job.retried 2",
        "job.started 2",
        "batch.started abcdefgh",
        "job.finished 2",
        "batch.finished abcdefgh",
    ]


@pytest.fixture
def shared(client, make_batch, make_job):
    """Two batches, of which the second has a job of its own and the first's."""
    batches.save(client, make_batch(1))
    theirs = make_job(1, id="other234-00001", batch="other234")
    own = make_job(2, id="other234-00002", batch="other234")
    batches.save(client, msgspec.structs.replace(make_batch(), id="other234", jobs=(theirs, own)))


def test_the_end_of_a_shared_job_is_told_of_both_batches(book, client, shared):
    finish(book, book.claim("other234-00002", "a@x").lease)
    finish(book, book.claim(ONE, "a@x").lease)
    *_, job, first, second = told(client)
    assert (job.type, job.batch, job.batches) == (
        "job.finished",
        "abcdefgh",
        ("abcdefgh", "other234"),
    )
    assert job.concerns("abcdefgh")
    assert job.concerns("other234")
    assert [(e.type, e.batch, e.done) for e in (first, second)] == [
        ("batch.finished", "abcdefgh", 1),
        ("batch.finished", "other234", 2),
    ]


def test_a_batch_that_shares_a_running_job_has_started(book, client, make_batch, make_job):
    batches.save(client, make_batch(1))
    lease = book.claim(ONE, "a@x").lease
    theirs = make_job(1, id="other234-00001", batch="other234")
    batches.save(client, msgspec.structs.replace(make_batch(), id="other234", jobs=(theirs,)))
    assert types(client)[-2:] == ["batch.queued other234", "batch.started other234"]
    finish(book, lease)
    assert types(client)[-2:] == ["batch.finished abcdefgh", "batch.finished other234"]


def test_a_name_that_is_no_text_comes_back_as_it_was(book, client, make_batch, make_job):
    job = make_job(1, source="/card/\udce9 ü.mov")
    batches.save(client, msgspec.structs.replace(make_batch(), jobs=(job,)))
    book.claim(ONE, "a@x")
    assert told(client)[1].source == "/card/\udce9 ü.mov"


def test_workers_come_and_go_and_say_how_they_are(client):
    info = WorkerInfo(name="a@x", host="x", pid=1, version="0", slots=1)
    drained = msgspec.structs.replace(info, draining=True)
    unwell = msgspec.structs.replace(info, unwell="disk full")
    for said in (info, info, drained, drained, unwell, info):
        roster.beat(client, said)
    roster.leave(client, "a@x")
    roster.leave(client, "a@x")
    assert [(e.type, e.message, e.reason) for e in told(client)] == [
        ("worker.up", "", ""),
        ("worker.drained", "", ""),
        ("worker.undrained", "", ""),
        ("worker.unwell", "disk full", ""),
        ("worker.well", "", ""),
        ("worker.down", "", "left"),
    ]
    assert {(e.worker, e.host) for e in told(client)} == {("a@x", "x")}


def test_a_worker_that_falls_silent_is_told_as_lost_once(client, monkeypatch):
    roster.beat(client, WorkerInfo(name="a@x", host="x", pid=1, version="0", slots=1))
    monkeypatch.setattr(roster, "ALIVE_SECONDS", -1)
    assert roster.alive(client) == []
    assert roster.alive(client) == []
    assert [(e.type, e.reason) for e in told(client)] == [
        ("worker.up", ""),
        ("worker.down", "lost"),
    ]


def test_ids_and_times_are_the_servers(client, make_batch):
    batches.save(client, make_batch(1))
    (event,) = told(client)
    assert event.time == int(event.id.partition("-")[0]) / 1000
    assert place_of(client, None) == event.id


def test_reading_begins_at_an_id_or_so_long_ago(client):
    now = client.time()[0]
    assert place_of(client, "12-3") == "12-3"
    assert place_of(client, "12") == "12-0"
    ago = int(place_of(client, "15m").removesuffix("-0")) / 1000
    assert abs(now - 900 - ago) <= 1
    for nonsense in ("yesterday", "-1", "15 m", "", "1-2-3"):
        with pytest.raises(UsageError):
            place_of(client, nonsense)
