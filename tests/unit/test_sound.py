"""Sound tracks and their options."""

from fractions import Fraction
from typing import Any

import pytest
from camera_files import make_picture, make_preset, make_source, make_track

from proxima.errors import FailureKind, JobFailed
from proxima.ffmpeg.sound import guess_arguments, output_tracks, sound_arguments, track_end
from proxima.media import SoundStream

STEREO = make_track(2, channels=2, layout="stereo", sample_rate=44100)


def arguments(*tracks: SoundStream, source: dict[str, Any] | None = None, **preset: Any) -> str:
    """Options for a source with a picture and these tracks."""
    media = make_source(make_picture(), tracks, **(source or {}))
    made = make_preset(**preset)
    return " ".join(sound_arguments(media, made, output_tracks(tracks, made)))


def test_each_track_stays_a_track() -> None:
    """AU-01, AU-10."""
    assert arguments(make_track(1), STEREO) == "-c:a:0 pcm_s16le -c:a:1 pcm_s16le"


def test_no_sound_needs_no_options() -> None:
    """AU-13."""
    assert arguments() == ""


def test_names_and_languages_are_carried() -> None:
    """AU-05."""
    boom = make_track(title="Lav", language="fra", handler="Boom")
    assert arguments(boom) == (
        "-c:a:0 pcm_s16le -metadata:s:a:0 title=Lav -metadata:s:a:0 language=fra "
        "-metadata:s:a:0 handler_name=Boom"
    )


def test_aac_has_a_rate_by_its_channels() -> None:
    assert arguments(STEREO, sound_codec="aac", sound_kbps_per_channel=96) == (
        "-c:a:0 aac -b:a:0 192k"
    )


def test_speakers_are_assumed_for_aac_only() -> None:
    assert guess_arguments(make_preset()) == ["-guess_layout_max", "1"]
    assert guess_arguments(make_preset(sound_codec="aac")) == ["-guess_layout_max", "2"]


@pytest.mark.parametrize(
    "track",
    [
        make_track(channels=16, layout=None),
        make_track(channels=9, layout=None),
        make_track(channels=10, layout="5.1.4"),
        make_track(channels=8, layout="cube"),
    ],
)
def test_what_aac_does_not_know_becomes_pcm(track: SoundStream) -> None:
    """AU-04."""
    assert arguments(track, sound_codec="aac") == "-c:a:0 pcm_s16le"
    with pytest.raises(JobFailed, match="AAC in MP4 holds no") as refused:
        arguments(track, sound_codec="aac", container="mp4", video_codec="h264")
    assert refused.value.kind is FailureKind.PRESET_UNSUITABLE


def test_what_aac_knows_stays_aac() -> None:
    track = make_track(channels=6, layout="5.1(side)")
    assert arguments(track, sound_codec="aac") == "-c:a:0 aac"


def test_no_nameless_channel_becomes_one_for_low_tones_only() -> None:
    track = make_track(channels=6, layout=None)
    assert arguments(track, sound_codec="aac") == (
        "-c:a:0 aac -filter:a:0 pan=hexagonal|c0=c0|c1=c1|c2=c2|c3=c3|c4=c4|c5=c5"
    )


@pytest.mark.parametrize(
    ("rate", "expected"),
    [(192_000, 96_000), (176_400, 88_200), (50_000, 64_000), (7_000, 8_000)],
)
def test_aac_gets_a_sample_rate_that_it_knows(rate: int, expected: int) -> None:
    track = make_track(sample_rate=rate)
    assert arguments(track, sound_codec="aac") == f"-c:a:0 aac -ar:a:0 {expected}"
    assert arguments(track) == "-c:a:0 pcm_s16le"


def test_mxf_gets_48_khz_and_silence_up_to_the_end_of_the_picture() -> None:
    """A muxer that ends with its first track would cut the picture (AU-07)."""
    assert arguments(STEREO, container="mxf") == (
        "-c:a:0 pcm_s16le -ar:a:0 48000 -filter:a:0 aresample=first_pts=0,apad=whole_dur=11.000000"
    )


def test_mxf_needs_to_know_how_long_the_picture_is() -> None:
    media = make_source(make_picture(duration=None), (STEREO,), duration=None)
    preset = make_preset(container="mxf")
    with pytest.raises(JobFailed, match="MXF needs to know how long") as refused:
        sound_arguments(media, preset, output_tracks((STEREO,), preset))
    assert refused.value.kind is FailureKind.PRESET_UNSUITABLE


def test_a_wav_of_one_track_begins_with_the_picture() -> None:
    preset = {"container": "wav", "video_codec": "none", "sound_codec": "pcm_s24le"}
    assert arguments(STEREO, **preset) == "-c:a:0 pcm_s24le -filter:a:0 aresample=first_pts=0"


def test_tracks_become_channels_of_a_wav_in_their_order() -> None:
    short = make_track(3, duration=Fraction(4), start=Fraction(1), channels=2, layout="stereo")
    preset = {"container": "wav", "video_codec": "none", "sound_codec": "pcm_s24le"}
    fill = "aresample=first_pts=0,apad=whole_dur=10.000000,aformat=channel_layouts="
    assert arguments(make_track(1), short, **preset) == (
        f"-filter_complex [0:1]{fill}1c[t0];[0:3]{fill}2c[t1];"
        "[t0][t1]amerge=inputs=2:layout_mode=reset[sound] -c:a:0 pcm_s24le"
    )
    (joined,) = output_tracks((make_track(1), short), make_preset(**preset))
    assert joined.channels == 3


def test_a_wav_has_one_sample_rate() -> None:
    with pytest.raises(JobFailed, match="44100 and 48000 Hz") as refused:
        output_tracks((make_track(1), STEREO), make_preset(container="wav", video_codec="none"))
    assert refused.value.kind is FailureKind.PRESET_UNSUITABLE


def test_the_end_of_a_track_is_counted_from_where_the_output_begins() -> None:
    media = make_source(make_picture(start=Fraction(3)), start=Fraction(1))
    late = make_track(start=Fraction(2), duration=Fraction(5))
    assert track_end(late, media, make_preset()) == 6
    assert track_end(late, media, make_preset(container="mxf")) == 4
    assert track_end(make_track(duration=None), media, make_preset()) is None
