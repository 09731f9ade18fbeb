"""Starting the worker process; what it is told and what it says."""

import contextlib
import sys
from collections.abc import Iterator
from typing import IO

import msgspec

from proxima.process import child
from proxima.worker.settings import WorkerSettings
from proxima.worker.slot_board import WorkerStanding


def start_worker(
    settings: WorkerSettings, *, stdout: child.Pipe, stderr: child.Pipe
) -> child.Child:
    """Start a worker process that dies with us."""
    worker = child.start(
        [sys.executable, "-m", "proxima.worker"], stdin=child.PIPE, stdout=stdout, stderr=stderr
    )
    assert worker.stdin is not None  # noqa: S101 - for the type checker: stdin=PIPE
    # Killed before it read them: whoever waits for it will see.
    with contextlib.suppress(BrokenPipeError), worker.stdin as words:
        words.write(msgspec.json.encode(settings))
    return worker


def standings(stdout: IO[bytes]) -> Iterator[WorkerStanding]:
    """What a worker process says of itself, until it ends."""
    for line in stdout:
        yield msgspec.json.decode(line, type=WorkerStanding)
