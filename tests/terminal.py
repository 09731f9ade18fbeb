"""A command in a pseudo-terminal, and what its screen shows."""

import contextlib
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pexpect
import pyte

#: Seconds that anything on a screen may take on a busy machine.
PATIENCE = 60.0


class Terminal:
    """Runs one command and keeps its screen."""

    def __init__(
        self,
        argv: Sequence[str],
        *,
        cwd: Path,
        environment: Mapping[str, str] | None = None,
        columns: int = 100,
        lines: int = 30,
    ) -> None:
        self._screen = pyte.HistoryScreen(columns, lines, history=1000)
        self._stream = pyte.ByteStream(self._screen)
        environment = {**os.environ, "TERM": "xterm-256color", **(environment or {})}
        self.process = pexpect.spawn(
            argv[0], list(argv[1:]), cwd=str(cwd), env=environment, dimensions=(lines, columns)
        )

    def text(self) -> str:
        """What the screen shows."""
        return "\n".join(line.rstrip() for line in self._screen.display).rstrip()

    def resize(self, columns: int, lines: int) -> None:
        """Change the size of the window."""
        self._screen.resize(lines, columns)
        self.process.setwinsize(lines, columns)

    def press(self, keys: str) -> None:
        r"""Type; ``\x03`` is Ctrl-C."""
        self.process.send(keys)

    def until(self, condition: Callable[[str], bool]) -> str:
        """Read until the screen fulfils *condition*; the screen."""
        deadline = time.monotonic() + PATIENCE
        while not condition(self.text()):
            assert time.monotonic() < deadline, f"never seen; the screen shows:\n{self.text()}"
            if not self._read(0.1) and not self.process.isalive():
                self._read(0.1)
                assert condition(self.text()), f"it ended; the screen shows:\n{self.text()}"
        return self.text()

    def until_text(self, *texts: str) -> str:
        """Read until the screen shows all of *texts*."""
        return self.until(lambda screen: all(text in screen for text in texts))

    def wait(self) -> int:
        """Read to the end; the exit code."""
        deadline = time.monotonic() + PATIENCE
        while self.process.isalive():
            assert time.monotonic() < deadline, f"it does not end; the screen:\n{self.text()}"
            self._read(0.1)
        while self._read(0.1):
            pass
        self.process.close()
        code = self.process.exitstatus
        return -self.process.signalstatus if code is None else code

    def kill(self) -> None:
        """End it, however it stands."""
        with contextlib.suppress(Exception):
            self.process.close(force=True)

    def _read(self, seconds: float) -> bool:
        try:
            self._stream.feed(self.process.read_nonblocking(65536, timeout=seconds))
        except pexpect.TIMEOUT:
            return False
        except pexpect.EOF:
            return False
        return True


def proxima_command() -> str:
    """The installed `proxima` of this Python."""
    return str(Path(sys.executable).with_name("proxima"))
