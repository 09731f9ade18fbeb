"""Names of every kind, and outputs that would destroy something; planned and encoded for real."""

import os
from pathlib import Path

import clips
import odd_clips as odd
import pytest
from encodes import transcode
from linked import decoded

from proxima.broker.lease import Lease
from proxima.config.preset_book import PresetBook
from proxima.config.schema import SourceRules
from proxima.errors import FailureKind
from proxima.ffmpeg.binaries import find_ffmpeg
from proxima.ffmpeg.command import encode_command
from proxima.ffmpeg.encode import encode
from proxima.ffmpeg.probe import probe, probe_all
from proxima.job import JobState
from proxima.queuer.discover import discover
from proxima.queuer.plan import Plan, make_plan
from proxima.queuer.plan_inputs import PlanOptions, PlanTools
from proxima.queuer.planned_job import PlannedJob
from proxima.worker.scratch import Scratch

PRESET = PresetBook().get("prores-lt")
NAMES = [
    ("FN-01", b"Can't Stop.mov"),
    ("FN-01", b"'single.mov"),
    ("FN-02", b'say "hi".mov'),
    ("FN-04", b"-leading-dash.mov"),
    ("FN-04", b"--help.mov"),
    ("FN-05", b"a:b 12:30:00.mov"),
    ("FN-05", b"concat:a|b.mov"),
    ("FN-05", b"pipe:0.mov"),
    ("FN-07", b"new\nline.mov"),
    ("FN-07", b"tab\there.mov"),
    ("FN-08", "caf\u00e9_nfc.mov".encode()),
    ("FN-08", "cafe\u0301_nfd.mov".encode()),
    ("FN-10", b"bad-utf8-\xe9\xff.mov"),
    ("FN-13", b"L" * 251 + b".mov"),
    ("FN-13", "\u00fc".encode() * 120 + b".mov"),
    ("FN-14", b"dollar $HOME `id` $(id);&|.mov"),
    ("FN-16", b"back\\slash.mov"),
    ("FN-19", b"UPPER.MOV"),
    ("FN-19", b"double.ext.mp4.mov"),
    ("FN-19", b"NOEXT"),
    ("FN-19", b".hidden.mov"),
    ("FN-19", b"100% done %03d %s %d.mov"),
    ("FN-19", b"close [bold red]take[@click=x] .mov"),
]


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A tiny clip."""
    folder = tmp_path_factory.mktemp("tiny")
    codec = (*clips.H264, "-timecode", "01:00:00:00")
    return clips.make_clip(folder, "t.mov", *clips.picture(0.2, size="64x36"), *codec).read_bytes()


def put(folder: Path, clip: bytes, *names: str | bytes) -> None:
    for name in names:
        path = folder / os.fsdecode(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(clip)


def plan(
    folder: Path, *arguments: str, output: Path | None = None, allow_damaged: bool = False
) -> Plan:
    discovery = discover(arguments, SourceRules().suffixes, folder, output)
    tools = PlanTools(probe_all=probe_all, wait=lambda _seconds: None)
    options = PlanOptions(preset=PRESET, output=output, allow_damaged=allow_damaged)
    return make_plan(discovery, options, tools)


def carry(job: PlannedJob, seen: set[str] | None = None) -> Path:
    """Encode and publish as a worker would; *seen* gets the names in the folder meanwhile."""
    scratch = Scratch(job.output, Lease(job_id="abcdefgh-00001", worker="a@x", attempt=1))
    scratch.prepare()
    argv = encode_command(
        ffmpeg=find_ffmpeg(),
        source=job.source,
        scratch=scratch.path,
        media=job.media,
        preset=PRESET,
        threads=1,
    )
    log = job.output.parent / "log"
    for _ in encode(argv, duration=None, log=log, should_stop=lambda: False):
        if seen is not None:
            seen |= set(os.listdir(job.output.parent))
    assert scratch.path.parent == job.output.parent
    scratch.publish(replace=False)
    return job.output


@pytest.mark.parametrize("name", [n for _, n in NAMES], ids=[i for i, _ in NAMES])
def test_a_name_is_only_a_name(tmp_path: Path, clip: bytes, name: bytes) -> None:
    """From the folder it lies in, as people type it; FN-11: ffmpeg's log holds such names, too."""
    put(tmp_path, clip, name)
    (job,) = plan(tmp_path, os.fsdecode(name)).jobs
    output = carry(job)
    stem = os.fsencode(Path(os.fsdecode(name)).stem)
    assert os.fsencode(output.name) == stem + b".mov"
    assert output.parent.name == "Proxy"
    assert (probe(output).video[0].frame_count, str(probe(output).timecode)) == (5, "01:00:00:00")


