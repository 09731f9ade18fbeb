"""Room for an output, before and while it is made."""

from pathlib import Path

import pytest

from proxima.errors import FailureKind, JobFailed
from proxima.worker.disk_space import FLOOR_BYTES, LOOK_SECONDS, DiskSpace, shortage

GB = 10**9
FOLDER = Path("/media/Proxy")


class Disk:
    total, free = 1000 * GB, 10 * GB

    def __call__(self, folder):
        assert folder == FOLDER
        return self.total, self.free


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def disk():
    return Disk()


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def space(disk, clock):
    return DiskSpace(FOLDER, disk, clock)


def test_an_output_that_fits_is_let_through(space):
    space.require(10 * GB - FLOOR_BYTES, is_exact=True)


def test_one_that_does_not_is_refused_with_the_sizes(space):
    with pytest.raises(JobFailed, match=r"10\.00 GB free, 10\.27 GB needed") as failed:
        space.require(10 * GB, is_exact=True)
    assert failed.value.kind is FailureKind.DISK_FULL


def test_a_rough_estimate_counts_half(space):
    space.require(18 * GB, is_exact=False)
    with pytest.raises(JobFailed):
        space.require(20 * GB, is_exact=False)


def test_where_nobody_knows_the_size_the_floor_must_be_free(space, disk):
    space.require(None, is_exact=False)
    disk.free = FLOOR_BYTES - 1
    with pytest.raises(JobFailed):
        space.require(None, is_exact=False)


def test_an_encode_ends_when_the_disk_is_about_to_be_full(space, disk, clock):
    disk.free = FLOOR_BYTES - 1
    space.check()
    clock.now += LOOK_SECONDS
    with pytest.raises(JobFailed):
        space.check()


def test_between_two_looks_the_disk_is_left_alone(space, disk, clock):
    clock.now += LOOK_SECONDS
    space.check()
    disk.free = 0
    space.check()


def test_a_small_file_system_keeps_a_twentieth_free(disk):
    disk.total, disk.free = 100_000_000, 5_000_000
    assert shortage(FOLDER, 0, disk) is None
    assert shortage(FOLDER, 1, disk) == "5.0 MB free, 5.0 MB needed"


def test_a_folder_that_is_gone_is_told_as_such(clock):
    def gone(folder):
        raise FileNotFoundError(2, "No such file or directory", str(folder))

    with pytest.raises(JobFailed, match="is gone") as failed:
        DiskSpace(FOLDER, gone, clock).require(None, is_exact=False)
    assert failed.value.kind is FailureKind.MOUNT_STALE
