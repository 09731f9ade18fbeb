"""All that is known of one job, in lines."""

from collections.abc import Iterator

from rich.filesize import decimal
from rich.text import Text

from proxima.broker.attempts import JobRecord
from proxima.cli.attempt_lines import attempt_lines
from proxima.cli.cells import cropped, folded, one_line
from proxima.cli.durations import clock, counted, time_of_day
from proxima.cli.local_path import LocalPath, here
from proxima.job import Job, JobState
from proxima.queuer.batch_record import BatchRecord

STYLES = {
    JobState.DONE: "bold green",
    JobState.FAILED: "bold red",
    JobState.CANCELLED: "yellow",
    JobState.ENCODING: "cyan",
}
_LABEL = 9


def job_lines(record: BatchRecord, width: int, local: LocalPath = str) -> list[Text]:
    """The lines on the job that was asked for, of at most *width* cells."""
    lines = [line for job in record.jobs for line in _lines(record, job, width, local)]
    return [cropped(line, width) for line in lines]


def _lines(record: BatchRecord, job: JobRecord, width: int, local: LocalPath) -> Iterator[Text]:
    yield Text.assemble(
        (job.state, STYLES.get(job.state, "")), ("  job ", "dim"), (job.job.id, "bold")
    )
    size = job.outcome.output_bytes if job.outcome else None
    batch = record.batch
    for label, text in (
        ("source", here(job.job.source, local)),
        ("output", here(job.job.output, local) + (f" ({decimal(size)})" if size else "")),
        ("media", _media(job.job)),
        ("batch", f"{batch.label}, {batch.preset.name}, priority {job.priority}"),
        ("sent by", f"{batch.user}@{batch.host}"),
    ):
        for number, line in enumerate(folded(one_line(text), width, indent=" " * _LABEL)):
            start = "" if number else label
            yield Text.assemble((f"{start:<{_LABEL}}", "dim"), line[_LABEL:])
    if job.attempts:
        yield Text()
    for attempt in job.attempts:
        yield from attempt_lines(attempt, width)
    if not job.attempts and job.ended:
        yield Text(f"ended {time_of_day(job.ended)}, before a worker had it", style="dim")
    if job.attempts:
        yield Text(f"ffmpeg's log: proxima show {job.job.id} --log", style="dim")


def _media(job: Job) -> str:
    pieces = [counted(job.frames, "frame")] if job.frames else []
    pieces += [f"{job.size[0]}x{job.size[1]}"] if job.size else []
    pieces += [clock(job.seconds)] if job.seconds else []
    return ", ".join(pieces) or "of unknown length"