def test_two_cards_with_the_same_clip_stay_apart(tmp_path: Path, clip: bytes) -> None:
    """FN-17."""
    put(tmp_path, clip, "A_CAM/CLIP/C0001.MOV", "B_CAM/CLIP/C0001.MOV")
    jobs = plan(tmp_path, "A_CAM", "B_CAM", output=tmp_path / "out").jobs
    assert [job.output.relative_to(tmp_path) for job in jobs] == [
        Path("out/A_CAM/CLIP/C0001.mov"),
        Path("out/B_CAM/CLIP/C0001.mov"),
    ]


def test_clips_that_differ_in_their_extension_are_refused_before_any_work(
    tmp_path: Path, clip: bytes
) -> None:
    """FN-17."""
    put(tmp_path, clip, "SAME.mov", "SAME.mp4")
    refused = plan(tmp_path, ".").refused
    assert [r.problem.kind for r in refused if r.problem] == [FailureKind.OUTPUT_CLASH] * 2


def test_a_folder_gives_what_has_a_known_extension_and_is_not_hidden(
    tmp_path: Path, clip: bytes
) -> None:
    """FN-19, CA-10."""
    put(tmp_path, clip, "UPPER.MOV", "double.ext.mp4.mov", "NOEXT", ".hidden.mov", "._UPPER.MOV")
    assert [job.source.name for job in plan(tmp_path, ".").jobs] == [
        "double.ext.mp4.mov",
        "UPPER.MOV",
    ]


def test_what_is_no_file_is_refused_at_once(tmp_path: Path, clip: bytes) -> None:
    """FN-20: a pipe is never opened."""
    put(tmp_path, clip, "isdir.mov/inside.mov", "RED.RDC/A001.R3D")
    (tmp_path / "dead.mov").symlink_to("gone.mov")
    (tmp_path / "loop.mov").symlink_to("loop.mov")
    os.mkfifo(tmp_path / "fifo.mov")
    found = plan(tmp_path, ".")
    assert [job.source.name for job in found.jobs] == ["inside.mov"]
    kinds = {Path(r.source).name: r.problem.kind for r in found.refused if r.problem}
    assert kinds == {
        "dead.mov": FailureKind.SOURCE_MISSING,
        "loop.mov": FailureKind.SOURCE_MISSING,
        "fifo.mov": FailureKind.SOURCE_UNSUPPORTED,
        "RED.RDC": FailureKind.SOURCE_UNSUPPORTED,
    }


@pytest.mark.parametrize("way", ["as it is", "dot", "hard link", "symlink", "linked folder"])
def test_no_output_is_written_over_its_source(tmp_path: Path, clip: bytes, way: str) -> None:
    """OS-01."""
    put(tmp_path, clip, "card/src.mov")
    source, output = tmp_path / "card/src.mov", tmp_path / "card"
    if way == "dot":
        output = tmp_path / "card/../card/."
    elif way in {"hard link", "symlink"}:
        output = tmp_path / "out"
        output.mkdir()
        link = (output / "src.mov").hardlink_to if way == "hard link" else None
        (link or (output / "src.mov").symlink_to)(source)
    elif way == "linked folder":
        output = tmp_path / "linked"
        output.symlink_to(tmp_path / "card")
    found = plan(tmp_path, str(source), output=output)
    assert [r.problem.kind for r in found.refused if r.problem] == [FailureKind.OUTPUT_CLASH]
    assert source.read_bytes() == clip


