"""Timecode, reel and dates of outputs."""

from fractions import Fraction
from typing import Any

import pytest
from camera_files import FILM, NTSC, label, make_picture, make_preset, make_source, make_track

from proxima.ffmpeg.tags import keeps_reel, output_timecode, tag_arguments, time_reference
from proxima.media import FieldOrder, MediaInfo

WAV = make_preset(container="wav", video_codec="none", sound_codec="pcm_s24le")


def clip(timecode: str | None, rate: Fraction = Fraction(25), **fields: Any) -> MediaInfo:
    picture = make_picture(frame_rate=rate, **fields.pop("picture", {}))
    start = label(timecode) if timecode else None
    return make_source(picture, timecode=start, **fields)


def start(media: MediaInfo, **preset: Any) -> str:
    return str(output_timecode(media, make_preset(**preset)))


@pytest.mark.parametrize(
    ("timecode", "rate"),
    [
        ("01:00:00;02", NTSC),
        ("01:00:00:02", NTSC),
        ("01:00:00;02", Fraction(30)),
        ("01:00:00;52", Fraction(60000, 1001)),
        ("23:59:58:00", Fraction(25)),
        ("10:11:12:49", Fraction(50)),
        ("01:00:00:100", Fraction(120000, 1001)),
        ("00:59:58:12", FILM),
    ],
)
def test_a_label_stays_as_it_is(timecode: str, rate: Fraction) -> None:
    """TC-01 to TC-11."""
    assert start(clip(timecode, rate)) == timecode


@pytest.mark.parametrize(
    ("timecode", "rate"),
    [
        ("01:00:00;02", Fraction(25)),
        ("01:00:00;02", FILM),
        ("01:00:00:30", Fraction(25)),
        ("01:01:00;00", NTSC),
        ("01:00:00:00", Fraction(1, 10)),
    ],
)
def test_a_label_that_the_rate_cannot_count_is_not_written(timecode: str, rate: Fraction) -> None:
    """It would be dropped or shifted without a word."""
    assert output_timecode(clip(timecode, rate), make_preset()) is None


def test_another_rate_labels_the_same_moment() -> None:
    """TC-17."""
    assert start(clip("10:11:12:49", Fraction(50)), frame_rate="25") == "10:11:12:24"
    assert start(clip("10:11:12:12"), frame_rate="50") == "10:11:12:24"
    assert start(clip("10:00:00:12", Fraction(24)), frame_rate="25") == "10:00:00:12"
    assert output_timecode(clip("01:00:00;02", NTSC), make_preset(frame_rate="25")) is None


def test_a_frame_of_each_field_is_counted_twice() -> None:
    media = clip("10:00:00:12", picture={"field_order": FieldOrder.TOP})
    assert start(media, deinterlace="fields") == "10:00:00:24"


def test_a_timecode_track_may_count_at_a_rate_of_its_own() -> None:
    """Phones count 30 frames a second at 59.94."""
    media = clip("01:00:00;02", Fraction(60000, 1001), timecode_rate=NTSC)
    assert start(media) == "01:00:00;04"


def test_no_picture_no_label() -> None:
    media = make_source(None, (make_track(),), timecode=label("10:00:00:00"))
    assert output_timecode(media, make_preset()) is None
    assert output_timecode(clip("10:00:00:00"), WAV) is None
    assert output_timecode(clip(None), make_preset()) is None


def test_the_label_is_written_once_and_replaces_what_ffmpeg_would_carry_over() -> None:
    assert tag_arguments(clip("01:00:00;02", NTSC), make_preset(), ()) == [
        *("-metadata", "timecode=01:00:00;02"),
        *("-metadata:s:v:0", "timecode=01:00:00;02"),
    ]
    assert tag_arguments(clip("01:00:00;02"), make_preset(), ()) == [
        *("-metadata", "timecode=", "-metadata:s:v:0", "timecode="),
    ]


def test_reel_and_date_are_written_again() -> None:
    """TC-08, ST-04."""
    media = clip("10:00:00:00", reel_name="A001R1AB", creation_time="2026-05-01T12:00:00Z")
    assert tag_arguments(media, make_preset(), ())[4:] == [
        *("-metadata:s:v:0", "reel_name=A001R1AB"),
        *("-metadata", "creation_time=2026-05-01T12:00:00Z"),
    ]
    mxf = tag_arguments(media, make_preset(container="mxf"), ())
    assert mxf[4:6] == ["-metadata", "reel_name=A001R1AB"]


def test_a_reel_needs_a_place() -> None:
    assert keeps_reel(clip("10:00:00:00"), make_preset())
    assert not keeps_reel(clip(None), make_preset())
    assert keeps_reel(clip(None), make_preset(container="mxf"))
    mp4 = make_preset(container="mp4", video_codec="h264")
    assert not keeps_reel(clip("10:00:00:00"), mp4)
    media = clip("10:00:00:00", reel_name="A001")
    assert "reel_name=A001" not in tag_arguments(media, mp4, ())


def test_a_recorders_time_is_kept() -> None:
    """TC-13."""
    media = make_source(None, (make_track(),), time_reference=172_800_000)
    assert tag_arguments(media, WAV, media.sound) == [
        *("-metadata", "time_reference=172800000", "-write_bext", "1"),
    ]


def test_the_sound_of_a_clip_begins_at_its_label() -> None:
    media = clip("10:00:00:12", sound=(make_track(),))
    assert time_reference(media, WAV, 48000) == 36000 * 48000 + 12 * 1920
    drop = clip("00:10:00;00", NTSC)
    assert time_reference(drop, WAV, 48000) == round(17982 / NTSC * 48000)


def test_only_wav_counts_from_midnight() -> None:
    media = clip("10:00:00:12", time_reference=5)
    assert time_reference(media, make_preset(), 48000) is None
    assert tag_arguments(clip(None), WAV, (make_track(),)) == []
