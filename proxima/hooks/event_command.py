"""EventCommand: a program that is run for each event."""

import contextlib
import signal
import tempfile
from collections.abc import Sequence

from proxima.errors import HandlingFailed
from proxima.event import Event
from proxima.hooks.event_text import LocalPath, json_text, localised, variables
from proxima.process import child


class EventCommand:
    """Runs *argv*, as it stands and without a shell, with the event on its standard input."""

    def __init__(self, argv: Sequence[str], timeout: float, local: LocalPath) -> None:
        """*timeout* is in seconds."""
        self._argv, self._timeout, self._local = list(argv), timeout, local
        self._running: child.Child | None = None

    def __call__(self, event: Event, count: int) -> None:
        """Handle the event; HandlingFailed unless the program ends with 0."""
        told = localised(event, self._local)
        name = self._argv[0]
        # A file, not a pipe: a program that reads nothing must not hold us up.
        with tempfile.TemporaryFile() as text:
            text.write(json_text(told).encode() + b"\n")
            text.seek(0)
            try:
                running = self._running = child.start(
                    self._argv,
                    stdin=text,
                    stdout=None,
                    stderr=None,
                    environment=variables(told, count),
                )
            except OSError as error:
                raise HandlingFailed(f"{name} cannot be run: {error.strerror}") from None
        try:
            code = running.wait(self._timeout)
        except TimeoutError:
            running.stop()
            raise HandlingFailed(f"{name} took over {self._timeout:g} s") from None
        finally:
            self._running = None
        if code:
            raise HandlingFailed(f"{name} {_ending(code)}")

    def abort(self) -> None:
        """End what runs now; the event is tried again."""
        if running := self._running:
            running.signal(signal.SIGTERM)


def _ending(code: int) -> str:
    if code > 0:
        return f"ended with exit code {code}"
    with contextlib.suppress(ValueError):
        return f"was ended by {signal.Signals(-code).name}"
    return f"was ended by signal {-code}"
