"""The fields of the JSON objects that tell of jobs; paths are those of this machine."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import structs

from proxima.batch import Settled
from proxima.cli.local_path import LocalPath, here
from proxima.errors import FailureKind
from proxima.job import Job, JobState, JobWarning, Problem, Ssim
from proxima.progress import Reading
from proxima.queuer.standing import BatchStanding, JobStanding

Fields = dict[str, Any]


def queued(standing: BatchStanding) -> Fields:
    """Fields of `batch.queued`."""
    batch = standing.batch
    states = [settled.state for settled in batch.settled]
    return {
        "label": batch.label,
        "preset": batch.preset.name,
        "priority": batch.priority,
        "user": batch.user,
        "host": batch.host,
        "jobs": len(standing.jobs),
        "skipped": states.count(JobState.SKIPPED),
        "refused": states.count(JobState.REFUSED),
    }


def of_job(job: Job, local: LocalPath) -> Fields:
    """Return what names a job."""
    return {"job": job.id, "source": here(job.source, local), "output": here(job.output, local)}


def of_reading(reading: Reading) -> Fields:
    """Fields of `job.progress`, besides those that name the job."""
    return {
        "worker": reading.worker,
        "stage": str(reading.stage),
        "percent": rounded(reading.percent),
        "fps": rounded(reading.fps),
        "speed": rounded(reading.speed),
        "eta_seconds": rounded(reading.eta_seconds),
        "position": rounded(reading.position),
        "frame": reading.frame,
    }


def of_end(standing: JobStanding, local: LocalPath) -> Fields:
    """Return how a job ended, as in the list of `batch.finished`."""
    outcome = standing.outcome
    problem = outcome.problem if outcome else None
    if standing.state is JobState.FAILED and problem is None:
        problem = Problem(kind=FailureKind.UNKNOWN, message="no reason is known")
    return {
        **of_job(standing.job, local),
        "state": str(standing.state),
        "error": error(problem),
        "warnings": warnings(outcome.warnings if outcome else ()),
        "worker": standing.worker,
        "seconds": rounded(outcome.seconds) if outcome else None,
        "output_bytes": outcome.output_bytes if outcome else None,
        "ssim": ssim(outcome.ssim if outcome else None),
    }


def of_settled(settled: Settled, local: LocalPath) -> Fields:
    """Return the same of a source that was never sent."""
    return {
        "job": None,
        "source": here(settled.source, local),
        "output": here(settled.output, local) if settled.output else None,
        "state": str(settled.state),
        "error": error(settled.problem),
        "warnings": warnings(settled.warnings),
        "worker": None,
        "seconds": None,
        "output_bytes": None,
        "ssim": None,
    }


def counts(jobs: Sequence[Fields]) -> dict[str, int]:
    """Count the jobs of `batch.finished` by state; nought for the states that none has."""
    states = [job["state"] for job in jobs]
    return {str(s): states.count(s) for s in JobState if s.is_final or s in states}


def error(problem: Problem | None) -> Fields | None:
    """Why something failed; null if it did not."""
    if problem is None:
        return None
    return {"kind": str(problem.kind), "message": problem.message, "hint": problem.hint}


def warnings(found: Iterable[JobWarning]) -> list[Fields]:
    """What was dropped or changed on the way."""
    return [{"code": warning.code, "message": warning.message} for warning in found]


def ssim(found: Ssim | None) -> Fields | None:
    """How like its source an output looks; null if its pictures were not compared."""
    return structs.asdict(found) if found else None


def rounded(number: float | None) -> float | None:
    """To three places; None for what JSON has not: infinity and NaN."""
    return None if number is None or not math.isfinite(number) else round(number, 3)