def test_an_output_has_its_name_only_when_it_is_whole(tmp_path: Path) -> None:
    """OS-02, OS-04: the unfinished file is hidden, and lies beside the name that it gets."""
    clips.good_clip(tmp_path, "C001.mov")
    (job,) = plan(tmp_path, ".").jobs
    seen: set[str] = set()
    output = carry(job, seen)
    assert seen == {".abcdefgh-00001.1.part.mov", "log"}
    assert len(decoded(output).pictures) == 25


def test_nothing_of_one_clip_gets_into_the_next(tmp_path: Path) -> None:
    """OS-07."""
    makes = [("a.mov", "25", "1"), ("b.mov", "25", "50"), ("c.mov", "240", "120")]
    for name, rate, count in makes:
        odd.named(tmp_path, name, "-frames:v", count, seconds=4, rate=rate)
    found = plan(tmp_path, ".", output=tmp_path / "out")
    frames = [len(decoded(carry(job)).pictures) for job in found.jobs]
    assert frames == [1, 50, 120]


def test_pictures_of_a_sequence_are_refused_one_by_one(tmp_path: Path) -> None:
    """IM-01, IM-02: never five of 23 frames with success."""
    for number in (86400, 86401, 86403):
        clips.still_picture(tmp_path, f"shot_{number:07}.png")
    found = plan(tmp_path, *(p.name for p in sorted(tmp_path.iterdir())))
    assert found.jobs == ()
    kinds = {r.problem.kind for r in found.refused if r.problem}
    assert (len(found.refused), kinds) == (3, {FailureKind.SOURCE_UNSUPPORTED})


def test_sound_and_music_beside_clips_are_skipped_and_said(tmp_path: Path) -> None:
    """AU-16, AU-17: the other files go on."""
    clips.sound_only(tmp_path)
    clips.sound_with_cover_art(tmp_path)
    clips.good_clip(tmp_path)
    found = plan(tmp_path, ".")
    assert [job.source.name for job in found.jobs] == ["A001C001.mov"]
    assert {s.state for s in found.skipped} == {JobState.SKIPPED}
    assert [s.warnings[0].code for s in found.skipped] == ["source_unsuitable"] * 2


def test_a_cut_file_is_refused_before_anything_is_sent(tmp_path: Path) -> None:
    """BR-03, NW-01: with figures."""
    clips.truncated_fast_start(tmp_path)
    (refused,) = plan(tmp_path, ".").refused
    assert refused.problem
    assert refused.problem.kind is FailureKind.SOURCE_DAMAGED
    assert "bytes are missing" in refused.problem.message
    (job,) = plan(tmp_path, ".", allow_damaged=True).jobs
    assert job.allow_damaged
    assert [w.code for w in job.warnings] == ["source_cut_short"]


def test_the_length_of_an_output_is_that_of_its_own_source(tmp_path: Path) -> None:
    """FR-17: rates are ratios, so that sound and picture end together."""
    source = clips.good_clip(tmp_path, "59.mov", rate="60000/1001", timecode="")
    output = transcode(source, frame_rate="30000/1001")
    new = decoded(output.path)
    assert abs(float(new.lasts[0]) - len(new.pictures) * 1001 / 30000) < 1001 / 30000


def test_a_length_that_cannot_be_true_is_not_told(tmp_path: Path) -> None:
    """CT-01, PR-08: progress would stay at 0 % and jump; so it has no percentage."""
    source = odd.joined(tmp_path, "join.ts", 5000, "320x180", "320x180")
    (job,) = plan(tmp_path, source.name).jobs
    assert job.seconds is None
