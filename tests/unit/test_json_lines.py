"""A batch told as lines of JSON."""

import json
from typing import Any

import pytest
from standings import (
    EDIT,
    GRADE,
    NOON,
    cancelled,
    done,
    failed,
    make_job,
    make_standing,
    running,
    waiting,
)

from proxima.batch import Settled
from proxima.cli.json_lines import JsonLines
from proxima.errors import FailureKind, ProximaError
from proxima.job import JobState, JobWarning, Problem
from proxima.queuer.standing import BatchStanding, JobStanding


def told(*standings: BatchStanding, **options: Any) -> list[dict[str, Any]]:
    """Objects of the last standing."""
    written: list[str] = []
    lines = JsonLines(written.append, **options)
    for standing in standings:
        written.clear()
        lines.show(standing)
    return [json.loads(line) for line in written]


def finished(standing: BatchStanding, exit_code: int = 0, **options: Any) -> dict[str, Any]:
    written: list[str] = []
    JsonLines(written.append, **options).finish(standing, exit_code=exit_code)
    (line,) = written
    return json.loads(line)


def types(objects: list[dict[str, Any]]) -> list[str]:
    return [told["type"] for told in objects]


def local(path: str) -> str:
    if not path.startswith("media:/"):
        raise ProximaError("no root")
    return path.replace("media:/", "/Volumes/Media/", 1)


START = make_standing(waiting(make_job(1)), waiting(make_job(2)))


def test_the_first_object_says_what_was_queued() -> None:
    settled = (Settled(source="media:/x.mov", state=JobState.SKIPPED),)
    queued, workers = told(make_standing(waiting(make_job(1)), settled=settled))
    assert queued == {
        "type": "batch.queued",
        "time": NOON,
        "batch": "k3m9x2qp",
        "label": "Day 12",
        "preset": "prores-proxy",
        "priority": 5,
        "user": "ann",
        "host": "edit",
        "jobs": 1,
        "skipped": 1,
        "refused": 0,
    }
    assert workers == {
        "type": "workers",
        "time": NOON,
        "batch": "k3m9x2qp",
        "count": 2,
        "slots": 3,
    }


def test_nothing_is_written_while_nothing_changes() -> None:
    assert told(START, START) == []


@pytest.mark.parametrize(
    ("before", "now", "kind", "worker"),
    [
        (waiting(make_job(1)), running(make_job(1)), "job.started", GRADE),
        (running(make_job(1)), waiting(make_job(1)), "job.requeued", GRADE),
        (running(make_job(1)), cancelled(make_job(1)), "job.cancelled", GRADE),
    ],
)
def test_a_step_of_a_job_names_job_files_and_worker(
    before: JobStanding, now: JobStanding, kind: str, worker: str
) -> None:
    step = told(make_standing(before), make_standing(now), local=local)[0]
    assert step == {
        "type": kind,
        "time": NOON,
        "batch": "k3m9x2qp",
        "job": "k3m9x2qp-1",
        "source": "/Volumes/Media/A001/C001.mov",
        "output": "/Volumes/Media/A001/Proxy/C001.mov",
        "worker": worker,
    }


def test_the_end_of_a_job_is_told_as_in_the_list_at_the_end() -> None:
    before = make_standing(running(make_job(1)), running(make_job(2)))
    now = make_standing(done(make_job(1)), failed(make_job(2)))
    steps = told(before, now)
    assert types(steps) == ["job.finished", "job.failed"]
    for step, job in zip(steps, finished(now)["jobs"], strict=True):
        assert job.items() <= step.items()


def test_a_job_between_two_polls_starts_before_it_ends() -> None:
    assert types(told(START, make_standing(done(make_job(1)), waiting(make_job(2))))) == [
        "job.started",
        "job.finished",
    ]


def test_progress_has_all_that_the_worker_says() -> None:
    reading = running(
        make_job(1), 41.66666, fps=142.5, speed=5.7, eta_seconds=10.25, position=41.7, frame=1042
    )
    (progress,) = told(make_standing(running(make_job(1), 0.0)), later(reading, 1.0))
    assert progress == {
        "type": "job.progress",
        "time": NOON + 1,
        "batch": "k3m9x2qp",
        "job": "k3m9x2qp-1",
        "source": "media:/A001/C001.mov",
        "output": "media:/A001/Proxy/C001.mov",
        "worker": GRADE,
        "stage": "encoding",
        "percent": 41.667,
        "fps": 142.5,
        "speed": 5.7,
        "eta_seconds": 10.25,
        "position": 41.7,
        "frame": 1042,
    }


def later(job: JobStanding, seconds: float) -> BatchStanding:
    return make_standing(job, now=NOON + seconds)


def test_progress_of_a_job_is_told_once_a_second_and_only_if_there_is_some() -> None:
    first = later(running(make_job(1), 10.0), 0.0)
    assert told(first, later(running(make_job(1), 20.0), 0.9)) == []
    assert told(first, later(running(make_job(1), 10.0), 5.0)) == []
    second = later(running(make_job(1), 20.0), 1.0)
    assert types(told(first, second)) == ["job.progress"]
    assert told(first, second, later(running(make_job(1), 30.0), 1.9)) == []


