"""The rows of batches in `proxima status`."""

from collections.abc import Sequence

from rich.cells import cell_len
from rich.text import Text

from proxima.cli.bars import bar, percent
from proxima.cli.cells import cropped, fit, one_line
from proxima.cli.durations import clock, ready_by
from proxima.job import JobState
from proxima.queuer.farm_standing import BatchLine, FarmStanding

#: Cells: the id, ``62%``, ``1:02:05``, ``Tue 09:10``.
_ID, _PERCENT, _LEFT, _READY = 8, 4, 7, 9


def batch_rows(standing: FarmStanding, width: int) -> list[Text]:
    """A line of titles, and one for each batch, those that have not ended first."""
    batches = sorted(standing.batches, key=lambda batch: batch.is_finished)
    done = [_done(batch) for batch in batches]
    shape = _Shape(width, batches, done)
    rows = [shape.titles()]
    for batch, counts in zip(batches, done, strict=True):
        rows.append(shape.row(batch, counts, standing.now))
    return rows


class _Shape:
    """How many cells each column takes; the bar has what the others leave."""

    def __init__(self, width: int, batches: Sequence[BatchLine], done: Sequence[Text]) -> None:
        self._width = width
        self._gap = " " if width < 72 else "  "
        self._done = min(max([4, *(text.cell_len for text in done)]), max(width // 4, 8))
        owners = [cell_len(_owner(batch)) for batch in batches]
        self._owner = min(max([4, *owners]), 24) if width >= 100 else 0
        labels = [cell_len(one_line(batch.batch.label)) for batch in batches]
        self._label = min(max([5, *labels]), width // 4)
        fixed = _ID + self._label + self._owner + self._done + _PERCENT + _LEFT + _READY
        gaps = len(self._gap) * (7 if self._owner else 6)
        self._bar = min(max(width - fixed - gaps, 0), 40)

    def titles(self) -> Text:
        """The names of the columns."""
        line = self._start(fit("batch", _ID), "label", "from", Text("done"))
        line.append(" " * (self._bar + _PERCENT + 2 * len(self._gap)))
        line.append(fit("left", _LEFT, right=True) + self._gap + fit("ready by", _READY))
        line.stylize("dim")
        return cropped(line, self._width)

    def row(self, batch: BatchLine, done: Text, now: float) -> Text:
        """One batch."""
        one = batch.batch
        line = self._start(one.id, one_line(one.label), _owner(batch), done)
        style = "green" if batch.is_finished else "cyan"
        line.append_text(bar(batch.fraction, self._bar, style=style, lost=batch.lost_fraction))
        share = percent(batch.fraction, is_done=batch.is_finished)
        line.append(self._gap).append(fit(share, _PERCENT, right=True), "bold").append(self._gap)
        left, ready = _time(batch, now)
        line.append(fit(left, _LEFT, right=True)).append(self._gap).append(ready, "bold")
        return cropped(line, self._width)

    def _start(self, batch_id: str, label: str, owner: str, done: Text) -> Text:
        line = Text.assemble((fit(batch_id, _ID), "dim"), self._gap, fit(label, self._label))
        if self._owner:
            line.append(self._gap).append(fit(owner, self._owner), "dim")
        done = done.copy()
        done.truncate(self._done, overflow="ellipsis", pad=True)
        return line.append(self._gap).append_text(done).append(self._gap)


def _owner(batch: BatchLine) -> str:
    return one_line(f"{batch.batch.user}@{batch.batch.host}")


def _done(batch: BatchLine) -> Text:
    """``12/40``, and what failed or was cancelled."""
    done = batch.counts[JobState.DONE]
    style = "green" if done == batch.jobs else ""
    line = Text(f"{done}/{batch.jobs}", style)
    for state, style in ((JobState.FAILED, "red"), (JobState.CANCELLED, "yellow")):
        if count := batch.counts[state]:
            line.append(" ").append(f"{count} {state}", style)
    return line


def _time(batch: BatchLine, now: float) -> tuple[str, str]:
    """Time left and when it will be ready; of one that has ended how long it took."""
    if batch.is_finished:
        return "", f"in {clock(batch.seconds)}" if batch.seconds is not None else ""
    if batch.is_paused:
        return "paused", ""
    if not batch.has_worker:
        return "", "no worker"
    if batch.eta_seconds is None:
        return "unknown", ""
    return clock(batch.eta_seconds), ready_by(now, batch.eta_seconds) or ""
