"""Leases on the real server."""

import pytest

from proxima.broker import batches, keys, wire
from proxima.broker.lease import LeaseBook
from proxima.errors import UnknownBatch
from proxima.job import Job, JobOutcome, JobState, Problem

DONE = JobOutcome(state=JobState.DONE, worker="a@x", seconds=1.5)
ONE = "abcdefgh-00001"


@pytest.fixture
def book(client, make_batch):
    batches.save(client, make_batch(2))
    return LeaseBook(client)


def lapse(client, job_id=ONE):
    """Let the lease of a job run out, as the server's clock would."""
    client.hset(keys.job(job_id), "until", 1)
    client.zadd(keys.LEASED, {job_id: 1})


def test_a_waiting_job_is_given_to_the_first_who_asks(book, make_job):
    claim = book.claim(ONE, "a@x")
    assert claim.state is JobState.ENCODING
    assert (claim.lease.worker, claim.lease.attempt) == ("a@x", 1)
    assert wire.decode(claim.job, Job) == make_job(1)


def test_a_job_that_another_has_is_not_given(book):
    book.claim(ONE, "a@x")
    assert not book.claim(ONE, "b@y").is_granted
    assert not book.claim(ONE, "a@x").is_granted


def lose(book, client, job_id=ONE):
    """Let the lease run out and the sweep find it."""
    lapse(client, job_id)
    return book.reclaim(job_id, 3)


def test_a_job_whose_lease_ran_out_is_given_as_the_next_attempt_once_it_was_swept(book, client):
    book.claim(ONE, "a@x")
    assert lose(book, client).state is JobState.QUEUED
    assert book.claim(ONE, "b@y").lease.attempt == 2


def test_a_lease_that_runs_is_not_swept(book):
    book.claim(ONE, "a@x")
    assert book.reclaim(ONE, 3).state is None


def test_a_job_that_took_three_workers_down_is_poisonous(book, client):
    for worker in ("a@x", "b@y"):
        book.claim(ONE, worker)
        assert lose(book, client).state is JobState.QUEUED
    last = book.claim(ONE, "c@z").lease
    lapsed = lose(book, client)
    assert (lapsed.poisoned, lapsed.lost_to) == (last, ("a@x", "b@y", "c@z"))
    assert book.finish(lapsed.poisoned, JobOutcome(state=JobState.FAILED))


def test_a_cancelled_job_whose_worker_is_gone_ends_with_the_sweep(book, client):
    book.claim(ONE, "a@x")
    book.cancel([ONE])
    lapsed = lose(book, client)
    assert (lapsed.state, lapsed.outcome.state) == (JobState.CANCELLED, JobState.CANCELLED)


def test_an_end_that_was_not_stored_is_found_by_the_sweep_until_it_is_settled(book, client):
    lease = book.claim(ONE, "a@x").lease
    book.finish(lease, DONE)
    book.published(lease)
    lapsed = lose(book, client)
    assert (lapsed.state, lapsed.outcome, lapsed.is_published) == (JobState.DONE, DONE, True)
    assert client.zscore(keys.LEASED, ONE) is not None
    assert book.settle(ONE)
    assert client.zscore(keys.LEASED, ONE) is None


def test_a_job_that_waits_or_runs_cannot_be_settled(book):
    assert not book.settle(ONE)
    book.claim(ONE, "a@x")
    assert not book.settle(ONE)


def test_a_done_job_whose_output_is_gone_waits_again(book):
    lease = book.claim(ONE, "a@x").lease
    book.finish(lease, DONE)
    assert book.release(lease, instead_of_done=True)
    assert book.claim(ONE, "b@y").lease.attempt == 2


def test_a_worker_that_lost_its_lease_can_neither_renew_nor_finish_nor_release(book, client):
    lost = book.claim(ONE, "a@x").lease
    lose(book, client)
    book.claim(ONE, "b@y")
    assert book.renew([lost]) == [None]
    assert not book.finish(lost, DONE)
    assert not book.release(lost)


def test_the_same_worker_cannot_finish_an_earlier_attempt_of_its_own(book, client):
    first = book.claim(ONE, "a@x").lease
    lose(book, client)
    book.claim(ONE, "a@x")
    assert not book.finish(first, DONE)


