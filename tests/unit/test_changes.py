"""What changed between two standings."""

import pytest
from standings import EDIT, GRADE, cancelled, done, failed, make_job, running, waiting

from proxima.queuer.changes import changes
from proxima.queuer.changes import waiting as as_sent
from proxima.queuer.standing import EventKind, JobStanding

JOB = make_job()

STARTED, FINISHED = EventKind.STARTED, EventKind.FINISHED
FAILED, CANCELLED, REQUEUED = EventKind.FAILED, EventKind.CANCELLED, EventKind.REQUEUED


@pytest.mark.parametrize(
    ("before", "now", "kinds"),
    [
        (waiting(JOB), waiting(JOB), []),
        (waiting(JOB), running(JOB), [STARTED]),
        (waiting(JOB), cancelled(JOB), [CANCELLED]),
        (running(JOB, 10), running(JOB, 20), []),
        (running(JOB), done(JOB), [FINISHED]),
        (running(JOB), failed(JOB), [FAILED]),
        (running(JOB), cancelled(JOB), [CANCELLED]),
        (running(JOB), waiting(JOB), [REQUEUED]),
        (done(JOB), done(JOB), []),
    ],
)
def test_each_step_of_a_job_is_told(
    before: JobStanding, now: JobStanding, kinds: list[EventKind]
) -> None:
    assert [change.kind for change in changes([before], [now])] == kinds


@pytest.mark.parametrize(("end", "kind"), [(done(JOB), FINISHED), (failed(JOB), FAILED)])
def test_a_job_that_began_and_ended_between_two_polls_is_told_in_full(
    end: JobStanding, kind: EventKind
) -> None:
    assert [change.kind for change in changes([waiting(JOB)], [end])] == [STARTED, kind]


def test_a_new_attempt_means_that_the_job_went_back_to_the_queue() -> None:
    now = running(JOB, attempt=2, worker=EDIT)
    told = list(changes([running(JOB)], [now]))
    assert [(change.kind, change.worker) for change in told] == [(REQUEUED, GRADE), (STARTED, EDIT)]


def test_a_first_reading_is_no_new_attempt() -> None:
    unread = JobStanding(job=JOB, state=running(JOB).state)
    assert list(changes([unread], [running(JOB)])) == []


def test_the_worker_is_the_one_that_did_it() -> None:
    (lost,) = changes([running(JOB, worker=GRADE)], [waiting(JOB)])
    (ended,) = changes([running(JOB, worker=GRADE)], [failed(JOB)])
    assert (lost.worker, ended.worker) == (GRADE, EDIT)


def test_jobs_as_sent_are_all_waiting() -> None:
    assert as_sent([done(JOB), running(make_job(2))]) == (waiting(JOB), waiting(make_job(2)))
