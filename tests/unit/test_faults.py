"""Errors of this machine as kinds of failure."""

import errno
import os

import pytest

from proxima.errors import FailureKind, JobFailed, SourceUnreadable
from proxima.worker.faults import as_failure, naming


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        (errno.ENOSPC, FailureKind.DISK_FULL),
        (errno.EDQUOT, FailureKind.DISK_FULL),
        (errno.ESTALE, FailureKind.MOUNT_STALE),
        (errno.EIO, FailureKind.MOUNT_STALE),
        (errno.EACCES, FailureKind.PERMISSION),
        (errno.EROFS, FailureKind.PERMISSION),
        (errno.ENOENT, FailureKind.SOURCE_MISSING),
        (errno.EBADF, FailureKind.UNKNOWN),
    ],
)
def test_an_error_of_the_system_has_its_kind(number, kind):
    """DI-01, DI-04, NW-04: in the words of the system."""
    failure = as_failure(OSError(number, os.strerror(number), "/mnt/C001.mov"))
    assert failure.kind is kind
    assert os.strerror(number) in str(failure)


def test_an_unreadable_source_stays_what_it_is():
    error = SourceUnreadable(FailureKind.SOURCE_DAMAGED, "no moov", "copy it again")
    assert as_failure(error).args == JobFailed(*error.args).args


def test_anything_else_is_shown_with_its_type():
    assert "KeyError" in as_failure(KeyError("x")).message


@pytest.mark.parametrize("source", ["media:/A001/C001.mov", r"Z:\A001\C001.mov"])
def test_a_failure_says_which_file_it_is_about(source):
    failure = JobFailed(FailureKind.OUTPUT_WRONG, "frames 3 instead of 4", "look")
    assert str(naming(failure, source)) == "C001.mov: frames 3 instead of 4 (look)"
    named = JobFailed(FailureKind.MOUNT_STALE, "/mnt/C001.mov: stale")
    assert naming(named, source) is named
