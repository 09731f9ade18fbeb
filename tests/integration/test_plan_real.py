"""Planning real clips, encoding them as planned, and planning again."""

import os
import subprocess
from pathlib import Path

import pytest
from clips import (
    bit_rot,
    camera_raw,
    drop_frame_clip,
    good_clip,
    interlaced_clip,
    sound_only,
    text_named_mov,
    trimmed_clip,
    truncated_fast_start,
    variable_rate_clip,
)

from proxima.config.preset_book import PresetBook
from proxima.config.schema import SourceRules
from proxima.ffmpeg.binaries import find_ffmpeg
from proxima.ffmpeg.command import encode_command
from proxima.ffmpeg.probe import probe_all
from proxima.preset import Preset
from proxima.queuer.discover import discover
from proxima.queuer.plan import Plan, make_plan
from proxima.queuer.plan_inputs import PlanOptions, PlanTools
from proxima.queuer.planned_job import PlannedJob

EXTENSIONS = SourceRules().suffixes


def preset(name: str = "prores-proxy") -> Preset:
    """One of the presets that come with Proxima."""
    return PresetBook().get(name)


def plan(folder: Path, wanted: Preset | None = None) -> Plan:
    """The plan for everything in *folder*; does not wait for what was written just now."""
    discovery = discover([str(folder)], EXTENSIONS, folder)
    tools = PlanTools(probe_all=probe_all, wait=lambda _seconds: None)
    return make_plan(discovery, PlanOptions(preset=wanted or preset()), tools)


def encode(job: PlannedJob, wanted: Preset) -> Path:
    """Make the output as a worker would."""
    job.output.parent.mkdir(exist_ok=True)
    command = encode_command(
        ffmpeg=find_ffmpeg(),
        source=job.source,
        scratch=job.output,
        media=job.media,
        preset=wanted,
        threads=1,
    )
    subprocess.run(command, check=True, capture_output=True)
    return job.output


def test_what_was_encoded_is_skipped_and_what_was_cut_is_made_again(sources: Path) -> None:
    good_clip(sources, "C1.mov", tracks=4)
    drop_frame_clip(sources, "C2.mov")
    variable_rate_clip(sources, "C3.mp4")
    interlaced_clip(sources, "C4.mov")
    trimmed_clip(sources, "C5.mov")
    bit_rot(sources, "C6.mp4", seconds=1)
    first = plan(sources)
    assert [job.source.name for job in first.jobs] == [
        f"C{n}.{e}" for n, e in enumerate(("mov", "mov", "mp4", "mov", "mov", "mp4"), start=1)
    ]
    outputs = [encode(job, preset()) for job in first.jobs]
    again = plan(sources)
    assert ([job.reason for job in again.jobs], len(again.skipped)) == ([], 6)
    outputs[0].write_bytes(outputs[0].read_bytes()[:-2000])
    os.utime(outputs[1], (1, 1))
    broken = plan(sources)
    assert [(job.source.name, job.replace, job.reason) for job in broken.jobs] == [
        ("C1.mov", True, "it does not open"),
        ("C2.mov", True, "it is older than its source"),
    ]


@pytest.mark.parametrize("name", ["dnxhr-lb", "dnxhr-sq", "dnxhr-hqx", "wav"])
def test_an_estimate_without_a_guess_is_true(sources: Path, name: str) -> None:
    """But for the container's tables."""
    wanted = preset(name)
    good_clip(sources, "C1.mov", seconds=2, extra=("-s", "1280x720"))
    (job,) = plan(sources, wanted).jobs
    assert job.estimated_bytes == pytest.approx(encode(job, wanted).stat().st_size, rel=0.02)


def test_everything_that_cannot_be_encoded_is_told_at_once(sources: Path) -> None:
    good_clip(sources, "good.mov")
    sound_only(sources, "sound.mov")
    text_named_mov(sources, "text.mov")
    truncated_fast_start(sources, "truncated.mp4")
    camera_raw(sources / "A001_C001.RDC")
    (sources / "closed.mov").symlink_to("gone.mov")
    planned = plan(sources)
    assert [job.source.name for job in planned.jobs] == ["good.mov"]
    assert [Path(settled.source).name for settled in planned.skipped] == ["sound.mov"]
    told = {
        Path(settled.source).name: (settled.problem.kind.value, str(settled.source))
        for settled in planned.refused
        if settled.problem and settled.problem.message.startswith(f"{settled.source}: ")
    }
    assert {name: kind for name, (kind, _) in told.items()} == {
        "A001_C001.RDC": "source_unsupported",
        "closed.mov": "source_missing",
        "text.mov": "source_unsupported",
        "truncated.mp4": "source_damaged",
    }


def test_names_of_every_kind_are_planned(sources: Path) -> None:
    clip = good_clip(sources, "first.mov").read_bytes()
    names = [b"bad-\xe9\xff", b"new\nline", b"[red]x", b"pipe:0", b"100% %d", "東京😀".encode()]
    for name in names:
        (sources / os.fsdecode(name + b".mov")).write_bytes(clip)
    planned = plan(sources)
    assert planned.settled == ()
    assert {os.fsencode(job.output.stem) for job in planned.jobs} == {b"first", *names}
