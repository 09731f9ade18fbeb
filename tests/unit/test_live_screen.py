"""The lines of a terminal that are drawn again and again."""

import io
import signal

import pytest
from rich.console import Console
from rich.text import Text
from standings import make_job, make_standing, running

from proxima.cli.live_screen import LiveScreen, can_draw
from proxima.cli.live_view import LiveView

SHOW_CURSOR, HIDE_CURSOR = "\x1b[?25h", "\x1b[?25l"
WRAP_OFF, WRAP_ON = "\x1b[?7l", "\x1b[?7h"
CLEAR = "\x1b[2J"


class Clock:
    """Time that passes when a test says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def terminal(encoding: str = "utf-8", **options: object) -> Console:
    file = io.TextIOWrapper(io.BytesIO(), encoding=encoding, write_through=True)
    size = {"width": 60, "height": 10, **options}
    return Console(file=file, force_terminal=True, legacy_windows=False, _environ={}, **size)


def written(console: Console) -> str:
    return console.file.buffer.getvalue().decode(console.encoding)


def test_it_draws_at_most_ten_times_a_second() -> None:
    console, clock = terminal(), Clock()
    with LiveScreen(console, monotonic=clock) as screen:
        for now in (0.0, 0.05, 0.09, 0.11):
            clock.now = now
            screen.draw(lambda _width, _height, now=now: Text(f"at {now}"))
    assert "at 0.0" in written(console)
    assert "at 0.11" in written(console)
    assert "at 0.05" not in written(console)
    assert "at 0.09" not in written(console)


def test_the_drawing_is_told_the_size_and_leaves_the_last_line_free() -> None:
    sizes = []
    with LiveScreen(terminal(width=72, height=20)) as screen:
        screen.draw(lambda width, height: sizes.append((width, height)) or Text())
    assert sizes == [(72, 19)]


def test_after_a_resize_it_draws_on_an_empty_screen() -> None:
    console, clock = terminal(), Clock()
    with LiveScreen(console, monotonic=clock) as screen:
        screen.draw(lambda *_: Text("first"))
        clock.now = 1.0
        screen.draw(lambda *_: Text("second"))
        assert CLEAR not in written(console)
        clock.now, console.width = 2.0, 40
        screen.draw(lambda width, _: Text(f"third in {width}"))
    assert CLEAR in written(console)
    assert "third in 40" in written(console)


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, ValueError])
def test_the_cursor_comes_back_at_every_exit(error: type[BaseException]) -> None:
    console = terminal()
    with pytest.raises(error), LiveScreen(console) as screen:  # noqa: PT012 - what is under test
        screen.draw(lambda *_: Text("drawn"))
        assert written(console).count(HIDE_CURSOR) == 1
        raise error
    assert written(console).rindex(SHOW_CURSOR) > written(console).rindex(HIDE_CURSOR)


def test_a_drawing_that_fails_leaves_wrapping_on() -> None:
    class Broken:
        def __rich__(self) -> str:
            raise ValueError("broken")

    console = terminal()
    with pytest.raises(ValueError, match="broken"), LiveScreen(console) as screen:
        screen.draw(lambda *_: Broken())
    assert written(console).rindex(WRAP_ON) > written(console).rindex(WRAP_OFF)


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="no such signal on Windows")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_signal_that_ends_the_process_gives_the_cursor_back_first(name: str) -> None:
    number, console = getattr(signal, name), terminal()
    with pytest.raises(SystemExit) as exit_, LiveScreen(console):
        signal.raise_signal(number)
    assert exit_.value.code == 128 + number
    assert written(console).rindex(SHOW_CURSOR) > written(console).rindex(HIDE_CURSOR)
    assert signal.getsignal(number) is signal.SIG_DFL


def test_a_signal_that_somebody_handles_is_left_to_them() -> None:
    def handler(*_: object) -> None:
        """Stand for the worker's own."""

    before = signal.signal(signal.SIGTERM, handler)
    try:
        with LiveScreen(terminal()):
            assert signal.getsignal(signal.SIGTERM) is handler
        assert signal.getsignal(signal.SIGTERM) is handler
    finally:
        signal.signal(signal.SIGTERM, before)


def test_a_terminal_without_unicode_gets_ascii_in_the_same_cells() -> None:
    console = terminal("latin-1")
    with LiveScreen(console) as screen:
        screen.draw(lambda *_: Text("━━╾─╌ 東京… é"))
    assert "==>-x ????~ ?" in written(console)


def test_a_dumb_terminal_cannot_be_drawn_on() -> None:
    assert can_draw(terminal())
    assert not can_draw(Console(file=io.StringIO()))
    dumb = Console(file=io.StringIO(), force_terminal=True, _environ={"TERM": "dumb"})
    assert not can_draw(dumb)


def test_the_live_view_draws_a_standing_and_leaves_nothing_behind() -> None:
    console = terminal()
    with LiveView(console, start_worker="proxima work") as view:
        view.show(make_standing(running(make_job(1))), "Press it again.")
        assert "C001.mov" in written(console)
        assert "Press it again." in written(console)
        shown = len(written(console))
    assert "C001.mov" not in written(console)[shown:].rsplit("\x1b[2K", 1)[-1]
