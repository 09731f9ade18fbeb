"""What the farm remembers of every attempt at a job."""

import pytest

from proxima.broker import attempts, batches, keys
from proxima.broker.attempts import AttemptEnd
from proxima.broker.lease import LeaseBook
from proxima.errors import FailureKind
from proxima.job import JobOutcome, JobState, JobWarning, Problem

ONE = "abcdefgh-00001"
FULL = Problem(kind=FailureKind.DISK_FULL, message="the disk is full", hint="make room")
WARNING = JobWarning(code="variable_rate", message="the frame rate varies")


@pytest.fixture
def book(client, make_batch):
    batches.save(client, make_batch(2))
    return LeaseBook(client)


def told(client):
    (record,) = attempts.records(client, [ONE])
    return record


def ends(client):
    return [(a.number, a.worker, a.how) for a in told(client).attempts]


def test_a_job_that_waits_has_no_attempt(book, client, make_job):
    record = told(client)
    assert (record.job, record.state, record.priority) == (make_job(1), JobState.QUEUED, 5)
    assert (record.attempts, record.ended, record.outcome) == ((), None, None)


def test_an_attempt_that_runs_tells_who_and_since_when(book, client):
    book.claim(ONE, "a@x")
    (attempt,) = told(client).attempts
    now = client.time()[0]
    assert (attempt.worker, attempt.how, attempt.ended) == ("a@x", None, None)
    assert now - 60 < attempt.started <= now + 1


def test_every_attempt_is_told_with_its_end(book, client):
    """Handed back, tried again, lost with its worker, and done."""
    book.release(book.claim(ONE, "a@x").lease)
    book.retry(book.claim(ONE, "b@y").lease, FULL, seconds=1, counts=True)
    book.claim(ONE, "c@z")
    client.zadd(keys.LEASED, {ONE: 1})
    book.reclaim(ONE, 3)
    done = JobOutcome(state=JobState.DONE, worker="a@x", warnings=(WARNING,), output_bytes=5)
    book.finish(book.claim(ONE, "a@x").lease, done)
    assert ends(client) == [
        (1, "a@x", AttemptEnd.RETURNED),
        (2, "b@y", AttemptEnd.RETRIED),
        (3, "c@z", AttemptEnd.LOST),
        (4, "a@x", AttemptEnd.DONE),
    ]
    record = told(client)
    assert [a.problem for a in record.attempts] == [None, FULL, None, None]
    assert record.attempts[3].warnings == (WARNING,)
    assert record.attempts[3].output_bytes == 5
    assert record.ended == record.attempts[3].ended
    assert all(a.started <= a.ended for a in record.attempts)


def test_what_failed_before_proxima_retry_stays_told(book, client):
    failed = JobOutcome(state=JobState.FAILED, worker="a@x", problem=FULL)
    book.finish(book.claim(ONE, "a@x").lease, failed)
    book.requeue([ONE])
    assert told(client).ended is None
    book.claim(ONE, "b@y")
    assert ends(client) == [(1, "a@x", AttemptEnd.FAILED), (2, "b@y", None)]
    assert told(client).attempts[0].problem == FULL


def test_a_job_cancelled_while_it_waits_ends_without_an_attempt(book, client):
    book.cancel([ONE])
    record = told(client)
    assert (record.state, record.attempts) == (JobState.CANCELLED, ())
    assert record.ended is not None


def test_a_job_cancelled_between_two_attempts_keeps_the_end_of_the_first(book, client):
    book.release(book.claim(ONE, "a@x").lease)
    book.cancel([ONE])
    book.requeue([ONE])
    assert ends(client) == [(1, "a@x", AttemptEnd.RETURNED)]
    assert client.hget(keys.job(ONE), "end:1").endswith(b" returned")


def test_a_running_job_that_is_cancelled_ends_its_attempt(book, client):
    lease = book.claim(ONE, "a@x").lease
    book.cancel([ONE])
    book.finish(lease, JobOutcome(state=JobState.CANCELLED, worker="a@x"))
    assert ends(client) == [(1, "a@x", AttemptEnd.CANCELLED)]


def test_a_cancelled_job_whose_worker_was_lost_ends_its_attempt(book, client):
    book.claim(ONE, "a@x")
    book.cancel([ONE])
    client.zadd(keys.LEASED, {ONE: 1})
    assert book.reclaim(ONE, 3).state is JobState.CANCELLED
    assert ends(client) == [(1, "a@x", AttemptEnd.CANCELLED)]
    assert told(client).ended is not None


def test_of_very_many_attempts_the_last_are_told(book, client):
    for _ in range(25):
        book.release(book.claim(ONE, "a@x").lease)
    assert [a.number for a in told(client).attempts] == list(range(6, 26))


def test_a_job_that_the_farm_does_not_know_has_no_record(client):
    assert attempts.records(client, ["unknown1-00001"]) == []


def test_a_batch_says_how_often_its_jobs_were_sent_again(book, client):
    """Whoever keeps sums over it must see that they changed."""
    book.cancel([ONE])
    book.requeue([ONE])
    book.requeue([ONE])
    assert client.hget(keys.batch("abcdefgh"), "requeues") == b"1"
