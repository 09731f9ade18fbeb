"""Why a file cannot be probed, in one line that any terminal can print."""

import errno
import os
from pathlib import Path

from proxima.errors import FailureKind, SourceUnreadable
from proxima.printable import printable

#: What the system says of a file: kind, words, what to do.
_TROUBLE = {
    errno.ENOENT: (FailureKind.SOURCE_MISSING, "there is no such file", ""),
    errno.ENOTDIR: (FailureKind.SOURCE_MISSING, "there is no such file", ""),
    errno.ELOOP: (FailureKind.SOURCE_MISSING, "a link that leads back to itself", ""),
    errno.ENAMETOOLONG: (FailureKind.SOURCE_MISSING, "the name is too long for a file", ""),
    errno.EACCES: (FailureKind.PERMISSION, "no permission to read it", "ask for access"),
    errno.EPERM: (FailureKind.PERMISSION, "no permission to read it", "ask for access"),
    errno.EISDIR: (FailureKind.SOURCE_UNSUITABLE, "a folder, not a clip", ""),
}
#: What a share says that went away.
_STALE = {errno.ESTALE, errno.EIO, errno.ENOTCONN, errno.EHOSTDOWN, errno.ETIMEDOUT}


def refusal(path: Path, kind: FailureKind, what: str, hint: str = "") -> SourceUnreadable:
    """The error about *path*: what is wrong with it, and what to do."""
    return SourceUnreadable(kind, f"{printable(path)}: {what}", hint)


def system_refusal(path: Path, error: OSError) -> SourceUnreadable:
    """What an error of the system says about *path*."""
    if error.errno == errno.ENOENT and path.is_symlink():
        target = printable(path.readlink())
        return refusal(
            path, FailureKind.SOURCE_MISSING, f"a dead link; {target} is not there", "relink it"
        )
    if error.errno in _STALE:
        what = f"the storage does not answer ({os.strerror(error.errno or 0)})"
        return refusal(path, FailureKind.MOUNT_STALE, what, "mount the share again")
    unknown = (FailureKind.UNKNOWN, error.strerror or str(error), "")
    return refusal(path, *_TROUBLE.get(error.errno or 0, unknown))
