"""The processes of this machine, as /proc shows them."""

import contextlib
import os
import signal
from collections.abc import Iterable
from pathlib import Path


def parents() -> dict[int, int]:
    """Each process and its parent; zombies are left out."""
    found = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, parent = stat.read_text(errors="replace").rpartition(")")[2].split()[:2]
            if state not in "ZX":
                found[int(stat.parent.name)] = int(parent)
    return found


def descendants(root: int) -> list[int]:
    """All below *root*, parents first."""
    table = parents()
    found = [root]
    for pid in found:
        found += [child for child, parent in table.items() if parent == pid]
    return found[1:]


def words(pid: int) -> str:
    """The command line of a process; empty if it is gone."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_text(errors="replace").replace("\0", " ")
    except OSError:
        return ""


def marked(name: str, value: str) -> list[int]:
    """The processes that were started, by whomever, with this variable in their environment."""
    mark = os.fsencode(f"{name}={value}\0")
    found = []
    for pid in parents():
        with contextlib.suppress(OSError):
            if mark in Path(f"/proc/{pid}/environ").read_bytes():
                found.append(pid)
    return found


def send(number: int, pids: Iterable[int]) -> None:
    """Send a signal to each that is still there."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


def is_frozen(pid: int) -> bool:
    """Whether a process was stopped by SIGSTOP."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"
    return False


KILL, STOP, CONTINUE = signal.SIGKILL, signal.SIGSTOP, signal.SIGCONT
