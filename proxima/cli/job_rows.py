"""The rows of running jobs: file, worker, bar, percent, frames per second, time left."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.text import Text

from proxima.cli.bars import bar, percent, pulse
from proxima.cli.cells import cropped, fit, one_line
from proxima.cli.durations import clock
from proxima.cli.labels import FileNames, worker_label
from proxima.progress import Reading, Stage
from proxima.queuer.standing import JobStanding

#: Cells: ``62%``, ``142 fps``, ``1:02:05``.
_PERCENT, _FPS, _LEFT = 4, 7, 7


@dataclass(frozen=True, slots=True, kw_only=True)
class RowLayout:
    """How many cells each column takes; the bar has what the others leave."""

    width: int
    name: int
    worker: int
    bar: int
    gap: str

    @classmethod
    def of(cls, width: int, *, name: int, worker: int) -> "RowLayout":
        """Share *width* out; *name* and *worker* are what they would like to have."""
        gap = 1 if width < 72 else 2
        worker = min(worker, 11 if width < 72 else 16 if width < 100 else 24)
        least_bar = 6 if width < 72 else 12 if width < 100 else 24
        room = width - worker - _PERCENT - _FPS - _LEFT - 5 * gap
        name = max(min(name, room - least_bar, max(width * 3 // 8, 24)), 8)
        return cls(width=width, name=name, worker=worker, bar=max(room - name, 0), gap=" " * gap)

    @property
    def numbers(self) -> int:
        """Cells of percent, fps and time left together."""
        return _PERCENT + _FPS + _LEFT + 2 * len(self.gap)


def job_rows(
    running: Sequence[JobStanding], names: FileNames, *, width: int, rows: int
) -> list[Text]:
    """Draw at most *rows* of the *running* jobs, each in a place that it keeps."""
    shown = sorted(running, key=_slot)[:rows]
    workers = max((cell_len(worker_label(s.worker)) for s in running), default=0)
    layout = RowLayout.of(width, name=names.cells, worker=workers)
    return [_row(standing, names, layout) for standing in shown]


def _slot(standing: JobStanding) -> tuple[str, str, int, str]:
    # A slot keeps its row when it takes the next file, so nothing jumps about.
    worker, slot = standing.worker or "", standing.reading.slot if standing.reading else 0
    return worker_label(worker), worker, slot, standing.job.id


def _row(standing: JobStanding, names: FileNames, layout: RowLayout) -> Text:
    reading = standing.reading
    line = Text.assemble(
        fit(names(standing.job), layout.name),
        layout.gap,
        (fit(worker_label(standing.worker) if reading else "", layout.worker), "dim"),
        layout.gap,
    )
    if reading is None:
        line.append_text(bar(0, layout.bar, style="cyan"))
        line.append(layout.gap).append(fit("starting", layout.numbers, right=True), "dim")
    elif reading.percent is None and reading.stage is Stage.ENCODING:
        line.append_text(pulse(reading.position, layout.bar, style="cyan"))
        line.append(layout.gap).append(fit(_so_far(reading), layout.numbers, right=True))
    else:
        line.append_text(bar(standing.fraction, layout.bar, style="cyan"))
        line.append(layout.gap).append_text(_numbers(standing.fraction, reading, layout))
    return cropped(line, layout.width)


def _so_far(reading: Reading) -> str:
    done = clock(reading.position)
    return f"{done}, {reading.frame} frames" if reading.frame else f"{done} done"


def _numbers(fraction: float, reading: Reading, layout: RowLayout) -> Text:
    share = fit(percent(fraction), _PERCENT, right=True)
    rest = layout.numbers - _PERCENT - len(layout.gap)
    if reading.stage is not Stage.ENCODING:
        stage = fit(one_line(reading.stage), rest, right=True)
        return Text.assemble((share, "bold"), layout.gap, (stage, "dim"))
    fps = f"{reading.fps:.0f}{' fps' if reading.fps < 1000 else 'fps'}" if reading.fps else ""
    left = clock(reading.eta_seconds) if reading.eta_seconds is not None else ""
    return Text.assemble(
        (share, "bold"),
        layout.gap,
        (fit(fps, _FPS, right=True), "dim"),
        layout.gap,
        fit(left, _LEFT, right=True),
    )
