"""The guard: kills process groups whose owner is gone. Run as a script; imports almost nothing.

The owner holds the other end of our standard input and writes ``+PID`` when a group starts and
``-PID`` when it has ended. At end of file the owner is gone, even after ``kill -9``: every group
that is still on the list is killed. A group may name a file to remove after it: ``+PID PATH``.
"""

import contextlib
import os
import signal
import sys
from collections.abc import Iterable


def watch(lines: Iterable[bytes]) -> dict[int, bytes]:
    """Follow the owner's words to their end; the groups that are then still running."""
    groups: dict[int, bytes] = {}
    for line in lines:
        number, _, leftover = line.rstrip(b"\n")[1:].partition(b" ")
        if line.startswith(b"+"):
            groups[int(number)] = leftover
        else:
            groups.pop(int(number), None)
    return groups


def kill(groups: dict[int, bytes]) -> None:
    """Kill each group, then remove what it leaves."""
    for group, leftover in groups.items():
        with contextlib.suppress(OSError):
            _end(group)
        if leftover:
            with contextlib.suppress(OSError):
                os.unlink(bytes.fromhex(leftover.decode()))  # noqa: PTH108 - imports cost start-up


def _end(group: int) -> None:
    """Kill one group; Windows knows none, there the process alone."""
    if sys.platform == "win32":
        os.kill(group, signal.SIGTERM)
    else:
        os.killpg(group, signal.SIGKILL)


if __name__ == "__main__":
    # Whatever ends the owner must not end us before our work is done.
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    kill(watch(sys.stdin.buffer))
