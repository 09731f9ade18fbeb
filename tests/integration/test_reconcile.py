"""The sweep on the real server, with real messages."""

import pytest

from proxima.broker import batches, dispatch, keys
from proxima.broker.lease import LeaseBook
from proxima.broker.messages import MessageQueue
from proxima.broker.reconcile import LOST_SECONDS, Sweeper
from proxima.job import JobOutcome, JobState

ONE, TWO = "abcdefgh-00001", "abcdefgh-00002"


@pytest.fixture
def book(client, make_batch):
    batches.save(client, make_batch(2, priority=3))
    return LeaseBook(client)


@pytest.fixture
def sweeper(celery, client, address, book):
    return Sweeper(celery, client, address, book)


@pytest.fixture
def messages(celery, client):
    return MessageQueue(celery, client)


def lapse(client, job_id=ONE):
    client.hset(keys.job(job_id), "until", 1)
    client.zadd(keys.LEASED, {job_id: 1})


def just_queued(client, *job_ids):
    seconds, _ = client.time()
    client.zadd(keys.WAITING, dict.fromkeys(job_ids, seconds * 1000))


def result(celery, job_id):
    return celery.AsyncResult(job_id)


def test_a_job_whose_worker_was_lost_is_sent_again(sweeper, book, client, messages):
    book.claim(ONE, "a@x")
    just_queued(client, TWO)
    lapse(client)
    sweeper.sweep()
    assert messages.job_ids() == {ONE}
    assert client.llen("proxima\x06\x163") == 1
    assert book.claim(ONE, "b@y").lease.attempt == 2


def test_a_job_that_runs_is_left_alone(sweeper, book, client, messages):
    book.claim(ONE, "a@x")
    just_queued(client, TWO)
    sweeper.sweep()
    assert messages.job_ids() == set()


def test_a_poisonous_job_fails_and_names_its_workers(sweeper, book, client, celery):
    for worker in ("a@x", "b@y", "c@z"):
        book.claim(ONE, worker)
        lapse(client)
        sweeper.sweep()
    outcome = batches.outcomes(client, [ONE])[ONE]
    assert outcome.state is JobState.FAILED
    assert "a@x, b@y, c@z" in outcome.problem.message
    assert result(celery, ONE).state == "FAILURE"
    assert client.zscore(keys.LEASED, ONE) is None


@pytest.mark.parametrize(
    ("state", "status"),
    [(JobState.DONE, "SUCCESS"), (JobState.FAILED, "FAILURE"), (JobState.CANCELLED, "REVOKED")],
)
def test_an_end_whose_result_was_lost_is_stored(sweeper, book, client, celery, state, status):
    lease = book.claim(ONE, "a@x").lease
    book.finish(lease, JobOutcome(state=state))
    book.published(lease)
    just_queued(client, TWO)
    lapse(client)
    sweeper.sweep()
    assert result(celery, ONE).state == status
    assert client.zscore(keys.LEASED, ONE) is None


def test_a_done_job_that_was_not_published_asks_a_worker(sweeper, book, client, messages, celery):
    book.finish(book.claim(ONE, "a@x").lease, JobOutcome(state=JobState.DONE))
    just_queued(client, TWO)
    lapse(client)
    sweeper.sweep()
    assert messages.job_ids() == {ONE}
    assert result(celery, ONE).state == "PENDING"


def test_a_waiting_job_without_a_message_is_sent_again_once(sweeper, celery, client, messages):
    dispatch.send_job(celery, TWO, 3)
    sweeper.sweep()
    assert messages.job_ids() == {ONE, TWO}
    assert messages.length() == 2
    sweeper.sweep()
    assert messages.length() == 2


def test_a_job_that_was_just_queued_is_given_time(sweeper, client, messages):
    just_queued(client, ONE, TWO)
    sweeper.sweep()
    assert messages.length() == 0


def test_a_message_that_a_worker_just_fetched_is_not_lost(sweeper, celery, client, messages):
    dispatch.send_job(celery, ONE, 3)
    dispatch.send_job(celery, TWO, 3)
    with celery.connection_for_read() as connection:
        queue = connection.SimpleQueue(celery.amqp.queues[keys.QUEUE])
        fetched = queue.get(timeout=5)
        assert messages.fetched_since(LOST_SECONDS) == {fetched.headers["id"]}
        sweeper.sweep()
        assert messages.length() == 1
        fetched.ack()
        queue.close()


def test_a_garbage_message_does_not_stop_the_sweep(sweeper, client, messages):
    client.lpush("proxima\x06\x163", "not json")
    sweeper.sweep()
    assert messages.job_ids() == {ONE, TWO}


def test_one_sweep_at_a_time(sweeper):
    assert sweeper._is_our_turn()
    assert not sweeper._is_our_turn()
