"""The folder of a broker's data: nobody else looks into it, and one server at a time uses it."""

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from proxima.errors import BrokerError

#: Names of files in it.
CONFIG, LOG, LOCK, PASSWORD = "valkey.conf", "server.log", "lock", "password"


def own(folder: Path) -> Path:
    """Make *folder* so that nobody else can look into it; its real path."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder = folder.resolve()
        if sys.platform != "win32" and folder.stat().st_mode & 0o077:
            if any(folder.iterdir()) and not (folder / CONFIG).exists():
                raise BrokerError(
                    f"the folder {folder} is open to others and holds other files "
                    "(choose a new folder for the broker's data)"
                )
            folder.chmod(0o700)
    except OSError as error:
        raise BrokerError(
            f"cannot use the folder {folder} for the broker's data: {error.strerror} "
            "(choose another folder)"
        ) from error
    return folder


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[IO[bytes]]:
    """One server to a folder: two would destroy each other's data.

    The lock holds until the file is closed here and in every child that inherited it.
    """
    import fcntl  # not on Windows, which runs no server

    with private(folder / LOCK) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise BrokerError(
                f"another broker uses the folder {folder} (stop it, or choose another folder)"
            ) from None
        yield file


def private(path: Path) -> IO[bytes]:
    """Open a file, perhaps a new one, that only its owner can read."""
    return os.fdopen(os.open(path, os.O_CREAT | os.O_RDWR, 0o600), "rb+", buffering=0)
