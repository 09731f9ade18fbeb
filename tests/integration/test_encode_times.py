"""Times of pictures and sounds after real encodes; ids in docstrings are field cases."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import clips
import odd_clips
import pytest
from camera_files import NTSC
from encodes import (
    AAC_MP4,
    WAV,
    beep_time,
    even_times,
    flash_time,
    frame_times,
    frames,
    pitches,
    transcode,
)

from proxima.ffmpeg.probe import probe


def test_drop_frame_timecode_comes_out_as_it_went_in(tmp_path: Path) -> None:
    """TC-01: with its mark, in exactly one track."""
    output = transcode(clips.drop_frame_clip(tmp_path))
    assert str(output.info.timecode) == "01:00:00;02"
    assert [other.codec for other in output.info.others] == ["tmcd"]
    assert output.picture.frame_rate == NTSC
    assert frame_times(output.path) == even_times(len(frame_times(output.path)), NTSC)


def test_milliseconds_of_matroska_do_not_stay(tmp_path: Path) -> None:
    """FR-14: the same rational rate, in name and in every frame."""
    source = clips.good_clip(tmp_path, "ms.mkv", rate="24000/1001", timecode="")
    output = transcode(source)
    assert output.picture.frame_rate == Fraction(24000, 1001)
    assert output.picture.average_rate == Fraction(24000, 1001)
    assert frame_times(output.path) == even_times(24, Fraction(24000, 1001))
    assert output.picture.duration == 24 / Fraction(24000, 1001)


@pytest.mark.parametrize("preset", [{}, AAC_MP4, {"container": "mkv"}], ids=["mov", "mp4", "mkv"])
@pytest.mark.parametrize("make", [clips.variable_rate_clip, clips.jittery_clip, clips.gappy_clip])
def test_uneven_frames_keep_their_times(tmp_path: Path, make: Any, preset: dict[str, Any]) -> None:
    """FR-01, FR-02, FR-04."""
    source = make(tmp_path)
    output = transcode(source, **preset)
    wanted, found = frame_times(source), frame_times(output.path)
    assert len(found) == len(wanted)
    # Matroska counts in milliseconds.
    slack = Fraction(1, 1000) if preset.get("container") == "mkv" else Fraction(1, 50_000)
    assert all(abs(a - b) <= slack for a, b in zip(wanted, found, strict=True))


def test_uneven_frames_of_matroska_keep_their_times(tmp_path: Path) -> None:
    whole = clips.variable_rate_clip(tmp_path)
    source = clips.make_clip(tmp_path, "variable.mkv", "-i", str(whole), "-c", "copy")
    pairs = zip(frame_times(source), frame_times(transcode(source).path), strict=True)
    # Matroska's clock is no better than that.
    assert all(abs(a - b) < Fraction(2, 1000) for a, b in pairs)


def test_mxf_repeats_frames_of_an_uneven_source(tmp_path: Path) -> None:
    output = transcode(clips.variable_rate_clip(tmp_path), container="mxf")
    assert frame_times(output.path) == even_times(120, 60)


@pytest.mark.parametrize("rate", ["25", "24000/1001", "30"])
def test_a_preset_may_change_the_rate(tmp_path: Path, rate: str) -> None:
    """FR-17."""
    source = clips.good_clip(tmp_path, rate="50", timecode="10:11:12:24")
    output = transcode(source, frame_rate=rate)
    assert output.picture.frame_rate == Fraction(rate)
    assert frame_times(output.path) == even_times(round(Fraction(rate)), Fraction(rate))


def test_a_rate_that_cannot_count_the_label_gets_none(tmp_path: Path) -> None:
    """TC-17."""
    output = transcode(clips.drop_frame_clip(tmp_path), frame_rate="25")
    assert output.info.timecode is None
    assert output.info.others == ()


def test_a_source_that_starts_at_ten_seconds_begins_at_zero(tmp_path: Path) -> None:
    """TC-16."""
    source = clips.good_clip(tmp_path, "late.ts", timecode="", extra=("-output_ts_offset", "10"))
    assert probe(source).start
    output = transcode(source)
    assert output.picture.start is not None
    # The sound of a transport stream may begin a little before its picture.
    assert output.picture.start < Fraction(1, 10)
    assert output.info.start == 0


@pytest.mark.parametrize(
    "make",
    [clips.trimmed_clip, clips.shortened_clip, clips.fragmented_clip],
)
def test_what_a_player_shows_is_what_comes_out(tmp_path: Path, make: Any) -> None:
    """FR-11, CT-05, CT-10."""
    source = make(tmp_path)
    assert len(frames(transcode(source).path)) == len(frames(source))


@pytest.mark.parametrize(("rate", "seconds", "count"), [("25", 0.04, 1), ("240", 0.5, 120)])
def test_odd_rates_and_lengths(tmp_path: Path, rate: str, seconds: float, count: int) -> None:
    """FR-05, FR-07."""
    source = clips.good_clip(tmp_path, rate=rate, seconds=seconds, timecode="", tracks=0)
    output = transcode(source)
    assert output.picture.frame_rate == int(rate)
    assert len(frames(output.path)) == count


def test_a_frame_every_ten_seconds(tmp_path: Path) -> None:
    """FR-08."""
    source = clips.good_clip(tmp_path, rate="1/10", seconds=30, timecode="", tracks=0)
    output = transcode(source)
    assert frame_times(output.path) == [0, 10, 20]
    assert output.info.duration == 30


def test_the_real_gap_of_an_even_source_stays_a_gap(tmp_path: Path) -> None:
    """Frames were lost in the camera: sound must not move against what follows."""
    select = "select='not(between(n,10,14))'"
    source = clips.make_clip(
        tmp_path, "gap.mkv", *clips.picture(2, then=select), "-fps_mode", "passthrough", *clips.H264
    )
    wanted = frame_times(source)
    assert len(wanted) == 45
    assert frame_times(transcode(source).path) == wanted


def flash_and_beep(folder: Path, name: str, picture_late: float, sound_late: float) -> Path:
    """A white frame and a tone, both one second after their own beginning."""
    flash = "color=black:s=320x180:r=25:d=2,drawbox=c=white:t=fill:enable='eq(n,25)',settb=1/10000"
    beep = "aevalsrc='if(between(t,1,1.04),sin(6283*t),0)':s=48000:d=2"
    return clips.make_clip(
        folder,
        name,
        *("-itsoffset", str(picture_late), "-f", "lavfi", "-i", flash),
        *("-itsoffset", str(sound_late), "-f", "lavfi", "-i", beep),
        *("-map", "0", "-map", "1", "-fps_mode", "passthrough", "-enc_time_base:v", "1/10000"),
        *(*clips.H264, "-c:a", "pcm_s24le"),
    )


@pytest.mark.parametrize(
    "preset",
    [{}, {"container": "mkv"}, {"container": "mxf"}, AAC_MP4],
    ids=["mov", "mkv", "mxf", "mp4"],
)
@pytest.mark.parametrize(("picture", "sound"), [(0, 0), (0.68, 0), (0.021, 0), (0, 0.5)])
def test_sound_stays_with_its_picture(
    tmp_path: Path, preset: dict[str, Any], picture: float, sound: float
) -> None:
    """FR-13, AU-14: to the millisecond, AAC to its first block."""
    source = flash_and_beep(tmp_path, "sync.mkv", picture, sound)
    output = transcode(source, **preset)
    assert len(frames(output.path)) == 50
    late = beep_time(output.path) - flash_time(output.path)
    assert late == pytest.approx(sound - picture, abs=0.022 if preset is AAC_MP4 else 0.002)


@pytest.mark.parametrize(("picture", "sound"), [(0.5, 0), (0, 0.5)])
def test_a_wav_begins_with_the_first_frame(tmp_path: Path, picture: float, sound: float) -> None:
    source = flash_and_beep(tmp_path, "sync.mov", picture, sound)
    output = transcode(source, **WAV)
    assert beep_time(output.path) == pytest.approx(1 + sound - picture, abs=0.002)


@pytest.mark.parametrize("seconds", [0.5, 2])
@pytest.mark.parametrize("container", ["mov", "mxf"])
def test_sound_of_another_length_does_not_change_the_picture(
    tmp_path: Path, container: str, seconds: float
) -> None:
    """AU-07, AU-08."""
    source = clips.make_clip(
        tmp_path,
        "lengths.mov",
        *(*clips.picture(1), *clips.tones(1, seconds), *clips.all_inputs(2), *clips.H264),
        *("-c:a", "pcm_s24le"),
    )
    assert len(frames(transcode(source, container=container).path)) == 25


@pytest.mark.parametrize("preset", [{}, AAC_MP4, {"container": "mxf"}], ids=["mov", "mp4", "mxf"])
def test_frames_shown_before_the_first_packet_are_kept(
    tmp_path: Path, preset: dict[str, Any]
) -> None:
    source = odd_clips.cut_before_open_gop(tmp_path)
    output = transcode(source, **preset)
    assert frame_times(output.path) == even_times(40, 25)
    assert "start_undecodable" not in output.warnings
    if preset.get("container") != "mxf":
        begin = output.source.sound[0].start - output.source.picture.start
        # An AAC track begins with 1024 samples that are not played.
        assert abs(output.info.sound[0].start - begin) < 0.022


def test_sound_that_begins_late_in_a_stream_is_found(tmp_path: Path) -> None:
    source = odd_clips.late_sound(tmp_path)
    output = transcode(source)
    assert output.info.sound[0].start == pytest.approx(8, abs=0.02)
    assert abs(pitches(output.path)[0][0] - 220) < 100  # a tone: crackle rises far more often
