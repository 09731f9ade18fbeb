"""Whether an output that exists may stand for a new one."""

from dataclasses import replace
from fractions import Fraction

import pytest
from plans import PROXY, make_media, make_sound

from proxima.errors import FailureKind, SourceUnreadable
from proxima.ffmpeg.stream_plan import plan_streams
from proxima.media import FieldOrder, MediaInfo
from proxima.preset import Preset
from proxima.queuer.existing_output import differences, is_older, shortcoming

SOURCE = make_media(frames=250)
WAV = Preset(name="wav", container="wav", video_codec="none")


def fault(
    output: MediaInfo | SourceUnreadable, source: MediaInfo = SOURCE, preset: Preset = PROXY
) -> str | None:
    """Why the output does not stand for a new one."""
    return shortcoming(output, source, plan_streams(source, preset), preset)


@pytest.mark.parametrize(
    ("output", "why"),
    [
        (make_media(frames=250, codec="prores"), None),
        (make_media(frames=249), None),
        (make_media(frames=251), None),
        (make_media(frames=248), "it has 248 frames, a new one 250"),
        (make_media(frames=0), "it has 0 frames, a new one 250"),
        (make_media(channels=()), "it has 0 sound tracks, a new one 2"),
        (replace(SOURCE, missing_bytes=7), "its last 7 bytes are missing"),
        (make_sound(10, (1, 1)), "it has no picture"),
        (make_media(channels=(2,)), "it has 1 sound track, a new one 2"),
        (SourceUnreadable(FailureKind.SOURCE_DAMAGED, "x: moov"), "it does not open"),
    ],
)
def test_an_output_must_have_all_frames_and_sound(
    output: MediaInfo | SourceUnreadable, why: str | None
) -> None:
    assert fault(output) == why


def test_lengths_are_compared_where_frames_cannot_be() -> None:
    uncounted = replace(SOURCE, video=(replace(SOURCE.video[0], frame_count=None),))
    assert fault(make_media(frames=251), uncounted, PROXY) is None
    assert fault(make_media(frames=252), uncounted, PROXY) == (
        "it is 10.08 s long, a new one 10.00 s"
    )
    double = make_media(frames=500, rate=Fraction(50))
    assert fault(double) == "it has 500 frames, a new one 250"
    assert fault(double, SOURCE, Preset(name="p", frame_rate="50")) is None


def test_a_transport_stream_may_lose_frames_at_its_start() -> None:
    stream = make_media(frames=250, frame_count=None)
    assert fault(make_media(frames=200), stream) is None
    assert fault(make_media(frames=199), stream) == "it is 7.96 s long, a new one 10.00 s"
    short = make_media(frames=50, frame_count=None)
    assert fault(make_media(frames=24), short) == "it is 0.96 s long, a new one 2.00 s"


def test_one_frame_of_each_field_makes_twice_as_many() -> None:
    interlaced = make_media(field_order=FieldOrder.TOP)
    fields = Preset(name="p", deinterlace="fields")
    assert fault(make_media(frames=500, rate=Fraction(50)), interlaced, fields) is None
    assert fault(SOURCE, interlaced, fields) == "it has 250 frames, a new one 500"


def test_whole_files_are_compared_where_streams_say_nothing() -> None:
    silent = {"frame_count": None, "duration": None}
    source = make_media(frames=250, **silent)
    assert fault(make_media(frames=250, **silent), source, PROXY) is None
    assert fault(make_media(frames=200, **silent), source, PROXY) is not None


def test_a_source_of_unknown_length_proves_nothing_against_its_output() -> None:
    assert fault(make_media(frames=7), make_media(frames=None), PROXY) is None


def test_sound_files_are_compared_by_length() -> None:
    assert fault(make_sound(Fraction("10.02")), SOURCE, WAV) is None
    assert fault(make_sound(9), SOURCE, WAV) == "it is 9.00 s long, a new one 10.00 s"
    assert fault(make_media(channels=()), SOURCE, WAV) == "it has 0 sound tracks, a new one 1"


def test_sound_may_begin_late_and_end_before_the_picture() -> None:
    late = tuple(replace(track, start=Fraction(1), duration=Fraction(3)) for track in SOURCE.sound)
    source = replace(SOURCE, start=Fraction(0), sound=late)
    assert fault(make_sound(4), source, WAV) is None
    assert fault(make_sound(10), source, WAV) == "it is 10.00 s long, a new one 4.00 s"


def test_an_output_without_sound_is_whole_if_no_sound_is_asked_for() -> None:
    mute = make_media(channels=())
    assert fault(mute, SOURCE, Preset(name="p", sound_codec="none")) is None
    assert fault(mute, mute, PROXY) is None


@pytest.mark.parametrize("kind", [FailureKind.PERMISSION, FailureKind.MOUNT_STALE])
def test_an_output_that_cannot_be_looked_at_is_not_taken_for_broken(kind: FailureKind) -> None:
    with pytest.raises(SourceUnreadable, match="no access"):
        fault(SourceUnreadable(kind, "no access"))


def test_an_output_of_another_codec_is_mentioned() -> None:
    (warning,) = differences(make_media(codec="dnxhd"), PROXY)
    assert (warning.code, warning.message) == (
        "other_codec",
        "the output that exists is dnxhd, prores-proxy makes prores",
    )
    assert differences(make_media(codec="prores"), PROXY) == ()
    assert differences(make_media(codec="dnxhd"), Preset(name="d", video_codec="dnxhr")) == ()
    assert differences(make_sound(), WAV) == ()


def test_a_source_from_the_future_makes_no_output_stale() -> None:
    assert is_older(100.0, 101.0, now=200.0)
    assert not is_older(101.0, 101.0, now=200.0)
    assert not is_older(100.0, 300.0, now=200.0)
