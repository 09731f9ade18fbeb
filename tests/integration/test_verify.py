"""What verification says of outputs that are not what they should be."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import clips
import mp4_patch
import pytest
from camera_files import label, make_preset
from encodes import AAC_MP4, H264, WAV, transcode

from proxima.errors import FailureKind, JobFailed
from proxima.ffmpeg.probe import probe
from proxima.media import MediaInfo, VideoStream
from proxima.preset import Preset
from proxima.worker.verify import count_frames, verify

FULL = make_preset(size="full")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("verify")


@pytest.fixture(scope="module")
def source(folder: Path) -> Path:
    return clips.good_clip(folder, "source.mov")


@pytest.fixture(scope="module")
def output(source: Path) -> Path:
    """A good output of the source."""
    return transcode(source).path


def faults(output: Path, media: MediaInfo, preset: Preset = FULL, frames: int | None = 25) -> str:
    """What is said of an output."""
    with pytest.raises(JobFailed) as failed:
        verify(output, media=media, preset=preset, frames_encoded=frames)
    assert failed.value.kind is FailureKind.OUTPUT_WRONG
    return failed.value.message.removeprefix("the output differs from its source: ")


def other(media: MediaInfo, **picture: Any) -> MediaInfo:
    """The same source, had it another picture."""
    return replace(media, video=(replace(media.video[0], **picture),))


def test_a_good_output_is_described(source: Path, output: Path) -> None:
    info = verify(output, media=probe(source), preset=FULL, frames_encoded=25)
    assert info == probe(output)


def test_what_ffmpeg_did_not_say_is_not_held_against_the_output(source: Path, output: Path) -> None:
    verify(output, media=probe(source), preset=FULL, frames_encoded=None)


def test_every_difference_is_said_at_once(source: Path, output: Path) -> None:
    media = replace(probe(source), timecode=label("10:00:00:01"))
    preset = make_preset(profile="hq", sound_codec="pcm_s24le")
    assert faults(output, media, preset) == (
        "profile Proxy instead of hq; size 320x180 instead of 160x90; "
        "sound track 1: codec pcm_s16le instead of pcm_s24le; "
        "sound track 2: codec pcm_s16le instead of pcm_s24le; "
        "timecode 10:00:00:00 instead of 10:00:00:01"
    )


def test_a_drop_mark_makes_another_timecode(tmp_path: Path) -> None:
    source = clips.drop_frame_clip(tmp_path)
    output = transcode(source).path
    media = replace(probe(source), timecode=label("01:00:00:02"))
    frames = count_frames(output, 0)
    assert faults(output, media, frames=frames) == "timecode 01:00:00;02 instead of 01:00:00:02"


@pytest.mark.parametrize(
    ("picture", "said"),
    [
        ({"pixel_aspect": Fraction(4, 3)}, "display aspect 1.7778 instead of 2.3704"),
        ({"rotation": 90}, "size 320x180 instead of 180x320; display aspect"),
        (
            {"frame_rate": Fraction(24), "average_rate": Fraction(24)},
            "frame rate 25 instead of 24; duration 1.000 s instead of 1.042 s",
        ),
        ({"frame_count": 24}, "frames 25 instead of 24"),
    ],
)
def test_a_picture_of_another_shape_or_pace_is_wrong(
    source: Path, output: Path, picture: dict[str, Any], said: str
) -> None:
    assert faults(output, other(probe(source), **picture)).startswith(said)


def test_an_output_of_another_codec_is_wrong(source: Path, output: Path) -> None:
    preset = make_preset(**H264, size="full")
    assert faults(output, probe(source), preset) == (
        "codec prores instead of h264; pixel format yuv422p10le instead of yuv420p"
    )


def lost_track(media: MediaInfo) -> MediaInfo:
    return replace(media, sound=(*media.sound, replace(media.sound[0], index=9)))


def two_channels(media: MediaInfo) -> MediaInfo:
    return replace(media, sound=(media.sound[0], replace(media.sound[1], channels=2)))


def longer_sound(media: MediaInfo) -> MediaInfo:
    return replace(
        media, sound=(replace(media.sound[0], duration=Fraction(103, 100)), media.sound[1])
    )


def later_sound(media: MediaInfo) -> MediaInfo:
    return replace(media, sound=(media.sound[0], replace(media.sound[1], start=Fraction(1, 2))))


def no_timecode(media: MediaInfo) -> MediaInfo:
    return replace(media, timecode=None)


def a_reel(media: MediaInfo) -> MediaInfo:
    return replace(media, reel_name="A001")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lost_track, "sound tracks 2 instead of 3"),
        (two_channels, "sound track 2: channels 1 instead of 2"),
        (longer_sound, "sound track 1: duration 1.000 s instead of 1.030 s"),
        (
            later_sound,
            "sound track 2: begins 0.000 s after the picture instead of 0.500 s",
        ),
        (no_timecode, "timecode 10:00:00:00 instead of none; timecode tracks 1 instead of 0"),
        (a_reel, "reel none instead of A001"),
    ],
)
def test_sound_and_labels_must_be_as_they_were(
    source: Path, output: Path, change: Callable[[MediaInfo], MediaInfo], said: str
) -> None:
    assert faults(output, change(probe(source))) == said


def test_frames_that_did_not_reach_the_file_are_missed(source: Path, output: Path) -> None:
    """NW-05."""
    assert faults(output, probe(source), frames=30) == "frames 25 in the file, 30 encoded"


def test_an_output_cut_short_is_wrong(output: Path, source: Path, tmp_path: Path) -> None:
    cut = tmp_path / "cut.mkv"
    whole = transcode(source, keep="whole", container="mkv").path
    cut.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    preset = make_preset(container="mkv", size="full")
    assert "in the file, 25 encoded" in faults(cut, probe(source), preset)


@pytest.mark.parametrize("content", [b"", b"\0" * 1000, b"no movie"])
def test_an_output_that_cannot_be_opened_is_wrong(
    source: Path, tmp_path: Path, content: bytes
) -> None:
    """BR-12."""
    bad = tmp_path / "bad.mov"
    bad.write_bytes(content)
    assert faults(bad, probe(source)).startswith("the output cannot be read back")


def test_an_output_without_a_picture_is_wrong(source: Path, folder: Path) -> None:
    sound = clips.sound_only(folder)
    said = faults(sound, probe(source), frames=None)
    assert said.startswith("video streams 0 instead of 1; sound tracks 1 instead of 2")


def test_a_source_of_which_no_frame_was_decoded_is_damaged(source: Path, folder: Path) -> None:
    with pytest.raises(JobFailed, match="none of its frames") as failed:
        verify(folder / "nothing.mov", media=probe(source), preset=FULL, frames_encoded=0)
    assert failed.value.kind is FailureKind.SOURCE_DAMAGED


def damage(source: Path, **preset: Any) -> str:
    """What is said of a source that gives less than it promises."""
    with pytest.raises(JobFailed) as failed:
        transcode(source, **preset)
    assert failed.value.kind is FailureKind.SOURCE_DAMAGED
    return failed.value.message


@pytest.mark.parametrize("preset", [{}, H264, {"container": "mxf"}])
def test_a_source_cut_in_half_is_damaged(tmp_path: Path, preset: dict[str, Any]) -> None:
    """BR-03: ffmpeg calls it a success."""
    source = clips.truncated_fast_start(tmp_path)
    promised = probe(source).video[0].frame_count
    assert promised == 100
    said = damage(source, **preset)
    assert "of 100 frames could be decoded" in said
    assert 20 < int(said.split()[0]) < 80


def test_a_matroska_source_cut_short_is_damaged(tmp_path: Path) -> None:
    """BR-09: it has no index, but a length."""
    whole = clips.good_clip(tmp_path, "whole.mkv", seconds=4)
    cut = tmp_path / "cut.mkv"
    cut.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    assert damage(cut).endswith("of 4.00 s could be decoded")


def test_doubled_frames_are_counted_twice(tmp_path: Path) -> None:
    source = clips.interlaced_clip(tmp_path)
    output = transcode(source, deinterlace="fields")
    assert count_frames(output.path, 0) == 50
    verify(
        output.path,
        media=output.source,
        preset=make_preset(size="full", deinterlace="fields"),
        frames_encoded=50,
    )


def test_fields_that_were_lost_are_missed(tmp_path: Path) -> None:
    """IL-01."""
    source = clips.interlaced_clip(tmp_path)
    output = transcode(source, deinterlace="frames")
    said = faults(output.path, output.source)
    assert said == "field order progressive instead of top"


def test_a_wav_holds_sound_only(source: Path) -> None:
    """Its time is that of the label."""
    output = transcode(source, **WAV)
    assert output.info.video == ()
    media = replace(output.source, timecode=label("10:00:01:00"))
    preset = make_preset(**WAV)
    assert faults(output.path, media, preset, frames=None) == (
        "time reference 1728000000 instead of 1728048000"
    )


def test_frames_are_counted_in_the_file_itself(output: Path) -> None:
    assert count_frames(output, 0) == 25


def test_a_frame_that_is_not_whole_does_not_count(source: Path, tmp_path: Path) -> None:
    mp4 = {**AAC_MP4, "sound_codec": "none"}
    whole = transcode(source, keep="last", **mp4).path
    cut = tmp_path / "cut.mp4"
    cut.write_bytes(whole.read_bytes()[:-10])
    assert (count_frames(whole, 0), count_frames(cut, 0)) == (25, 24)


def test_an_output_that_a_player_would_turn_is_wrong(source: Path, tmp_path: Path) -> None:
    turned = tmp_path / "turned.mov"
    turned.write_bytes(transcode(source, keep="turned").path.read_bytes())
    mp4_patch.set_matrix(turned, 0, mp4_patch.TURNED[180])
    assert faults(turned, probe(source)) == "turned by 180 degrees instead of upright"


def test_a_resampled_picture_may_have_a_frame_more_or_less(source: Path) -> None:
    output = transcode(source, keep="slow", frame_rate="24")
    media = probe(source)
    preset = make_preset(size="full", frame_rate="24")
    longer = other(media, duration=Fraction(25, 24), frame_count=26)
    verify(output.path, media=longer, preset=preset, frames_encoded=24)


def test_pictures_of_an_uneven_source_last_as_long(tmp_path: Path) -> None:
    """FR-04."""
    output = transcode(clips.gappy_clip(tmp_path))
    picture: VideoStream = output.source.video[0]
    said = faults(output.path, other(output.source, duration=Fraction(9)), frames=7)
    assert picture.duration == 10
    assert said == "duration 10.000 s instead of 9.000 s"
