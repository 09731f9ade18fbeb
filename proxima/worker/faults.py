"""What went wrong on this worker, in Proxima's kinds of failure."""

import errno
import re

from proxima.errors import FailureKind, JobFailed, SourceUnreadable
from proxima.printable import printable

_KINDS = {
    errno.ENOENT: (FailureKind.SOURCE_MISSING, "look whether it was moved or its share unmounted"),
    errno.EACCES: (FailureKind.PERMISSION, "give the user of the worker access to it"),
    errno.EPERM: (FailureKind.PERMISSION, "give the user of the worker access to it"),
    errno.EROFS: (FailureKind.PERMISSION, "mount it so that it can be written"),
    errno.ENOSPC: (FailureKind.DISK_FULL, "free space there, then queue it again"),
    errno.EDQUOT: (FailureKind.DISK_FULL, "the quota is used up: free space, then queue it again"),
    errno.EFBIG: (FailureKind.DISK_FULL, "the file system or a limit forbids files of this size"),
    errno.ESTALE: (FailureKind.MOUNT_STALE, "mount the share again on the worker"),
    errno.EIO: (FailureKind.MOUNT_STALE, "look at the disk or the share"),
    errno.ENAMETOOLONG: (FailureKind.PATH_REFUSED, "shorten the name of the source"),
}


def naming(failure: JobFailed, source: str) -> JobFailed:
    """The same, with the name of its file if it says nothing of it."""
    name = printable(re.split(r"[/\\]", source)[-1])
    if name in failure.message:
        return failure
    return JobFailed(failure.kind, f"{name}: {failure.message}", failure.hint)


def as_failure(error: Exception) -> JobFailed:
    """Any exception as the failure of a job."""
    if isinstance(error, JobFailed):
        return error
    if isinstance(error, SourceUnreadable):
        return JobFailed(error.kind, error.message, error.hint)
    if isinstance(error, OSError) and error.errno in _KINDS:
        kind, hint = _KINDS[error.errno]
        return JobFailed(kind, f"{error.filename or 'a file'}: {error.strerror}", hint)
    return JobFailed(
        FailureKind.UNKNOWN, f"{type(error).__name__}: {error}", "the worker's log has the details"
    )
