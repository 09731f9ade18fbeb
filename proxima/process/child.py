"""Child: a process in its own group, which ends for certain, also when we are killed."""

import atexit
import contextlib
import errno
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

#: Seconds between asking a group to end and killing it.
GRACE_SECONDS = 2.0

Pipe = int | IO[bytes] | None
PIPE = subprocess.PIPE
DEVNULL = subprocess.DEVNULL
STDOUT = subprocess.STDOUT


class _Guard:
    """The one guard of this process, started with the first child."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0
        self._groups: dict[int, bytes] = {}

    def add(self, group: int, leftover: bytes) -> None:
        with self._lock:
            self._groups[group] = leftover
            self._say(_line(b"+", group, leftover))

    def remove(self, group: int) -> None:
        with self._lock:
            self._groups.pop(group, None)
            self._say(_line(b"-", group))

    def end(self) -> None:
        """Let the guard see the end of file, and wait for it; what still runs is killed."""
        guard, self._process = self._process, None
        if guard and guard.stdin and self._owner == os.getpid():
            guard.stdin.close()
            guard.wait()

    def _say(self, line: bytes) -> None:
        # A forked child shares the pipe, but must not speak for its parent.
        if self._process is None or self._owner != os.getpid():
            self._start()
        else:
            self._write(line)

    def _start(self) -> None:
        """Start a guard that knows of all groups."""
        self._owner = os.getpid()
        self._process = subprocess.Popen(
            # -I -S: no site-packages, so that it starts in 15 ms.
            [sys.executable, "-I", "-S", str(Path(__file__).with_name("guard.py"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            start_new_session=True,
        )
        threading.Thread(target=self._replace, args=(self._process,), daemon=True).start()
        self._write(b"".join(_line(b"+", *item) for item in self._groups.items()))

    def _write(self, text: bytes) -> None:
        # If it was killed just now, the next one is told of all groups.
        with contextlib.suppress(OSError):
            if self._process and self._process.stdin:
                self._process.stdin.write(text)

    def _replace(self, guard: "subprocess.Popen[bytes]") -> None:
        """Start another guard if this one is killed; for a thread of its own."""
        guard.wait()
        with self._lock:
            if self._process is guard:
                if guard.stdin:
                    guard.stdin.close()
                self._process = None
                if self._groups:
                    self._start()


def _line(mark: bytes, group: int, leftover: bytes = b"") -> bytes:
    """One word to the guard; names are sent in hexadecimal, as they may hold newlines."""
    name = b" " + leftover.hex().encode() if leftover else b""
    return mark + str(group).encode() + name + b"\n"


_GUARD = _Guard()
atexit.register(_GUARD.end)


class Child:
    """A running process with its whole group; use `start` to make one."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self._process = process
        self._reaped = False
        self.pid = process.pid
        #: Its ends of the pipes; None where no PIPE was asked for.
        self.stdin, self.stdout, self.stderr = process.stdin, process.stdout, process.stderr

    def poll(self) -> int | None:
        """The exit code, negative for a signal; None while it runs."""
        return self._ended(self._process.poll())

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end and give the exit code; TimeoutError after *timeout* seconds."""
        try:
            code = self._process.wait(timeout)
        except subprocess.TimeoutExpired:
            raise TimeoutError(f"process {self.pid} still runs") from None
        self._ended(code)
        return code

    def signal(self, number: int) -> None:
        """Send a signal to the whole group; nothing happens if it has ended."""
        # Once reaped, the number may belong to somebody else.
        if self._reaped:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if sys.platform == "win32":
                self._process.send_signal(number)
            else:
                os.killpg(self.pid, number)

    def kill(self) -> int:
        """End the whole group at once and give the exit code."""
        self.signal(signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL)
        return self.wait()

    def stop(self, grace: float = GRACE_SECONDS) -> int:
        """Ask the group to end, kill it after *grace* seconds, and give the exit code."""
        self.signal(signal.SIGTERM)
        try:
            return self.wait(grace)
        except TimeoutError:
            return self.kill()

    def _ended(self, code: int | None) -> int | None:
        if code is not None and not self._reaped:
            self._reaped = True
            _GUARD.remove(self.pid)
        return code


def start(
    argv: Sequence[str],
    *,
    stdin: Pipe = DEVNULL,
    stdout: Pipe = DEVNULL,
    stderr: Pipe = DEVNULL,
    environment: Mapping[str, str] | None = None,
    leftover: Path | None = None,
) -> Child:
    """Start *argv* in a group of its own that dies with us; OSError if it cannot be run.

    *leftover* is a file that is removed if we die first. With *stdin* of PIPE it must read to the
    end before it does anything: see `_gated`.
    """
    gated = stdin == DEVNULL and sys.platform != "win32"
    process = subprocess.Popen(
        _gated(argv) if gated else list(argv),
        stdin=PIPE if gated else stdin,
        stdout=stdout,
        stderr=stderr,
        env=None if environment is None else {**os.environ, **environment},
        start_new_session=True,
    )
    _GUARD.add(process.pid, os.fsencode(leftover) if leftover else b"")
    if gated:
        _open_gate(process)
    return Child(process)


def _gated(argv: Sequence[str]) -> list[str]:
    """*argv* behind a gate that opens once the guard knows of it, and never if we die before.

    The words are arguments of the shell, which reads none of them.
    """
    program = shutil.which(argv[0])
    if program is None:
        raise FileNotFoundError(errno.ENOENT, "there is no such program that we may run", argv[0])
    return ["/bin/sh", "-c", 'read -r _ && exec "$@" </dev/null', "gate", program, *argv[1:]]


def _open_gate(process: "subprocess.Popen[bytes]") -> None:
    assert process.stdin is not None  # noqa: S101 - for the type checker: gated is PIPE
    with contextlib.suppress(BrokenPipeError), process.stdin as gate:
        gate.write(b"\n")
    process.stdin = None


def run(argv: Sequence[str], *, timeout: float) -> tuple[int, str, str]:
    """Run *argv* to its end: exit code, standard output, standard error.

    Bytes that are no UTF-8 are replaced. OSError if it cannot be run, TimeoutError after
    *timeout* seconds.
    """
    child = start(argv, stdout=PIPE, stderr=PIPE)
    try:
        out, err = child._process.communicate(timeout=timeout)  # noqa: SLF001 - same module
    except subprocess.TimeoutExpired:
        child.kill()
        child._process.communicate()  # noqa: SLF001 - closes the pipes
        raise TimeoutError(f"{argv[0]} took over {timeout:g} s") from None
    return child.wait(), out.decode(errors="replace"), err.decode(errors="replace")
