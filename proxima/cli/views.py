"""Choosing how a batch is shown: on a terminal, in plain lines, or as JSON."""

from typing import Protocol, Self

from rich.console import Console

from proxima.cli.batch_summary import summary
from proxima.cli.json_lines import JsonLines
from proxima.cli.live_screen import can_draw
from proxima.cli.live_view import LiveView
from proxima.cli.local_path import LocalPath
from proxima.cli.plain_lines import PlainLines
from proxima.queuer.standing import BatchStanding


class View(Protocol):
    """Whatever shows a batch; a context manager."""

    def __enter__(self) -> Self:
        """Take the terminal."""

    def __exit__(self, *exc: object) -> None:
        """Leave the terminal as it was."""

    def show(self, standing: BatchStanding, notice: str = "") -> None:
        """Show how the batch stands now, and perhaps a word to the user."""

    def finish(self, standing: BatchStanding, exit_code: int) -> None:
        """Say how it ended."""


def choose_view(
    *, as_json: bool, local: LocalPath, start_worker: str, from_the_start: bool
) -> View:
    """The view that fits standard output."""
    if as_json:
        return _AsJson(JsonLines(local=local, from_the_start=from_the_start))
    console = Console()
    if can_draw(console):
        return _OnTerminal(console, local, start_worker)
    lines = PlainLines(start_worker=start_worker, from_the_start=from_the_start)
    return _AsLines(lines, local)


class _Quiet:
    """A view that needs no terminal."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        pass


class _OnTerminal:
    def __init__(self, console: Console, local: LocalPath, start_worker: str) -> None:
        self._console, self._local = console, local
        self._view = LiveView(console, start_worker=start_worker)

    def __enter__(self) -> Self:
        self._view.__enter__()
        return self

    def __exit__(self, *exc: object) -> None:
        self._view.__exit__(*exc)

    def show(self, standing: BatchStanding, notice: str = "") -> None:
        self._view.show(standing, notice)

    def finish(self, standing: BatchStanding, exit_code: int) -> None:  # noqa: ARG002
        self._view.__exit__(None, None, None)
        self._console.print(summary(standing, self._console.width, local=self._local))


class _AsLines(_Quiet):
    def __init__(self, lines: PlainLines, local: LocalPath) -> None:
        self._lines, self._local = lines, local

    def show(self, standing: BatchStanding, notice: str = "") -> None:
        self._lines.show(standing, notice)

    def finish(self, standing: BatchStanding, exit_code: int) -> None:  # noqa: ARG002
        self._lines.finish(standing, local=self._local)


class _AsJson(_Quiet):
    def __init__(self, lines: JsonLines) -> None:
        self._lines = lines

    def show(self, standing: BatchStanding, notice: str = "") -> None:  # noqa: ARG002
        self._lines.show(standing)

    def finish(self, standing: BatchStanding, exit_code: int) -> None:
        self._lines.finish(standing, exit_code=exit_code)
