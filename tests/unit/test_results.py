"""Celery's result meta in Proxima's words."""

import msgspec
import pytest

from proxima.broker.results import read_meta
from proxima.errors import FailureKind
from proxima.job import JobOutcome, JobState
from proxima.progress import Reading, Stage

READING = Reading(worker="a@x", slot=0, attempt=1, stage=Stage.ENCODING, percent=12.5)


def test_a_reading_is_read_back():
    meta = {"status": "ENCODING", "result": msgspec.to_builtins(READING)}
    assert read_meta("j", meta).reading == READING


def test_a_reading_that_makes_no_sense_is_still_a_running_job():
    found = read_meta("j", {"status": "ENCODING", "result": {"percent": "x"}})
    assert (found.state, found.reading) == (JobState.ENCODING, None)


def test_an_outcome_is_read_back():
    outcome = JobOutcome(state=JobState.DONE, worker="a@x", seconds=3.5)
    meta = {"status": "SUCCESS", "result": msgspec.to_builtins(outcome)}
    assert read_meta("j", meta).outcome == outcome


def test_a_failure_keeps_kind_message_and_hint():
    stored = {"exc_type": "JobFailed", "exc_message": ["disk_full", "D: is full", "free space"]}
    problem = read_meta("j", {"status": "FAILURE", "result": stored}).outcome.problem
    assert (problem.kind, problem.message, problem.hint) == (
        FailureKind.DISK_FULL,
        "D: is full",
        "free space",
    )


@pytest.mark.parametrize(
    ("stored", "message"),
    [
        ({"exc_type": "TypeError", "exc_message": ["no job_id"]}, "TypeError: no job_id"),
        ({"exc_type": "Lost", "exc_message": "gone"}, "Lost: gone"),
        (
            {"exc_type": "JobFailed", "exc_message": ["new_kind", "m", "h"]},
            "JobFailed: new_kind m h",
        ),
        (None, "error: no reason was stored"),
        ("boom", "error: no reason was stored"),
    ],
)
def test_any_other_failure_is_shown_as_it_stands(stored, message):
    problem = read_meta("j", {"status": "FAILURE", "result": stored}).outcome.problem
    assert (problem.kind, problem.message) == (FailureKind.UNKNOWN, message)


@pytest.mark.parametrize(
    ("status", "state"),
    [
        ("PENDING", JobState.QUEUED),
        ("STARTED", JobState.QUEUED),
        ("REVOKED", JobState.CANCELLED),
        ("RETRY", JobState.QUEUED),
    ],
)
def test_other_states_of_celery_have_their_word(status, state):
    assert read_meta("j", {"status": status}).state is state
