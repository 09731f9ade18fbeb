"""What happens to a job after each kind of failure."""

import pytest

from proxima.errors import FailureKind
from proxima.worker.remedies import LONGEST_DELAY, REMEDIES, Remedy, back_off


def test_every_kind_has_a_remedy():
    assert set(REMEDIES) == set(FailureKind)


@pytest.mark.parametrize(
    ("kind", "remedy"),
    [
        (FailureKind.FFMPEG_CRASHED, Remedy.AGAIN),
        (FailureKind.STALLED, Remedy.AGAIN),
        (FailureKind.MOUNT_STALE, Remedy.AGAIN),
        (FailureKind.DISK_FULL, Remedy.ELSEWHERE),
        (FailureKind.ENCODER_MISSING, Remedy.ELSEWHERE),
        (FailureKind.SOURCE_DAMAGED, Remedy.NONE),
        (FailureKind.OUTPUT_EXISTS, Remedy.NONE),
        (FailureKind.POISONOUS, Remedy.NONE),
    ],
)
def test_a_remedy_fits_its_kind(kind, remedy):
    assert REMEDIES[kind] is remedy


def test_each_retry_waits_longer_than_the_one_before_but_never_too_long():
    assert [back_off(n) for n in range(4)] == [2.0, 8.0, 32.0, 128.0]
    assert back_off(4) == back_off(1000) == LONGEST_DELAY