def test_a_finished_job_hands_its_stored_end_to_whoever_asks(book):
    lease = book.claim(ONE, "a@x").lease
    assert book.finish(lease, DONE)
    claim = book.claim(ONE, "b@y")
    assert (claim.state, claim.is_granted, claim.outcome) == (JobState.DONE, False, DONE)
    assert (claim.lease, claim.is_published) == (lease, False)


def test_renewing_moves_the_end_of_the_lease(book, client):
    lease = book.claim(ONE, "a@x").lease
    lapse(client)
    assert book.renew([lease]) == [JobState.ENCODING]
    assert book.reclaim(ONE, 3).state is None


def test_a_job_handed_back_waits_again(book):
    assert book.release(book.claim(ONE, "a@x").lease)
    assert book.claim(ONE, "b@y").lease.attempt == 2


def test_cancelling_ends_a_waiting_job_at_once(book):
    assert book.cancel([ONE]) == [JobState.QUEUED]
    assert book.claim(ONE, "a@x").state is JobState.CANCELLED


def test_cancelling_reaches_a_running_job_with_its_renewal(book):
    lease = book.claim(ONE, "a@x").lease
    assert book.cancel([ONE]) == [JobState.ENCODING]
    assert book.renew([lease]) == [JobState.CANCELLED]


def test_a_cancelled_job_cannot_be_finished_as_done(book):
    lease = book.claim(ONE, "a@x").lease
    book.cancel([ONE])
    assert not book.finish(lease, DONE)
    assert book.finish(lease, JobOutcome(state=JobState.CANCELLED))


def test_cancelling_changes_nothing_that_has_ended(book):
    book.finish(book.claim(ONE, "a@x").lease, DONE)
    assert book.cancel([ONE, "abcdefgh-00002", "none"]) == [JobState.DONE, JobState.QUEUED, None]


def test_done_can_be_retracted_by_its_holder_alone(book):
    lease = book.claim(ONE, "a@x").lease
    book.finish(lease, DONE)
    failed = JobOutcome(state=JobState.FAILED)
    assert book.finish(lease, failed, instead_of_done=True)
    assert book.claim(ONE, "b@y").outcome == failed


def test_a_job_without_a_record_is_none(book):
    assert book.claim("nowhere-00001", "a@x") is None


def test_a_batch_is_read_as_it_was_saved(client, make_batch):
    batch = make_batch(3)
    batches.save(client, batch)
    assert batches.load(client, batch.id) == batch
    assert batches.newest(client) == batch.id


def test_an_unknown_batch_is_an_error_that_says_so(client):
    with pytest.raises(UnknownBatch, match="no batch 'zzz' on this farm"):
        batches.load(client, "zzz")


def test_finishing_may_be_asked_twice_as_its_answer_may_be_lost(book):
    lease = book.claim(ONE, "a@x").lease
    assert book.finish(lease, DONE)
    assert book.finish(lease, DONE)
    assert not book.finish(lease, JobOutcome(state=JobState.FAILED))


def test_what_has_its_name_cannot_be_taken_back(book, client):
    lease = book.claim(ONE, "a@x").lease
    book.finish(lease, DONE)
    book.published(lease)
    failed = JobOutcome(state=JobState.FAILED, problem=Problem(kind="unknown", message="no"))
    assert not book.finish(lease, failed, instead_of_done=True)
    assert not book.release(lease, instead_of_done=True)
    assert not book.retry(lease, failed.problem, seconds=0, counts=True, done=True)
    assert book.claim(ONE, "b@y").outcome == DONE


def test_only_a_result_that_agrees_settles_a_job(book, client):
    lease = book.claim(ONE, "a@x").lease
    book.finish(lease, DONE)
    assert not book.settle(ONE, JobState.DONE), "it has no name yet"
    book.published(lease)
    assert not book.settle(ONE, JobState.FAILED)
    assert client.zscore(keys.LEASED, ONE)
    assert book.settle(ONE, JobState.DONE)
    assert client.zscore(keys.LEASED, ONE) is None
