"""Standings of a batch with what a test is about, and what a view draws of them."""

import io
import time
from collections.abc import Iterator

import pytest
from rich.console import Console, RenderableType

from proxima.batch import Batch, Settled
from proxima.errors import FailureKind
from proxima.job import Job, JobOutcome, JobState, JobWarning, Problem
from proxima.preset import Preset
from proxima.progress import Reading, Stage
from proxima.queuer.standing import BatchStanding, EventKind, JobEvent, JobStanding

GRADE = "3f2a0000-0000-4000-8000-000000000001@grade.studio.example"
EDIT = "9c1e0000-0000-4000-8000-000000000002@edit"

#: Thursday 5 March 2026, 14:00:00 UTC.
NOON = 1772719200.0


@pytest.fixture
def utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Local time is UTC."""
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def make_job(number: int = 1, *, name: str = "", seconds: float | None = 100.0) -> Job:
    """Clip 1 of the batch is ``media:/A001/C001.mov``."""
    name = name or f"C{number:03}.mov"
    return Job(
        id=f"k3m9x2qp-{number}",
        batch="k3m9x2qp",
        source=f"media:/A001/{name}",
        output=f"media:/A001/Proxy/{name}",
        seconds=seconds,
    )


def waiting(job: Job) -> JobStanding:
    """*job*, which no worker has yet."""
    return JobStanding(job=job)


def running(job: Job, percent: float | None = 50.0, **reading: object) -> JobStanding:
    """*job* under way on GRADE, unless *reading* says otherwise."""
    fields = {"worker": GRADE, "slot": 0, "attempt": 1, "stage": Stage.ENCODING, **reading}
    return JobStanding(job=job, state=JobState.ENCODING, reading=Reading(percent=percent, **fields))


def done(job: Job, *warnings: JobWarning, seconds: float = 10.0) -> JobStanding:
    """*job* as GRADE has done it."""
    outcome = JobOutcome(
        state=JobState.DONE,
        worker=GRADE,
        seconds=seconds,
        warnings=warnings,
        output_bytes=1_000_000,
    )
    return JobStanding(job=job, state=JobState.DONE, outcome=outcome)


def failed(job: Job, message: str = "the disk is full", hint: str = "make room") -> JobStanding:
    """*job* as it failed on EDIT."""
    problem = Problem(kind=FailureKind.DISK_FULL, message=message, hint=hint)
    outcome = JobOutcome(state=JobState.FAILED, worker=EDIT, seconds=3.0, problem=problem)
    return JobStanding(job=job, state=JobState.FAILED, outcome=outcome)


def cancelled(job: Job) -> JobStanding:
    """*job* as somebody ended it."""
    outcome = JobOutcome(state=JobState.CANCELLED)
    return JobStanding(job=job, state=JobState.CANCELLED, outcome=outcome)


def make_standing(
    *jobs: JobStanding,
    settled: tuple[Settled, ...] = (),
    label: str = "Day 12",
    created: float = NOON - 60,
    **changes: object,
) -> BatchStanding:
    """A batch one minute old, on two workers with three slots."""
    batch = Batch(
        id="k3m9x2qp",
        label=label,
        user="ann",
        host="edit",
        created=created,
        priority=5,
        preset=Preset(name="prores-proxy"),
        jobs=tuple(standing.job for standing in jobs),
        settled=settled,
    )
    fields = {"workers": 2, "slots": 3, "now": NOON, **changes}
    return BatchStanding(batch=batch, jobs=jobs, **fields)


def event(kind: EventKind, job: Job, worker: str | None = GRADE) -> JobEvent:
    """What happened to *job* a second ago."""
    return JobEvent(kind=kind, job=job, worker=worker, at=NOON - 1)


def drawn(picture: RenderableType, width: int = 80) -> list[str]:
    """Lines of *picture* as text; without the blanks at their ends."""
    console = Console(width=width, height=200, record=True, file=io.StringIO(), soft_wrap=False)
    console.print(picture)
    return [line.rstrip() for line in console.export_text(styles=False).splitlines()]
