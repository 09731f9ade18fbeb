"""A made-up batch in which everything happens once, as `--json` tells it."""

import json
from dataclasses import replace
from typing import Any

from proxima.batch import Batch, Settled
from proxima.cli.json_lines import JsonLines
from proxima.config.preset_book import PresetBook
from proxima.errors import FailureKind
from proxima.job import Job, JobOutcome, JobState, JobWarning, Problem
from proxima.progress import Reading, Stage
from proxima.queuer.standing import BatchStanding, JobStanding

WORKER = "0b6f2b9e-5c1d-4e0a-9a43-7a1d6a1f9c11@edit-07"
NOON = 1_790_000_000.0


def objects() -> list[dict[str, Any]]:
    """Every line of that batch, in order."""
    lines: list[str] = []
    view = JsonLines(lines.append)
    waiting = _standing("queued", "queued", "queued")
    for number, standing in enumerate(
        [
            waiting,
            replace(waiting, broker_trouble="no answer from edit-01:6379"),
            replace(_standing("encoding", "encoding", "queued"), workers=1, slots=2),
            replace(_standing("encoding", "queued", "queued"), workers=1, slots=2),
            last := replace(_standing("done", "failed", "cancelled"), workers=1, slots=2),
        ]
    ):
        view.show(replace(standing, now=NOON + 2 * number))
    view.finish(replace(last, now=NOON + 10, spent=8.2), exit_code=1)
    return [json.loads(line) for line in lines]


def _standing(*states: str) -> BatchStanding:
    jobs = [job_standing(number, JobState(state)) for number, state in enumerate(states, 1)]
    return BatchStanding(batch=sample_batch(tuple(job.job for job in jobs)), jobs=tuple(jobs))


def sample_batch(jobs: tuple[Job, ...]) -> Batch:
    """A batch of *jobs*, with a source that was skipped."""
    return Batch(
        id="k7m2p9xw",
        label="Day 3",
        user="ana",
        host="edit-01",
        created=NOON,
        priority=5,
        preset=PresetBook().get("prores-proxy"),
        jobs=jobs,
        settled=(
            Settled(
                source="/mnt/media/A001/C004.mov",
                output="/mnt/media/A001/Proxy/C004.mov",
                state=JobState.SKIPPED,
            ),
        ),
    )


def job_standing(number: int, state: JobState) -> JobStanding:
    """Job *number* of that batch in a state."""
    job = Job(
        id=f"k7m2p9xw-{number:05}",
        batch="k7m2p9xw",
        source=f"/mnt/media/A001/C{number:03}.mov",
        output=f"/mnt/media/A001/Proxy/C{number:03}.mov",
        seconds=20.0,
    )
    reading = _reading() if state is JobState.ENCODING else None
    return JobStanding(job=job, state=state, reading=reading, outcome=_outcome(state))


def _reading() -> Reading:
    return Reading(
        worker=WORKER,
        slot=0,
        attempt=1,
        stage=Stage.ENCODING,
        percent=41.6,
        position=8.32,
        frame=208,
        fps=187.5,
        speed=7.5,
        eta_seconds=1.56,
    )


def _outcome(state: JobState) -> JobOutcome | None:
    match state:
        case JobState.DONE:
            warning = JobWarning(code="variable_rate", message="the frame rate varies")
            return JobOutcome(
                state=state,
                worker=WORKER,
                seconds=2.9,
                warnings=(warning,),
                output_bytes=48_217_344,
            )
        case JobState.FAILED:
            problem = Problem(
                kind=FailureKind.SOURCE_DAMAGED,
                message="/mnt/media/A001/C002.mov cannot be decoded after 12.4 s",
                hint="copy it from the card again",
            )
            return JobOutcome(state=state, worker=WORKER, seconds=1.7, problem=problem)
        case JobState.CANCELLED:
            return JobOutcome(state=state)
    return None
