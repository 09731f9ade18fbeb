"""Which streams go in, and what a job says of those that do not."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from camera_files import (
    NTSC,
    PQ,
    label,
    make_picture,
    make_preset,
    make_source,
    make_track,
)

from proxima.errors import FailureKind, JobFailed
from proxima.ffmpeg.stream_plan import plan_streams
from proxima.media import FieldOrder, MediaInfo, OtherStream

H264 = {"video_codec": "h264"}
WAV = {"container": "wav", "video_codec": "none", "sound_codec": "pcm_s24le"}
COVER = make_picture(index=1, codec="mjpeg", is_attached_picture=True, frame_count=1)


def warned(media: MediaInfo, **preset: Any) -> dict[str, str]:
    """Code and message of each warning."""
    return {w.code: w.message for w in plan_streams(media, make_preset(**preset)).warnings}


def clip(**picture: Any) -> MediaInfo:
    return make_source(make_picture(**picture))


def refused(media: MediaInfo, **preset: Any) -> tuple[FailureKind, str]:
    with pytest.raises(JobFailed) as caught:
        plan_streams(media, make_preset(**preset))
    return caught.value.kind, caught.value.message


def test_a_plain_clip_loses_nothing() -> None:
    media = make_source(make_picture(), (make_track(1), make_track(2)))
    plan = plan_streams(media, make_preset())
    assert plan.picture == media.picture
    assert plan.sound == media.sound
    assert [track.sources for track in plan.tracks] == [(track,) for track in media.sound]
    assert plan.warnings == ()


def test_sound_may_come_first() -> None:
    """AU-05."""
    media = make_source(make_picture(index=1), (make_track(0), make_track(2)))
    plan = plan_streams(media, make_preset())
    assert plan.picture
    assert (plan.picture.index, [s.index for s in plan.sound]) == (1, [0, 2])


def test_cover_art_is_never_the_picture() -> None:
    """CV-01, CV-02, CA-04."""
    media = make_source(video=(COVER, make_picture(index=0)))
    plan = plan_streams(media, make_preset())
    assert plan.picture
    assert plan.picture.index == 0
    assert warned(media) == {"cover_dropped": "left out: cover picture, stream 1"}


def test_a_song_with_a_cover_has_no_moving_picture() -> None:
    """AU-16, AU-17."""
    song = make_source(None, (make_track(0),), video=(COVER,))
    assert refused(song) == (
        FailureKind.SOURCE_UNSUITABLE,
        "the source holds no moving picture",
    )
    assert plan_streams(song, make_preset(**WAV)).picture is None


def test_a_picture_without_a_decoder_is_named() -> None:
    """CA-08."""
    kind, message = refused(clip(codec="b3dx", decodable=False))
    assert kind is FailureKind.SOURCE_UNSUPPORTED
    assert message == "there is no decoder for the source's picture (b3dx)"


def test_no_sound_is_refused_only_where_nothing_else_is_asked() -> None:
    assert refused(clip(), **WAV) == (
        FailureKind.SOURCE_UNSUITABLE,
        "the source holds no sound",
    )
    assert plan_streams(clip(), make_preset()).sound == ()


def test_a_preset_may_leave_the_sound_out() -> None:
    media = make_source(make_picture(), (make_track(), make_track(2, decodable=False)))
    plan = plan_streams(media, make_preset(sound_codec="none"))
    assert (plan.sound, plan.warnings) == ((), ())


def test_sound_without_a_decoder_is_left_out_and_said() -> None:
    """AU-11."""
    tracks = (make_track(1), make_track(2, codec="apac", decodable=False), make_track(3))
    media = make_source(make_picture(), tracks)
    assert [s.index for s in plan_streams(media, make_preset()).sound] == [1, 3]
    assert warned(media) == {"sound_dropped": "left out: sound stream 2 (apac), no decoder"}


def test_other_streams_are_left_out_and_said() -> None:
    """CA-01, ST-01: but the timecode track, which is written anew."""
    others = (
        OtherStream(index=3, kind="data", codec="tmcd"),
        OtherStream(index=4, kind="data", codec="gpmd"),
        OtherStream(index=5, kind="data", codec="fdsc"),
        OtherStream(index=6, kind="subtitle", codec="ass"),
        OtherStream(index=7, kind="attachment", codec="ttf"),
    )
    assert warned(make_source(make_picture(), others=others)) == {
        "data_dropped": "left out: data streams 4 (gpmd), 5 (fdsc)",
        "subtitle_dropped": "left out: subtitle stream 6 (ass)",
        "attachment_dropped": "left out: attachment stream 7 (ttf)",
    }


def test_a_second_picture_is_left_out_and_said() -> None:
    media = make_source(video=(make_picture(), make_picture(index=2, codec="hevc")))
    assert warned(media) == {"picture_dropped": "left out: video stream 2 (hevc)"}


def test_hidden_and_missing_frames_are_said() -> None:
    """CT-10, BR-03."""
    assert warned(clip(hidden_frames=33, missing_frames=74)) == {
        "frames_hidden": "33 frames that the file itself hides are not in",
        "source_cut_short": "74 frames lie past the end of the file",
    }


def test_a_lost_alpha_channel_is_said() -> None:
    """AL-01."""
    media = clip(pixel_format="yuva444p10le", has_alpha=True)
    assert warned(media) == {"alpha_dropped": "the alpha channel is left out"}
    assert warned(media, profile="4444") == {}


def test_hdr_that_is_made_sdr_is_said() -> None:
    assert set(warned(clip(colour=PQ), **H264, tonemap="sdr")) == {"tonemapped"}
    assert warned(clip(), **H264, tonemap="sdr") == {}


def test_hdr_in_8_bits_is_said() -> None:
    """CO-01, CO-02."""
    assert set(warned(clip(colour=PQ), **H264)) == {"hdr_in_8_bit"}
    assert set(warned(clip(colour=PQ))) == {"hdr_mastering_dropped"}
    assert warned(clip(colour=PQ), video_codec="hevc", profile="main10") == {}


def test_fields_that_cannot_stay_are_said() -> None:
    interlaced = clip(field_order=FieldOrder.TOP)
    assert warned(interlaced) == {}
    assert set(warned(interlaced, video_codec="dnxhr")) == {"fields_merged"}
    assert set(warned(interlaced, deinterlace="frames")) == {"deinterlaced"}


def test_a_rate_that_varies_is_said() -> None:
    """FR-01."""
    variable = clip(frame_rate=Fraction(60), average_rate=Fraction(45), variable_rate=True)
    assert set(warned(variable)) == {"variable_rate"}
    assert warned(variable, container="mxf") == {
        "frames_resampled": "frames are repeated or dropped to reach 60 fps"
    }


def test_a_lost_label_is_said() -> None:
    """TC-05, TC-17."""
    ntsc = make_source(make_picture(frame_rate=NTSC), timecode=label("01:00:00;02"))
    assert warned(ntsc, frame_rate="25")["timecode_dropped"] == (
        "the output's frame rate cannot count timecode 01:00:00;02"
    )
    fast = make_source(make_picture(frame_rate=Fraction(50)), timecode=label("01:00:00:49"))
    assert warned(fast, frame_rate="25")["timecode_recounted"] == (
        "timecode 01:00:00:49 is 01:00:00:24 at the output's frame rate"
    )
    unreadable = make_source(make_picture(), has_unreadable_timecode=True)
    assert set(warned(unreadable)) == {"timecode_unreadable"}


def test_sound_alone_keeps_its_label_in_wav_only() -> None:
    media = make_source(make_picture(), (make_track(),), timecode=label("01:00:00:00"))
    mov = {**WAV, "container": "mov"}
    assert warned(media, **mov) == {"timecode_dropped": "sound alone has no place for 01:00:00:00"}
    assert warned(media, **WAV) == {}


def test_a_lost_reel_is_said() -> None:
    media = make_source(make_picture(), reel_name="A001R1AB")
    assert warned(media) == {"reel_dropped": "reel A001R1AB has no place in the output"}


def test_changed_sound_is_said() -> None:
    """AU-04."""
    many = make_source(make_picture(), (make_track(channels=16, layout=None),))
    assert warned(many, sound_codec="aac") == {
        "sound_codec_changed": "sound stream 1 is pcm_s16le: AAC does not know 16 channels"
    }
    nameless = make_source(make_picture(), (make_track(channels=6, layout=None),))
    assert set(warned(nameless, sound_codec="aac")) == {"sound_layout_assumed"}
    assert warned(nameless) == {}
    slow = make_source(make_picture(), (make_track(sample_rate=44100),))
    assert set(warned(slow, container="mxf")) == {"sound_resampled"}


def test_joined_tracks_are_said() -> None:
    media = make_source(make_picture(), (make_track(1), make_track(2)))
    assert warned(media, **WAV) == {"sound_joined": "2 sound tracks are 2 channels of one"}


def test_sound_outside_of_the_picture_is_cut_where_tracks_begin_and_end_together() -> None:
    """FR-13, AU-08."""
    track = make_track(duration=Fraction(14))
    media = make_source(make_picture(start=Fraction(1)), (track,))
    plan = plan_streams(media, make_preset(container="mxf"))
    assert [w.message for w in plan.warnings] == [
        "the 1.000 s before the first frame are left out",
        "the 3.000 s after the last frame are left out",
    ]
    assert warned(media) == {}


def test_what_no_encoder_takes_is_refused_when_planned() -> None:
    """GE-08."""
    kind, message = refused(clip(width=320, height=180), video_codec="dnxhr")
    assert kind is FailureKind.PRESET_UNSUITABLE
    assert message == "dnxhr holds no picture of 160x90 (at least 256x120)"
    kind, message = refused(clip(frame_rate=Fraction(15)), container="mxf")
    assert kind is FailureKind.PRESET_UNSUITABLE
    assert message == "MXF holds no picture at 15 fps"
    nowhere = make_source(make_picture(duration=None), (make_track(),), duration=None)
    assert refused(nowhere, container="mxf")[0] is FailureKind.PRESET_UNSUITABLE


def test_the_rest_of_a_take_is_told() -> None:
    media = replace(clip(), is_rest_of_take=True)
    assert set(warned(media)) == {"take_incomplete"}


def test_a_picture_without_its_sound_files_is_told() -> None:
    """CT-13."""
    media = replace(clip(), clip_id="0x060A2B34")
    assert set(warned(media)) == {"sound_elsewhere"}
    assert warned(media.with_sound([make_source(sound=(make_track(0),))])) == {}
