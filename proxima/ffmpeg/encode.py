"""Run one ffmpeg command: yield progress, stop when asked, explain failure."""

import contextlib
import os
import queue
import shlex
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO

from proxima.errors import WorkStopped
from proxima.ffmpeg.failures import classify
from proxima.ffmpeg.progress_lines import parse
from proxima.ffmpeg.rest import Rest
from proxima.ffmpeg.stall import StallWatch
from proxima.process.child import PIPE, Child, start
from proxima.progress import Progress

#: Seconds between two looks at whether to stop.
_LOOK_EVERY = 0.2
#: Bytes of the log's end that explain a failure.
_TAIL = 65_536
_PROTOCOL = "file:"

_Lines = queue.SimpleQueue[bytes | None]


def encode(  # noqa: PLR0913 - all by name but the command
    argv: Sequence[str],
    *,
    duration: float | None,
    log: Path,
    should_stop: Callable[[], bool],
    nice: int = 0,
    stall: StallWatch | None = None,
    is_suspended: Callable[[], bool] = lambda: False,
) -> Iterator[Progress]:
    """Run *argv* to its end; what ffmpeg says is added to *log*.

    It stands still while *is_suspended*, where the system can do that.
    *duration* is the output's length in seconds, if known; *nice* is 0 to 19. Closing the
    iterator ends ffmpeg. JobFailed if it fails or, by *stall*, stands still; WorkStopped if
    *should_stop* says so; OSError if it cannot be run. An end without an exception is no proof of a
    good output.
    """

    def look() -> None:
        if should_stop():
            raise WorkStopped
        rest.look()
        if stall:
            stall.check()

    with log.open("ab") as sink:
        sink.write(f"{shlex.join(argv)}\n".encode(errors="surrogateescape"))
        sink.flush()
        begin = sink.tell()
        child = start(argv, stdout=PIPE, stderr=sink, leftover=_leftover(argv))
    rest = Rest(child, is_suspended, stall)
    try:
        _lower_priority(child, nice)
        for progress in parse(_lines(_reader(child), look), duration):
            if stall:
                stall.moved(progress)
            yield progress
        code = _wait(child, look)
    finally:
        child.kill()
    if code:
        raise classify(code, _tail(log, begin), _source_name(argv))


def _reader(child: Child) -> _Lines:
    """Read what ffmpeg writes in a thread of its own; None is the end."""
    lines: _Lines = queue.SimpleQueue()

    def read(pipe: IO[bytes]) -> None:
        with pipe:
            # With a limit, so that noise without an end of line does not fill the memory.
            while line := pipe.readline(_TAIL):
                lines.put(line)
        lines.put(None)

    assert child.stdout is not None  # noqa: S101 - for the type checker: stdout=PIPE
    threading.Thread(
        target=read, args=(child.stdout,), name=f"ffmpeg-{child.pid}", daemon=True
    ).start()
    return lines


def _lines(lines: _Lines, look: Callable[[], None]) -> Iterator[bytes]:
    """What ffmpeg writes, line by line; calls *look* also while it is silent."""
    while True:
        look()
        with contextlib.suppress(queue.Empty):
            line = lines.get(timeout=_LOOK_EVERY)
            if line is None:
                return
            yield line


def _wait(child: Child, look: Callable[[], None]) -> int:
    """Its exit code; it may still write the end of a file to a slow share."""
    while True:
        look()
        with contextlib.suppress(TimeoutError):
            return child.wait(_LOOK_EVERY)


def _lower_priority(child: Child, nice: int) -> None:
    """Let what people do on the machine go first; Windows is left as it is."""
    if nice and sys.platform != "win32":
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PGRP, child.pid, nice)
            # Where Linux shares the processor between sessions first (sched(7), autogroup), only
            # this counts: ffmpeg has a session of its own.
            Path(f"/proc/{child.pid}/autogroup").write_text(str(nice))


def _tail(log: Path, begin: int) -> list[str]:
    """The last lines of this run; other runs may have written before *begin*."""
    with log.open("rb") as file:
        end = file.seek(0, os.SEEK_END)
        file.seek(max(begin, end - _TAIL))
        return file.read().decode(errors="replace").splitlines()


def _leftover(argv: Sequence[str]) -> Path | None:
    """The file that it writes, if it writes one."""
    return Path(_file_name(argv[-1])) if argv[-1].startswith(_PROTOCOL) else None


def _file_name(argument: str) -> str:
    return argument.removeprefix(_PROTOCOL)


def _source_name(argv: Sequence[str]) -> str:
    """The file that is read, as people know it."""
    if "-i" not in argv:
        return "ffmpeg"
    return Path(_file_name(argv[argv.index("-i") + 1])).name
