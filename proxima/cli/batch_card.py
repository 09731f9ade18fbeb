"""All that is known of one batch, in lines."""

from collections.abc import Iterator, Sequence

from rich.cells import cell_len
from rich.text import Text

from proxima.broker.attempts import JobRecord
from proxima.cli.batch_summary import summary_lines
from proxima.cli.cells import cropped, fit, one_line
from proxima.cli.durations import clock, hours, moment, ready_by
from proxima.cli.history_rows import hosts_of
from proxima.cli.job_card import STYLES
from proxima.cli.labels import FileNames, worker_label
from proxima.cli.local_path import LocalPath
from proxima.job import JobState
from proxima.queuer.batch_record import BatchRecord
from proxima.queuer.standing import BatchStanding, JobStanding

#: Jobs that get a row, unless all are asked for.
MOST_ROWS = 50
#: What people look for first.
_ORDER = (
    JobState.FAILED,
    JobState.ENCODING,
    JobState.CANCELLED,
    JobState.QUEUED,
    JobState.DONE,
)
#: Cells: the job's state, time and attempts.
_STATE, _TOOK, _TRIED = 9, 7, 8


def batch_lines(
    record: BatchRecord,
    width: int,
    *,
    now: float,
    local: LocalPath = str,
    most: int | None = MOST_ROWS,
) -> list[Text]:
    """The lines on a batch, of at most *width* cells; of at most so many jobs."""
    lines = [*_head(record, now), Text(), *_rows(record, width, most), Text()]
    lines += summary_lines(_standing(record, now), width, local=local)
    return [cropped(line, width) for line in lines]


def _head(record: BatchRecord, now: float) -> Iterator[Text]:
    line, batch = record.line, record.batch
    tail = f"  {one_line(batch.preset.name)}  batch {batch.id}"
    yield Text.assemble((one_line(batch.label), "bold"), (tail, "dim"))
    owner = one_line(f"{batch.user}@{batch.host}")
    yield Text(f"sent by {owner}, {moment(line.sent)}, priority {batch.priority}")
    pieces = [f"{hours(line.media)} of media"]
    if line.hosts:
        pieces.append(f"made on {hosts_of(line)}")
    if line.seconds is not None:
        pieces.append(f"ended {moment(line.ended)}")
    elif line.is_paused and not line.is_finished:
        pieces.append("paused")
    elif line.eta_seconds is not None:
        pieces.append(f"{clock(line.eta_seconds)} left")
        if at := ready_by(now, line.eta_seconds):
            pieces.append(f"ready by {at}")
    yield Text(", ".join(pieces))


def _rows(record: BatchRecord, width: int, most: int | None) -> Iterator[Text]:
    """Yield a row for each job; where they are too many, for those that matter most."""
    jobs = list(record.jobs)
    if most is not None and len(jobs) > most:
        jobs = sorted(jobs, key=lambda job: _ORDER.index(job.state))[:most]
        jobs.sort(key=lambda job: job.job.id)
    names = FileNames.of(record.batch)
    workers = [_worker(job) for job in jobs]
    worker = min(max([6, *map(cell_len, workers)]), 20)
    ids = [_short_id(job, record.batch.id) for job in jobs]
    number = max(3, *map(len, ids)) if ids else 3
    name = max(min(names.cells, width - worker - number - _STATE - _TOOK - _TRIED - 10), 8)
    titles = ("job", "source", "state", "worker", "took", "attempts")
    shape = (number, name, _STATE, worker, _TOOK, _TRIED)
    yield Text("  ".join(map(fit, titles, shape)).rstrip(), style="dim")
    for job, short, label in zip(jobs, ids, workers, strict=True):
        yield _row(job, (short, names(job.job), label), shape)
    if len(jobs) < len(record.jobs):
        yield Text(f"and {len(record.jobs) - len(jobs)} jobs more (--all)", style="dim")


def _short_id(job: JobRecord, batch_id: str) -> str:
    """Its number; of a job that another batch had sent before, all of its id."""
    return job.job.id.removeprefix(f"{batch_id}-")


def _row(job: JobRecord, told: tuple[str, str, str], shape: Sequence[int]) -> Text:
    number, name, worker = told
    last = job.attempts[-1] if job.attempts else None
    took = clock(last.ended - last.started) if last and last.ended else ""
    tried = str(len(job.attempts)) if len(job.attempts) > 1 else ""
    cells = (number, name, job.state, worker, took, tried)
    line = Text()
    for place, (cell, cells_wide) in enumerate(zip(cells, shape, strict=True)):
        style = STYLES.get(job.state, "") if place == 2 else ""
        line.append("  " if place else "").append(fit(cell, cells_wide), style)
    line.rstrip()
    return line


def _worker(job: JobRecord) -> str:
    return worker_label(job.attempts[-1].worker) if job.attempts else ""


def _standing(record: BatchRecord, now: float) -> BatchStanding:
    """The same as a view sees it."""
    jobs = tuple(
        JobStanding(job=job.job, state=job.state, outcome=job.outcome) for job in record.jobs
    )
    return BatchStanding(batch=record.batch, jobs=jobs, now=now, spent=record.line.seconds)
