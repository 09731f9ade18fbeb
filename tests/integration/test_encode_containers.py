"""What comes out of real encodes: containers, codecs, tags, names; ids are field cases."""

import contextlib
from pathlib import Path
from typing import Any

import av
import clips
import pytest
from camera_files import make_preset
from encodes import AAC_MP4, H264, frames, transcode

from proxima.errors import JobFailed
from proxima.ffmpeg.binaries import find_ffmpeg
from proxima.ffmpeg.command import encode_command
from proxima.ffmpeg.damage import damage
from proxima.ffmpeg.encode import encode
from proxima.ffmpeg.probe import probe


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four mono tracks and a timecode, at 25 frames a second."""
    return clips.good_clip(tmp_path_factory.mktemp("plain"), "plain.mov", tracks=4)


@pytest.mark.parametrize(
    "preset",
    [
        {},
        {"container": "mkv"},
        {"container": "mxf"},
        {"profile": "4444"},
        {"video_codec": "dnxhr", "profile": "lb"},
        {"video_codec": "dnxhr", "profile": "hqx", "container": "mxf"},
        {**H264, "intra_only": True},
        AAC_MP4,
        {**H264, "container": "mxf"},
        {"video_codec": "hevc", "profile": "main10"},
        {"video_codec": "cineform"},
        {"sound_codec": "none"},
    ],
    ids=lambda p: "-".join(str(value) for value in p.values()) or "prores",
)
def test_every_kind_of_output_passes_its_own_verification(
    plain: Path, preset: dict[str, Any]
) -> None:
    output = transcode(plain, keep="-".join(map(str, preset.values())), **preset)
    assert len(frames(output.path)) == 25
    wanted = 0 if preset.get("sound_codec") == "none" else 4
    assert len(output.info.sound) == wanted


def test_intra_only_means_every_frame_is_a_key_frame(plain: Path) -> None:
    output = transcode(plain, keep="intra", **H264, intra_only=True)
    with av.open(str(output.path)) as container:
        packets = [p for p in container.demux(video=0) if p.size]
    assert len(packets) == 25
    assert all(packet.is_keyframe for packet in packets)


@pytest.mark.parametrize("container", ["mov", "mxf"])
def test_reel_and_date_are_kept(tmp_path: Path, container: str) -> None:
    """TC-08, ST-04."""
    tags = (
        "-metadata:s:v",
        "reel_name=A001R1AB",
        "-metadata",
        "creation_time=2026-05-01T12:00:00Z",
    )
    output = transcode(clips.good_clip(tmp_path, extra=tags), container=container)
    assert output.info.reel_name == "A001R1AB"
    if container == "mov":
        assert (output.info.creation_time or "").startswith("2026-05-01T12:00:00")


@pytest.mark.parametrize(
    "make", [clips.clip_with_cover_art, lambda f: clips.clip_with_cover_art(f, "cover.mkv")]
)
def test_cover_art_stays_behind(tmp_path: Path, make: Any) -> None:
    """CV-01, CV-02."""
    output = transcode(make(tmp_path))
    assert len(output.info.video) == 1
    assert len(frames(output.path)) == 25


@pytest.mark.parametrize("fourcc", ["gpmd", "rtmd", "djmd"])
def test_camera_metadata_stays_behind(tmp_path: Path, fourcc: str) -> None:
    """CA-01, CA-02, CA-04."""
    output = transcode(clips.camera_metadata(tmp_path, fourcc=fourcc))
    assert [other.codec for other in output.info.others] == ["tmcd"]
    assert str(output.info.timecode) == "09:23:02:23"


def test_a_label_that_ffmpeg_cannot_read_is_written_all_the_same(tmp_path: Path) -> None:
    """TC-05."""
    assert str(transcode(clips.wrong_drop_flag(tmp_path)).info.timecode) == "19:36:10:05"


ODD_NAMES = ["Can't.mov", "a:b 12:30.mov", "100% %03d.mov", "new\nline.mov", "-dash.mov", "[x].mov"]


@pytest.mark.parametrize("name", ODD_NAMES)
def test_odd_names_are_read_and_written(tmp_path: Path, plain: Path, name: str) -> None:
    """FN-01 to FN-16."""
    source = tmp_path / name
    source.write_bytes(plain.read_bytes())
    assert transcode(source).path.exists()


def test_a_playlist_that_took_the_place_of_a_clip_is_not_followed(
    tmp_path: Path, plain: Path
) -> None:
    """Between the probe and the encode."""
    source = tmp_path / "list.mov"
    source.write_text(f"#EXTM3U\n#EXTINF:1,\n{plain}\n#EXT-X-ENDLIST\n")
    argv = encode_command(
        ffmpeg=find_ffmpeg(),
        source=source,
        scratch=tmp_path / "out.mov",
        media=probe(plain),
        preset=make_preset(),
        threads=1,
    )
    with pytest.raises(JobFailed):
        list(encode(argv, duration=None, log=tmp_path / "log", should_stop=lambda: False))
    assert not (tmp_path / "out.mov").exists()


def test_rot_in_a_source_is_told_from_the_log(tmp_path: Path) -> None:
    """BR-04: all frames may be there, but not as they were."""
    with contextlib.suppress(JobFailed):
        transcode(clips.bit_rot(tmp_path, seconds=2))
    assert damage(tmp_path / "output_bit_rot.log").pictures > 5