def test_numbers_that_json_does_not_know_become_null() -> None:
    odd = running(make_job(1), None, fps=float("inf"), speed=float("nan"))
    (progress,) = told(make_standing(running(make_job(1), 0.0)), later(odd, 2.0))
    assert (progress["percent"], progress["fps"], progress["speed"]) == (None, None, None)


def test_workers_and_broker_are_told_when_they_change() -> None:
    fewer = make_standing(waiting(make_job(1)), workers=1, slots=1, broker_trouble="no answer")
    back = make_standing(waiting(make_job(1)), workers=1, slots=1)
    before = make_standing(waiting(make_job(1)))
    assert [(t["type"], t.get("trouble")) for t in told(before, fewer)] == [
        ("workers", None),
        ("broker", "no answer"),
    ]
    assert [(t["type"], t["trouble"]) for t in told(before, fewer, back)] == [("broker", None)]


def test_the_last_object_lists_every_source() -> None:
    warning = JobWarning(code="sound_dropped", message="track 3 is left out")
    problem = Problem(kind=FailureKind.SOURCE_UNSUPPORTED, message="camera RAW", hint="convert it")
    settled = (
        Settled(source="media:/s.mov", output="media:/Proxy/s.mov", state=JobState.SKIPPED),
        Settled(source="/elsewhere/r.R3D", state=JobState.REFUSED, problem=problem),
    )
    standing = make_standing(
        *(done(make_job(1), warning), failed(make_job(2)), cancelled(make_job(3))),
        settled=settled,
        spent=59.0,
    )
    last = finished(standing, 1, local=local)
    assert (last["type"], last["exit_code"], last["spent"]) == ("batch.finished", 1, 59.0)
    assert last["counts"] == {"done": 1, "failed": 1, "cancelled": 1, "skipped": 1, "refused": 1}
    assert last["jobs"] == [
        {
            "job": "k3m9x2qp-1",
            "source": "/Volumes/Media/A001/C001.mov",
            "output": "/Volumes/Media/A001/Proxy/C001.mov",
            "state": "done",
            "error": None,
            "warnings": [{"code": "sound_dropped", "message": "track 3 is left out"}],
            "worker": GRADE,
            "seconds": 10.0,
            "output_bytes": 1_000_000,
            "ssim": None,
        },
        {
            "job": "k3m9x2qp-2",
            "source": "/Volumes/Media/A001/C002.mov",
            "output": "/Volumes/Media/A001/Proxy/C002.mov",
            "state": "failed",
            "error": {"kind": "disk_full", "message": "the disk is full", "hint": "make room"},
            "warnings": [],
            "worker": EDIT,
            "seconds": 3.0,
            "output_bytes": None,
            "ssim": None,
        },
        {
            "job": "k3m9x2qp-3",
            "source": "/Volumes/Media/A001/C003.mov",
            "output": "/Volumes/Media/A001/Proxy/C003.mov",
            "state": "cancelled",
            "error": None,
            "warnings": [],
            "worker": None,
            "seconds": None,
            "output_bytes": None,
            "ssim": None,
        },
        {
            "job": None,
            "source": "/Volumes/Media/s.mov",
            "output": "/Volumes/Media/Proxy/s.mov",
            "state": "skipped",
            "error": None,
            "warnings": [],
            "worker": None,
            "seconds": None,
            "output_bytes": None,
            "ssim": None,
        },
        {
            "job": None,
            "source": "/elsewhere/r.R3D",
            "output": None,
            "state": "refused",
            "error": {"kind": "source_unsupported", "message": "camera RAW", "hint": "convert it"},
            "warnings": [],
            "worker": None,
            "seconds": None,
            "output_bytes": None,
            "ssim": None,
        },
    ]


def test_a_failure_without_a_reason_still_has_an_error() -> None:
    (job,) = finished(make_standing(JobStanding(job=make_job(1), state=JobState.FAILED)))["jobs"]
    assert job["error"] == {"kind": "unknown", "message": "no reason is known", "hint": ""}


def test_a_batch_of_which_nothing_was_sent_has_a_last_object_too() -> None:
    settled = (Settled(source="media:/x", state=JobState.SKIPPED),)
    last = finished(make_standing(settled=settled))
    assert [job["state"] for job in last["jobs"]] == ["skipped"]


def test_any_name_is_one_line_of_ascii() -> None:
    name = 'bad\udcff "quote" \n\x1b\u2028東京.mov'
    written: list[str] = []
    lines = JsonLines(written.append)
    lines.show(make_standing(done(make_job(1, name=name))))
    lines.finish(make_standing(done(make_job(1, name=name))), exit_code=0)
    assert all(line.isascii() and line.isprintable() for line in written)
    assert json.loads(written[-1])["jobs"][0]["source"] == f"media:/A001/{name}"


def test_a_batch_seen_from_the_middle_does_not_tell_its_past() -> None:
    middle = make_standing(done(make_job(1)), running(make_job(2)))
    assert types(told(middle, from_the_start=False)) == ["batch.queued", "workers", "job.progress"]


def test_every_line_is_flushed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs read them through a pipe while the batch goes on."""
    flushed: list[str] = []

    class Pipe:
        def write(self, text: str) -> int:
            flushed.append(text)
            return len(text)

        def flush(self) -> None:
            flushed.append("flush")

    monkeypatch.setattr("sys.stdout", Pipe())
    JsonLines().finish(make_standing(), exit_code=0)
    assert flushed[-1] == "flush"
