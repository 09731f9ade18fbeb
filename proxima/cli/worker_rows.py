"""The rows of workers in `proxima status`."""

from collections.abc import Sequence

from rich.cells import cell_len
from rich.filesize import decimal
from rich.text import Text

from proxima.cli.bars import percent
from proxima.cli.cells import cropped, fit, one_line
from proxima.cli.labels import worker_label
from proxima.progress import Stage
from proxima.queuer.farm_standing import FarmStanding, WorkerJob, WorkerLine

#: Cells of each column; the first that are left out where there is little room stand last.
_COLUMNS = {"slots": 6, "fps": 5, "free": 8, "load": 5, "version": 9}
#: Least cells for what a worker does.
_LEAST_DOING = 24
_RIGHT = {"slots", "fps", "free", "load"}


def worker_rows(standing: FarmStanding, width: int) -> list[Text]:
    """A line of titles, and one for each worker, of at most *width* cells."""
    labels = [worker_label(worker.info.name) for worker in standing.workers]
    name = min(max(map(cell_len, labels), default=0), 24 if width >= 100 else 16)
    columns = _fitting(width - name)
    titles = _row(fit("worker", name), {column: column for column in columns}, columns)
    rows = [cropped(titles.append("doing").copy(), width)]
    rows[0].stylize("dim")
    for worker, label in zip(standing.workers, labels, strict=True):
        line = _row(fit(label, name), _cells(worker), columns)
        rows.append(cropped(line.append_text(_doing(worker)), width))
    return rows


def _fitting(room: int) -> list[str]:
    columns = list(_COLUMNS)
    while columns and room - sum(_COLUMNS[one] + 2 for one in columns) - 2 < _LEAST_DOING:
        columns.pop()
    return columns


def _row(name: str, cells: dict[str, str], columns: Sequence[str]) -> Text:
    line = Text.assemble((name, "bold"), "  ")
    for column in columns:
        line.append(fit(cells[column], _COLUMNS[column], right=column in _RIGHT)).append("  ")
    return line


def _cells(worker: WorkerLine) -> dict[str, str]:
    info = worker.info
    return {
        "slots": f"{len(worker.jobs)}/{info.slots}",
        "fps": f"{worker.fps:.0f}" if worker.fps else "",
        "free": decimal(info.free_bytes) if info.free_bytes is not None else "",
        "load": f"{info.load:.1f}" if info.load is not None else "",
        "version": one_line(info.version),
    }


def _doing(worker: WorkerLine) -> Text:
    """What keeps it from taking jobs, and what it encodes."""
    pieces: list[tuple[str, str]] = []
    if worker.info.unwell:
        pieces.append((f"unwell: {one_line(worker.info.unwell)}", "red"))
    if worker.info.draining:
        pieces.append(("paused" if worker.info.paused else "drained", "yellow"))
    pieces += [(_job(job), "") for job in worker.jobs]
    line = Text()
    for text, style in pieces or [("waits for work", "dim")]:
        line.append(", " if line else "", "dim").append(text, style)
    return line


def _job(running: WorkerJob) -> str:
    name = one_line(running.job.source.replace("\\", "/").rpartition("/")[2])
    reading = running.reading
    if reading is None:
        return f"{name} starting"
    if reading.stage is not Stage.ENCODING:
        return f"{name} {one_line(reading.stage)}"
    return name if reading.percent is None else f"{name} {percent(reading.percent / 100)}"
