"""Clips with picture and sound in files of their own (OP-Atom); ids are field cases."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import av
import odd_clips
import pytest
from clips import make_clip
from encodes import pitches


def package(path: Path) -> bytes:
    """The id that all files of a clip share."""
    with av.open(str(path)) as container:
        return bytes.fromhex(container.metadata["material_package_umid"][2:])


def sound(folder: Path, name: str, pitch: int) -> Path:
    tone = ("-f", "lavfi", "-i", f"sine=f={pitch}:r=48000:d=1", "-c:a", "pcm_s16le")
    return make_clip(folder, name, *tone, "-mxf_audio_edit_rate", "25", "-f", "mxf_opatom")


@pytest.fixture
def card(tmp_path: Path) -> Path:
    """A P2 card with one clip: a picture and two sounds."""
    contents = tmp_path / "CONTENTS"
    picture = odd_clips.op_atom(contents / "VIDEO", "0001AB.MXF")
    for number in (0, 1):
        path = sound(contents / "AUDIO", f"0001AB{number:02}.MXF", 220 * (number + 1))
        path.write_bytes(path.read_bytes().replace(package(path), package(picture)))
    return tmp_path


def queued(folder: Path, *options: str) -> list[dict[str, Any]]:
    """The jobs of a local farm's run."""
    argv = [sys.executable, "-m", "proxima", "queue", str(folder), "--json", *options]
    done = subprocess.run(argv, stdout=subprocess.PIPE, cwd=folder.parent, check=False)
    jobs: list[dict[str, Any]] = json.loads(done.stdout.splitlines()[-1])["jobs"]
    return jobs


def test_the_files_of_a_clip_are_one_source(card: Path) -> None:
    """CT-13."""
    jobs = queued(card, "--preset", "prores-422")
    states = {Path(job["source"]).name: job["state"] for job in jobs}
    assert states == {
        "0001AB.MXF": "done",
        "0001AB00.MXF": "skipped",
        "0001AB01.MXF": "skipped",
    }
    said = {warning["code"] for job in jobs for warning in job["warnings"]}
    assert said == {"clip_joined"}
    (output,) = [Path(job["output"]) for job in jobs if job["state"] == "done"]
    assert pitches(output) == [[220], [440]]


def test_sound_of_another_clip_stays_alone(card: Path) -> None:
    """CT-13: names alone join nothing."""
    sound(card / "CONTENTS" / "AUDIO", "0001AB02.MXF", 880)
    jobs = queued(card, "--preset", "prores-422", "--plan")
    codes = {Path(j["source"]).name: [w["code"] for w in j["warnings"]] for j in jobs}
    assert codes["0001AB01.MXF"] == ["clip_joined"]
    assert codes["0001AB02.MXF"] == ["source_unsuitable"]
