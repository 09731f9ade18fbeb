"""Disks, files and ffmpegs that fail."""

import os
import shutil
import subprocess

import msgspec
import pytest
from kill.invariant import require

from proxima.broker import batches


def problem(farm, job):
    return batches.outcomes(farm.client, [job.id])[job.id].problem


def test_a_source_removed_in_the_middle_ends_its_job_once(kill_farm):
    """NW-02."""
    kill_farm.worker()
    jobs = kill_farm.send(2).jobs
    kill_farm.until_encoding(jobs[0].id)
    for job in jobs:
        os.unlink(job.source)
    require(kill_farm, failed=2)
    # Also the one that ffmpeg could read to its end: nobody can say that it was the end.
    assert {problem(kill_farm, job).kind for job in jobs} == {"source_missing"}


def test_a_folder_of_outputs_removed_in_the_middle_ends_its_job_once(kill_farm):
    kill_farm.worker()
    job = kill_farm.send().jobs[0]
    kill_farm.until_encoding(job.id)
    shutil.rmtree(kill_farm.outputs)
    kill_farm.until(lambda: kill_farm.state(job.id).is_final, "the job has ended")
    kill_farm.outputs_were_removed(job)
    require(kill_farm)


def test_a_full_disk_ends_a_job_as_such_and_leaves_nothing(kill_farm):
    """DI-01."""
    kill_farm.ffmpeg.order("full")
    kill_farm.worker()
    job = kill_farm.send(retries=0).jobs[0]
    require(kill_farm, failed=1)
    assert problem(kill_farm, job).kind == "disk_full"


@pytest.mark.parametrize("order", ["crash", "fail", "empty"])
def test_an_ffmpeg_that_always_fails_ends_a_job_with_a_reason(kill_farm, order):
    for _ in range(3):
        kill_farm.ffmpeg.order(order)
    kill_farm.worker()
    job = kill_farm.send(retries=2).jobs[0]
    require(kill_farm, failed=1)
    kinds = {"crash": "ffmpeg_crashed", "fail": "ffmpeg_failed", "empty": "output_wrong"}
    assert problem(kill_farm, job).kind == kinds[order]


def test_an_ffmpeg_that_talks_nonsense_but_works_is_believed_by_its_output(kill_farm):
    kill_farm.ffmpeg.order("nonsense")
    kill_farm.worker()
    kill_farm.send()
    require(kill_farm, done=1)


def test_an_ffmpeg_that_hangs_is_ended_and_the_job_done_again(kill_farm):
    kill_farm.ffmpeg.order("hang")
    kill_farm.worker()
    kill_farm.send()
    require(kill_farm, done=1)


@pytest.fixture
def small_disk(tmp_path):
    place = tmp_path / "disk"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=200k", "tmpfs", str(place)], capture_output=True
    )
    if mounted.returncode:
        pytest.skip("only root may mount a small disk")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def test_a_small_disk_that_fills_ends_a_job_as_such(kill_farm, small_disk):
    kill_farm.worker()
    batch = kill_farm.make_batch(retries=0)
    job = msgspec.structs.replace(batch.jobs[0], output=str(small_disk / "out.mov"))
    kill_farm.submit(msgspec.structs.replace(batch, jobs=(job,)))
    require(kill_farm, failed=1)
    assert problem(kill_farm, job).kind == "disk_full"
    assert not list(small_disk.iterdir())


@pytest.mark.parametrize("order", ["crash", "fail", "empty", "full"])
def test_an_ffmpeg_that_fails_once_costs_no_job(kill_farm, order):
    kill_farm.ffmpeg.order(order)
    kill_farm.worker()
    kill_farm.worker()
    kill_farm.send()
    require(kill_farm, done=1)
