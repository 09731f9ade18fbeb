"""Noticing an ffmpeg that stands still."""

import pytest

from proxima.errors import FailureKind, JobFailed
from proxima.ffmpeg.stall import StallWatch
from proxima.progress import Progress


class Clock:
    now = 50.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def watch(clock):
    return StallWatch(120, clock)


def at(position, frame=0):
    return Progress(position=position, frame=frame, duration=100.0)


def test_one_that_never_says_anything_stalls(watch, clock):
    clock.now += 119
    watch.check()
    clock.now += 1
    with pytest.raises(JobFailed, match="no further for 120 s") as failed:
        watch.check()
    assert failed.value.kind is FailureKind.STALLED


def test_saying_the_same_again_is_no_movement(watch, clock):
    watch.moved(at(4.0, 100))
    clock.now += 120
    watch.moved(at(4.0, 100))
    with pytest.raises(JobFailed, match=r"frame 100, 4\.00 s"):
        watch.check()


@pytest.mark.parametrize("reading", [at(4.0, 101), at(4.1, 100)])
def test_another_frame_or_another_position_is_a_movement(watch, clock, reading):
    watch.moved(at(4.0, 100))
    clock.now += 119
    watch.moved(reading)
    clock.now += 119
    watch.check()


def test_the_end_of_a_file_may_take_ten_times_as_long(watch, clock):
    watch.moved(at(99.5, 2490))
    clock.now += 1199
    watch.check()
    clock.now += 1
    with pytest.raises(JobFailed):
        watch.check()
