"""Every picture of an output against its source, with the real ffmpeg."""

from pathlib import Path
from typing import Any

import clips
import odd_clips
import pytest
from encodes import AAC_MP4, compared, transcode

from proxima.errors import FailureKind, JobFailed


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return clips.good_clip(tmp_path_factory.mktemp("source"), "source.mov", tracks=0)


@pytest.mark.parametrize(
    "preset",
    [{}, {"size": "half"}, AAC_MP4, {"video_codec": "dnxhr", "container": "mxf"}],
    ids=["mov", "half", "mp4", "mxf"],
)
def test_a_good_output_looks_like_its_source(source: Path, preset: dict[str, Any]) -> None:
    output = transcode(source, keep=f"good{len(str(preset))}", **preset)
    found = compared(source, output.path, **preset)
    assert found.average > 0.9
    assert found.worst > 0.85


def test_a_turned_source_is_compared_upright(tmp_path: Path) -> None:
    source = clips.rotated_clip(tmp_path, 90)
    assert compared(source, transcode(source).path).worst > 0.85


def test_alpha_does_not_hinder(tmp_path: Path) -> None:
    source = odd_clips.with_alpha(tmp_path, "alpha.mov", "-c:v", "qtrle", "-pix_fmt", "argb")
    preset = {"video_codec": "prores", "profile": "4444"}
    assert compared(source, transcode(source, **preset).path, **preset).worst > 0.9


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("trim=start_frame=1,setpts=PTS-STARTPTS", "a frame early"),
        ("tpad=start=1:start_mode=clone", "a frame late"),
        ("drawbox=enable='eq(n,7)':color=green:t=fill", "in frame 7"),
        ("hflip", "pictures are not those of the source"),
        ("swapuv", "colours or levels are not those of the source"),
        ("scale=in_range=full:out_range=limited", "colours or levels"),
    ],
)
def test_wrong_pictures_are_found(tmp_path: Path, source: Path, change: str, said: str) -> None:
    codec = ("-c:v", "prores_aw", "-profile:v", "0", "-pix_fmt", "yuv422p10le")
    wrong = clips.make_clip(tmp_path, "wrong.mov", "-i", str(source), "-vf", change, *codec)
    with pytest.raises(JobFailed, match=said) as failed:
        compared(source, wrong)
    assert failed.value.kind is FailureKind.OUTPUT_WRONG


def test_pictures_that_cannot_be_decoded_are_found(tmp_path: Path, source: Path) -> None:
    """The last ones: nothing behind them is shifted."""
    output = transcode(source, keep="rotten").path
    data = bytearray(output.read_bytes())
    last = data.rindex(b"icpf")
    data[last : last + 4] = b"xxxx"
    rotten = tmp_path / "rotten.mov"
    rotten.write_bytes(data)
    with pytest.raises(JobFailed, match="only 24 of its 25 pictures can be decoded"):
        compared(source, rotten)
