"""Jobs that failed and are tried again, on the real server."""

import pytest

from proxima.broker import batches, keys
from proxima.broker.history import History
from proxima.broker.lease import LeaseBook
from proxima.broker.messages import MessageQueue
from proxima.broker.reconcile import Sweeper
from proxima.errors import FailureKind
from proxima.job import JobOutcome, JobState, Problem

ONE = "abcdefgh-00001"
CRASH = Problem(kind=FailureKind.FFMPEG_CRASHED, message="C001.mov: ffmpeg crashed")


@pytest.fixture
def book(client, make_batch):
    batches.save(client, make_batch(1))
    return LeaseBook(client)


@pytest.fixture
def sweeper(celery, client, address, book):
    return Sweeper(celery, client, address, book)


@pytest.fixture
def messages(celery, client):
    return MessageQueue(celery, client)


def fail_on(book, worker, *, seconds=60.0, counts=True, job_id=ONE):
    lease = book.claim(job_id, worker).lease
    assert book.retry(lease, CRASH, seconds=seconds, counts=counts)
    return lease


def test_a_job_to_be_tried_again_is_not_sent_before_it_is_due(book, sweeper, client, messages):
    fail_on(book, "a@x")
    sweeper.sweep()
    assert messages.job_ids() == set()
    assert client.zscore(keys.LEASED, ONE) is None


def test_a_job_to_be_tried_again_is_sent_once_when_it_is_due(book, sweeper, client, messages):
    fail_on(book, "a@x", seconds=0)
    sweeper.sweep()
    sweeper.sweep()
    assert messages.length() == 1
    assert client.zscore(keys.DELAYED, ONE) is None
    assert book.claim(ONE, "b@y").lease.attempt == 2


def test_the_next_claim_tells_what_happened_before(book):
    fail_on(book, "a@x")
    fail_on(book, "b@y", counts=False)
    history = History(failures=1, returned=1, failed_on=("a@x", "b@y"))
    assert book.claim(ONE, "c@z").history == history
    assert book.failed_on(ONE) == ("a@x", "b@y")


def test_a_worker_that_lost_its_lease_cannot_hand_a_failure_back(book):
    lease = fail_on(book, "a@x")
    assert not book.retry(lease, CRASH, seconds=0, counts=True)


def test_a_cancelled_job_is_not_tried_again(book):
    lease = book.claim(ONE, "a@x").lease
    book.cancel([ONE])
    assert not book.retry(lease, CRASH, seconds=0, counts=True)


def test_a_delayed_job_can_be_cancelled_and_is_not_sent(book, sweeper, client, messages):
    fail_on(book, "a@x", seconds=0)
    book.cancel([ONE])
    sweeper.sweep()
    assert messages.length() == 0
    assert book.claim(ONE, "b@y").state is JobState.CANCELLED


def test_done_that_could_not_be_published_is_tried_again(book):
    lease = book.claim(ONE, "a@x").lease
    book.finish(lease, JobOutcome(state=JobState.DONE))
    assert not book.retry(lease, CRASH, seconds=0, counts=True)
    assert book.retry(lease, CRASH, seconds=0, counts=True, done=True)
    assert batches.outcomes(book._client, [ONE]) == {}


def test_a_job_is_declined_where_it_failed_and_given_to_others(book):
    fail_on(book, "a@x")
    declined = book.claim(ONE, "a@x", declines=3)
    assert (declined.is_declined, declined.is_granted) == (True, False)
    assert declined.history.failed_on == ("a@x",)
    assert book.claim(ONE, "b@y", declines=3).is_granted


def test_a_job_is_declined_so_many_times_and_no_more(book):
    fail_on(book, "a@x")
    for _ in range(3):
        assert book.claim(ONE, "a@x", declines=3).is_declined
        assert book.decline(ONE, 60)
    assert book.claim(ONE, "a@x", declines=3).is_granted


def test_a_declined_job_waits_until_it_is_due(book, sweeper, client, messages):
    fail_on(book, "a@x", seconds=0)
    sweeper.sweep()
    book.decline(ONE, 60)
    assert client.zscore(keys.WAITING, ONE) is None
    assert client.zscore(keys.DELAYED, ONE) is not None


def test_a_job_that_runs_cannot_be_declined(book):
    book.claim(ONE, "a@x")
    assert not book.decline(ONE, 0)


def test_a_job_sent_again_by_hand_has_no_history(book):
    fail_on(book, "a@x")
    book.finish(book.claim(ONE, "b@y").lease, JobOutcome(state=JobState.FAILED, problem=CRASH))
    assert book.requeue([ONE]) == [True]
    assert book.claim(ONE, "a@x").history == History()
