"""LiveScreen: the lines at the bottom of a terminal that are drawn again and again."""

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from types import FrameType
from typing import Self

from rich.cells import get_character_cell_size
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.control import Control
from rich.live import Live
from rich.segment import Segment

from proxima.cli.bars import ASCII

#: Seconds between two drawings.
_LEAST_PAUSE = 0.1
# Where a terminal thinks a character wider than we do, the line is cut rather than wrapped.
_WRAP_OFF, _WRAP_ON = "\x1b[?7l", "\x1b[?7h"

#: Draws for a width and a height in cells.
Drawing = Callable[[int, int], RenderableType]


def can_draw(console: Console) -> bool:
    """Whether *console* is a terminal on which lines can be drawn again."""
    return console.is_terminal and not console.is_dumb_terminal


def spelled_for(console: Console, picture: RenderableType) -> RenderableType:
    """*picture* in characters that the terminal knows."""
    return picture if console.encoding.startswith("utf") else _InAscii(picture)


class LiveScreen:
    """Draws on standard output; at every exit the lines go and the cursor comes back."""

    def __init__(
        self, console: Console | None = None, *, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._console = console or Console()
        self._live = Live(
            console=self._console,
            auto_refresh=False,
            transient=True,
            redirect_stdout=False,
            # Else a log line would be written into the middle of the drawing.
            redirect_stderr=sys.stderr.isatty(),
            vertical_overflow="crop",
        )
        self._monotonic = monotonic
        self._drawn_at = float("-inf")
        self._size = self._console.size
        self._exits = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as exits:
            exits.enter_context(_ended_by_signals())
            exits.enter_context(self._live)
            self._exits = exits.pop_all()
        return self

    def __exit__(self, *exc: object) -> None:
        self._exits.close()

    def draw(self, drawing: Drawing) -> None:
        """Show *drawing*; within a tenth of a second after the last, do nothing."""
        now = self._monotonic()
        if now - self._drawn_at < _LEAST_PAUSE:
            return
        self._drawn_at = now
        size = self._console.size
        if size != self._size:
            # The terminal has rearranged the old lines, nobody knows how.
            self._console.control(Control.clear(), Control.home())
            self._size = size
        # The last line of the terminal stays free: drawing there would make it scroll.
        picture = drawing(size.width, max(size.height - 1, 1))
        with self._unwrapped():
            self._live.update(spelled_for(self._console, picture), refresh=True)

    @contextmanager
    def _unwrapped(self) -> Iterator[None]:
        if not can_draw(self._console) or self._console.legacy_windows:
            yield
            return
        self._console.file.write(_WRAP_OFF)
        try:
            yield
        finally:
            self._console.file.write(_WRAP_ON)
            self._console.file.flush()


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """Make signals that end the process unwind it, unless somebody else handles them."""
    names = ("SIGTERM", "SIGHUP")
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    if threading.current_thread() is not threading.main_thread():
        numbers = []
    taken = [number for number in numbers if signal.getsignal(number) is signal.SIG_DFL]
    for number in taken:
        signal.signal(number, _end)
    try:
        yield
    finally:
        for number in taken:
            if signal.getsignal(number) is _end:
                signal.signal(number, signal.SIG_DFL)


def _end(number: int, _frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


class _InAscii:
    """A drawing for a terminal that knows ASCII only; every cell keeps its place."""

    def __init__(self, picture: RenderableType) -> None:
        self._picture = picture

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for text, style, control in console.render(self._picture, options):
            yield Segment(text if control else _ascii(text), style, control)


def _ascii(text: str) -> str:
    cells = (c if c.isascii() else "?" * get_character_cell_size(c) for c in text.translate(ASCII))
    return "".join(cells)
