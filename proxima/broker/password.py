"""The password of our own broker: made once, kept where only its owner can read it."""

import os
import secrets
import stat
import sys
from pathlib import Path

from proxima.errors import BrokerError


def load_or_make(path: Path) -> str:
    """The password kept in *path*; made if there is none. BrokerError if others could read it."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    password = secrets.token_urlsafe(24)
    try:
        # O_EXCL: of two that start at once, one makes it and the other reads it.
        descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except FileExistsError:
        return _load(path)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(password + "\n")
    return password


def _load(path: Path) -> str:
    if sys.platform != "win32" and stat.S_IMODE(path.stat().st_mode) & 0o077:
        raise BrokerError(
            f"others on this machine may read the broker's password in {path} "
            f"(take that away: chmod 600 '{path}', or remove the file for a new password)"
        )
    try:
        password = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise BrokerError(f"cannot read the broker's password in {path}: {error}") from error
    if not password or len(password.split()) > 1:
        raise BrokerError(f"there is no password in {path} (remove the file for a new one)")
    return password
