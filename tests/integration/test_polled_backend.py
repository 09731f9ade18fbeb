"""Results that agree with the record of their job."""

import pytest
from celery import states

from proxima.broker import batches, keys
from proxima.broker.lease import LeaseBook
from proxima.job import JobOutcome, JobState

ONE = "abcdefgh-00001"


@pytest.fixture
def book(client, make_batch):
    batches.save(client, make_batch(1))
    return LeaseBook(client)


def report(celery, attempt):
    celery.backend.store_result(ONE, {"attempt": attempt}, keys.ENCODING)


def status(celery):
    return celery.backend._get_task_meta_for(ONE)["status"]


def test_an_error_while_a_job_waits_is_not_its_end(book, celery):
    celery.backend.mark_as_failure(ONE, ValueError("the broker was away"))
    assert status(celery) == states.PENDING


def test_an_error_while_a_job_runs_elsewhere_is_not_its_end(book, celery):
    report(celery, book.claim(ONE, "a@x").lease.attempt)
    celery.backend.mark_as_failure(ONE, ValueError("the broker was away"))
    assert status(celery) == keys.ENCODING


@pytest.mark.parametrize(
    ("state", "stored"),
    [
        (JobState.DONE, states.SUCCESS),
        (JobState.FAILED, states.FAILURE),
        (JobState.CANCELLED, states.REVOKED),
    ],
)
def test_a_late_report_takes_no_end_back(book, celery, state, stored):
    lease = book.claim(ONE, "a@x").lease
    assert book.finish(lease, JobOutcome(state=state))
    celery.backend.store_result(ONE, ValueError() if state == "failed" else {}, stored)
    report(celery, lease.attempt)
    assert status(celery) == stored


def test_an_earlier_attempt_reports_nothing_more(book, celery):
    first = book.claim(ONE, "a@x").lease
    book.release(first)
    report(celery, book.claim(ONE, "b@y").lease.attempt)
    report(celery, first.attempt)
    assert celery.backend._get_task_meta_for(ONE)["result"] == {"attempt": 2}


def test_a_message_without_a_record_may_fail(celery, client):
    celery.backend.mark_as_failure("nowhere-00001", ValueError("unknown"))
    assert celery.AsyncResult("nowhere-00001").state == states.FAILURE
