"""Whether a failed job is tried again, and whether that counts."""

import pytest

from proxima.broker.history import History
from proxima.broker.lease import Claim, Lease
from proxima.errors import FailureKind, JobFailed
from proxima.job import JobState
from proxima.worker.retries import MOST_RETURNS, Retries, told

CRASH = JobFailed(FailureKind.FFMPEG_CRASHED, "C001.mov: ffmpeg was ended by SIGSEGV", "look")
FULL = JobFailed(FailureKind.DISK_FULL, "C001.mov: no space")


class Leases:
    """Takes everything, and keeps what it was asked."""

    seconds = 30.0

    def __init__(self):
        self.handed_back = []

    def retry(self, lease, problem, *, seconds, counts, done):
        assert lease.worker == "a@x"
        self.handed_back.append((problem.kind, seconds, counts))
        return not done


@pytest.fixture
def leases():
    return Leases()


@pytest.fixture
def hand_back(leases):
    def hand_back(failure, *, peers=("b@y",), retries=2, **history):
        claim = Claim(
            state=JobState.ENCODING,
            lease=Lease(job_id="j", worker="a@x", attempt=1),
            history=History(**history),
        )
        some = Retries(leases=leases, peers=lambda: frozenset(peers))
        return some.hand_back(claim, failure, retries)

    return hand_back


def test_a_failure_that_may_pass_is_tried_again_later_and_counts(hand_back, leases):
    assert hand_back(CRASH)
    assert hand_back(CRASH, failures=1)
    assert leases.handed_back == [
        (FailureKind.FFMPEG_CRASHED, 2.0, True),
        (FailureKind.FFMPEG_CRASHED, 8.0, True),
    ]


def test_after_so_many_retries_it_fails(hand_back, leases):
    assert not hand_back(CRASH, failures=2)
    assert not hand_back(CRASH, retries=0)
    assert leases.handed_back == []


def test_what_is_the_same_everywhere_fails_at_once(hand_back):
    assert not hand_back(JobFailed(FailureKind.SOURCE_DAMAGED, "C001.mov: cut"))


def test_a_workers_own_fault_goes_to_another_and_does_not_count(hand_back, leases):
    assert hand_back(FULL, failures=2)
    assert leases.handed_back == [(FailureKind.DISK_FULL, 1.0, False)]


@pytest.mark.parametrize(
    ("peers", "history"),
    [
        ((), {}),
        (("b@y",), {"failed_on": ("b@y",), "returned": 1}),
        (("b@y",), {"returned": MOST_RETURNS}),
    ],
    ids=["nobody else", "all failed", "too often"],
)
def test_with_nobody_left_it_counts_after_all(hand_back, leases, peers, history):
    assert hand_back(FULL, peers=peers, **history)
    assert leases.handed_back == [(FailureKind.DISK_FULL, 2.0, True)]
    assert not hand_back(FULL, peers=peers, failures=2, **history)


def test_the_last_failure_tells_how_often_and_where_it_was_tried():
    history = History(failures=2, failed_on=("a@edit1", "b@edit2"))
    last = told(CRASH, history, "a@edit1")
    assert last.message == f"{CRASH.message} (tried 3 times: 2 on edit1, 1 on edit2)"
    assert last.hint == "look"


def test_a_first_failure_tells_nothing_of_that():
    assert told(CRASH, History(), "a@edit1") is CRASH
