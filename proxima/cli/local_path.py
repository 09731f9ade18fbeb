"""Portable paths, as this machine names them."""

from collections.abc import Callable

from proxima.errors import ProximaError

#: Turns a portable path into the one of this machine.
LocalPath = Callable[[str], str]


def here(path: str, local: LocalPath) -> str:
    """Return *path* as this machine names it, or as it is where it has no root here."""
    try:
        return str(local(path))
    except ProximaError:
        return path
