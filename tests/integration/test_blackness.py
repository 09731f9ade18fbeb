"""Outputs that are black where their sources are not."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import clips
import odd_clips
import pytest
from encodes import AAC_MP4, transcode

from proxima.errors import FailureKind, JobFailed
from proxima.ffmpeg.brightness import spots
from proxima.ffmpeg.probe import probe
from proxima.worker.blackness import refuse_black

PRORES = ("-c:v", "prores_aw", "-profile:v", "0", "-pix_fmt", "yuv422p10le")
BLACK = "drawbox=color=black:t=fill"


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return clips.good_clip(tmp_path_factory.mktemp("source"), "source.mov", tracks=0)


def made(folder: Path, source: Path, change: str) -> Path:
    """The source, changed."""
    return clips.make_clip(folder, "made.mov", "-i", str(source), "-vf", change, *PRORES)


def check(output: Path, source: Path) -> None:
    refuse_black(output, probe(output), source=source, media=probe(source))


def test_a_black_output_of_a_source_with_pictures_is_wrong(tmp_path: Path, source: Path) -> None:
    with pytest.raises(JobFailed, match="the output is black, its source is not") as failed:
        check(made(tmp_path, source, BLACK), source)
    assert failed.value.kind is FailureKind.OUTPUT_WRONG


def test_a_black_source_may_become_a_black_output(tmp_path: Path, source: Path) -> None:
    black = clips.make_clip(tmp_path, "black.mov", "-i", str(source), "-vf", BLACK, *PRORES)
    check(transcode(black).path, black)


def test_a_source_that_begins_and_ends_black_is_none(tmp_path: Path, source: Path) -> None:
    slate = made(tmp_path, source, f"{BLACK}:enable='not(between(n,10,14))'")
    check(transcode(slate).path, slate)


def test_pictures_that_cannot_be_decoded_are_wrong(tmp_path: Path, source: Path) -> None:
    output = clips.garbage_samples(tmp_path)
    with pytest.raises(JobFailed, match="no picture of the output can be decoded"):
        refuse_black(output, probe(source), source=source, media=probe(source))


@pytest.mark.parametrize(
    "preset",
    [AAC_MP4, {"container": "mkv"}, {"video_codec": "dnxhr", "container": "mxf"}],
    ids=["mp4", "mkv", "mxf"],
)
def test_the_frame_of_a_moment_is_found_in_every_container(
    tmp_path: Path, preset: dict[str, Any]
) -> None:
    flash = clips.make_clip(
        *(tmp_path, "flash.mov", "-f", "lavfi", "-i", "color=black:s=320x180:r=25:d=2"),
        *("-vf", "drawbox=color=white:t=fill:enable='eq(n,30)'", *PRORES),
    )
    output = transcode(flash, **preset).path
    at = [Fraction(n, 25) for n in (29, 30, 31)]
    assert [spot > 200 for spot in spots(output, 0, at)] == [False, True, False]


def test_a_source_without_an_index_is_looked_into(tmp_path: Path) -> None:
    stream = odd_clips.starts_in_mid_gop(tmp_path)
    assert max(spots(stream, 0, [Fraction(1), Fraction(0)])) > 100
