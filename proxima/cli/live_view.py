"""The live view of a batch: a function of its standing, and its place on the terminal."""

from collections.abc import Iterable
from typing import Self

from rich.console import Console, Group, RenderableType
from rich.text import Text

from proxima.cli import overview
from proxima.cli.cells import cropped, folded
from proxima.cli.job_rows import job_rows
from proxima.cli.labels import FileNames
from proxima.cli.live_screen import LiveScreen
from proxima.job import JobState
from proxima.queuer.standing import BatchStanding

#: Cells: on wider terminals the eye would lose the row between its name and its numbers.
MOST_WIDTH = 160


def render(
    standing: BatchStanding,
    *,
    width: int,
    height: int,
    names: FileNames | None = None,
    start_worker: str = "proxima work",
    notice: str = "",
) -> RenderableType:
    """Draw *standing* in at most *height* lines of at most *width* cells, none of them wrapped.

    *start_worker* is the command to show when no worker is alive, *notice* a line to show above
    the rows. Pass *names* where many standings of one large batch are drawn.
    """
    names = names or FileNames.of(standing.batch)
    width = min(width, MOST_WIDTH)
    above = _above(standing, names, width, start_worker)
    if notice:
        lines = [Text(line, style="bold yellow") for line in folded(notice, width, indent="")]
        above.append((1, lines))
    lines = _fitted(above, height - min(_rows_wanted(standing), height * 2 // 5))
    lines += _rows(standing, names, width, height - len(lines))
    return Group(*lines[:height])


def _above(
    standing: BatchStanding, names: FileNames, width: int, start_worker: str
) -> list[tuple[int, list[Text]]]:
    """Return the upper part, each block with its rank: the higher, the sooner it is left out."""
    return [
        (4, [overview.header(standing, width)]),
        (0, [overview.aggregate(standing, width)]),
        (1, overview.count(standing, width)),
        (3, overview.pace(standing, width)),
        (2, overview.troubles(standing, width, start_worker)),
        (5, overview.newest(standing, names, width)),
    ]


def _fitted(blocks: Iterable[tuple[int, list[Text]]], height: int) -> list[Text]:
    """Leave out the least important blocks until the others fit into *height* lines."""
    kept = list(blocks)
    while sum(len(lines) for _, lines in kept) > max(height, 1) and len(kept) > 1:
        kept.remove(max(kept, key=lambda block: block[0]))
    return [line for _, lines in kept for line in lines]


def _rows_wanted(standing: BatchStanding) -> int:
    return len(standing.running) + bool(standing.count(JobState.QUEUED))


def _rows(standing: BatchStanding, names: FileNames, width: int, room: int) -> list[Text]:
    """Draw the running jobs, and a line for the rest."""
    running, queued = standing.running, standing.count(JobState.QUEUED)
    if room <= 0 or not (running or queued):
        return []
    # A blank line, if there is room for it.
    space = [Text()] if room > _rows_wanted(standing) else []
    room -= len(space)
    fits = len(running) + bool(queued) <= room
    shown = len(running) if fits else room - 1
    rows = job_rows(running, names, width=width, rows=shown)
    rest = _rest(queued, len(running) - shown, alone=not shown)
    return space + rows + ([cropped(Text(rest, style="dim"), width)] if rest else [])


def _rest(waiting: int, more: int, *, alone: bool) -> str:
    parts = [f"{waiting} waiting"] if waiting else []
    if more:
        parts.append(f"{more} running" if alone else f"{more} running more")
    return f"{'' if alone else 'and '}{', '.join(parts)}" if parts else ""


class LiveView:
    """The live view on a terminal; a context manager that leaves the terminal as it was."""

    def __init__(
        self, console: Console | None = None, *, start_worker: str = "proxima work"
    ) -> None:
        self._screen = LiveScreen(console)
        self._start_worker = start_worker
        self._names: FileNames | None = None

    def __enter__(self) -> Self:
        self._screen.__enter__()
        return self

    def __exit__(self, *exc: object) -> None:
        self._screen.__exit__(*exc)

    def show(self, standing: BatchStanding, notice: str = "") -> None:
        """Draw *standing*, of the same batch each time; too soon after the last, do nothing."""
        names = self._names = self._names or FileNames.of(standing.batch)
        self._screen.draw(
            lambda width, height: render(
                standing,
                width=width,
                height=height,
                names=names,
                start_worker=self._start_worker,
                notice=notice,
            )
        )
