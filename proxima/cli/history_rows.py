"""The rows of `proxima batches`: as many columns as there is room for."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.text import Text

from proxima.cli.cells import cropped, fit, one_line
from proxima.cli.durations import clock, hours, moment, realtime
from proxima.job import JobState
from proxima.queuer.farm_standing import BatchLine

#: Titles, in order; the number says which goes first where there is no room: the highest.
_COLUMNS = {
    "batch": 0,
    "label": 0,
    "from": 3,
    "sent": 1,
    "done": 0,
    "took": 0,
    "media": 4,
    "speed": 2,
    "on": 5,
}
#: Least cells of the columns that may be shortened.
_LEAST = {"label": 8, "from": 10, "on": 8}


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryRow:
    """One batch, its cells by the titles of the columns."""

    cells: dict[str, str]
    is_good: bool


def history_row(line: BatchLine) -> HistoryRow:
    """What is told of a batch."""
    one = line.batch
    cells = (
        one.id,
        one_line(one.label),
        one_line(f"{one.user}@{one.host}"),
        moment(line.sent).rpartition(":")[0],
        done_of(line),
        clock(line.seconds) if line.seconds is not None else "",
        hours(line.media_done),
        realtime(line.speed).removesuffix(" realtime") if line.speed else "",
        hosts_of(line),
    )
    is_good = not line.counts[JobState.FAILED]
    return HistoryRow(cells=dict(zip(_COLUMNS, cells, strict=True)), is_good=is_good)


def history_rows(lines: Sequence[BatchLine], width: int | None) -> list[Text]:
    """A line of titles, and one for each batch, of at most *width* cells if given."""
    rows = [history_row(line) for line in lines]
    cells = {
        title: max([cell_len(title), *(cell_len(row.cells[title]) for row in rows)])
        for title in _COLUMNS
    }
    shape = cells if width is None else _fitted(cells, width)
    titles = "  ".join(fit(title, room) for title, room in shape.items()).rstrip()
    drawn = [Text(titles, style="dim")]
    drawn += [_row(row, shape) for row in rows]
    return drawn if width is None else [cropped(line, width) for line in drawn]


def done_of(line: BatchLine) -> str:
    """``9/10, 1 failed``."""
    pieces = [f"{line.counts[JobState.DONE]}/{line.jobs}"]
    states = (JobState.FAILED, JobState.CANCELLED, JobState.ENCODING)
    pieces += [f"{line.counts[state]} {state}" for state in states if line.counts[state]]
    return ", ".join(pieces)


def hosts_of(line: BatchLine) -> str:
    """The hosts that worked on it, the busiest first."""
    return ", ".join(one_line(host) for host, _ in Counter(line.hosts).most_common())


def _fitted(cells: dict[str, int], width: int) -> dict[str, int]:
    """Shorten what may be short; where that is not enough, leave columns out."""
    kept = dict(cells)
    while True:
        over = sum(kept.values()) + 2 * (len(kept) - 1) - width
        for title in sorted(_LEAST.keys() & kept, key=lambda name: -kept[name]):
            less = min(max(over, 0), max(kept[title] - _LEAST[title], 0))
            kept[title] -= less
            over -= less
        last = max(kept, key=lambda title: _COLUMNS[title])
        if over <= 0 or not _COLUMNS[last]:
            return kept
        del kept[last]
        # With one column less the others may be as wide as they like again.
        kept = {title: cells[title] for title in kept}


def _row(row: HistoryRow, shape: dict[str, int]) -> Text:
    line = Text()
    for title, room in shape.items():
        style = "red" if title == "done" and not row.is_good else ""
        line.append("  " if line else "").append(fit(row.cells[title], room), style)
    line.rstrip()
    return line
