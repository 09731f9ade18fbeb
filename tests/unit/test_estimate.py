"""How large outputs will be."""

from fractions import Fraction
from typing import Any

import pytest
from plans import make_media, make_sound

from proxima.ffmpeg.estimate import estimated_bytes, is_exact
from proxima.ffmpeg.stream_plan import plan_streams
from proxima.media import FieldOrder, MediaInfo
from proxima.preset import Preset

NTSC = Fraction(30000, 1001)
#: Ten seconds.
MUTE = make_media(frames=round(10 * NTSC), rate=NTSC, channels=())


def estimate(preset: Preset, media: MediaInfo) -> int | None:
    """The estimate for all that the preset takes of the source."""
    return estimated_bytes(preset, media, plan_streams(media, preset))


def megabits(preset: Preset) -> float:
    """Bits a second, in millions, of a picture of 1920x1080 at 29.97 frames a second."""
    size = estimate(preset, MUTE)
    assert size is not None
    return size * 8 / 1e6 / float(300 / NTSC)


@pytest.mark.parametrize(
    ("profile", "rate"),
    [("proxy", 45), ("lt", 102), ("standard", 147), ("hq", 220), ("4444", 330)],
)
def test_prores_comes_to_apples_target_rates(profile: str, rate: float) -> None:
    preset = Preset(name="p", video_codec="prores", profile=profile)
    assert megabits(preset) == pytest.approx(rate, rel=1e-6)
    half = Preset(name="p", video_codec="prores", profile=profile, size="half")
    assert megabits(half) == pytest.approx(rate / 4, rel=1e-6)


@pytest.mark.parametrize(
    ("profile", "rate"), [("lb", 45.2), ("sq", 145.3), ("hq", 220.0), ("hqx", 220.0)]
)
def test_dnxhr_comes_to_its_table(profile: str, rate: float) -> None:
    preset = Preset(name="p", video_codec="dnxhr", profile=profile)
    assert megabits(preset) == pytest.approx(rate, abs=0.1)


def test_dnxhr_has_no_smaller_frame_than_two_sectors() -> None:
    small = make_media(frames=300, channels=(), width=256, height=120)
    assert estimate(Preset(name="p", video_codec="dnxhr", profile="lb"), small) == 300 * 8192


def test_constant_quality_halves_with_six_steps_and_grows_without_neighbours() -> None:
    usual = megabits(Preset(name="p", video_codec="h264"))
    assert megabits(Preset(name="p", video_codec="h264", quality=23)) == usual
    assert megabits(Preset(name="p", video_codec="h264", quality=29)) == pytest.approx(usual / 2)
    assert megabits(Preset(name="p", video_codec="h264", intra_only=True)) > 2 * usual
    assert megabits(Preset(name="p", video_codec="hevc")) < usual
    assert megabits(Preset(name="p", video_codec="cineform")) > usual


def test_sound_is_exact_and_counts_every_channel() -> None:
    wav = Preset(name="wav", container="wav", video_codec="none", sound_codec="pcm_s24le")
    assert estimate(wav, make_sound(10, (2, 1))) == 10 * 48000 * 3 * 3
    assert estimate(wav, make_media(frames=250, channels=(1, 1))) == 10 * 48000 * 3 * 2
    aac = Preset(name="a", sound_codec="aac", sound_kbps_per_channel=96, video_codec="none")
    assert estimate(aac, make_sound(10, (2,))) == 10 * 2 * 96_000 / 8
    lb = Preset(name="p", video_codec="dnxhr", profile="lb")
    picture = 250 * 188_416
    assert estimate(lb, make_media(channels=(1, 1))) == picture + 10 * 48000 * 2 * 2
    mute = Preset(name="p", video_codec="dnxhr", profile="lb", sound_codec="none")
    assert estimate(mute, make_media(channels=(1, 1))) == picture


def test_frames_are_those_that_the_output_will_have() -> None:
    def frames(media: MediaInfo, **fields: Any) -> float:
        preset = Preset(name="p", video_codec="dnxhr", profile="lb", **fields)
        size = estimate(preset, media)
        assert size is not None
        return size / 188_416

    interlaced = make_media(channels=(), field_order=FieldOrder.TOP)
    assert frames(make_media(channels=())) == 250
    assert frames(interlaced, deinterlace="fields") == 500
    assert frames(interlaced, deinterlace="frames") == 250
    assert frames(make_media(channels=()), frame_rate="50") == 500
    assert frames(make_media(channels=(), frame_count=None)) == 250


def test_nothing_is_guessed_of_what_has_no_known_length() -> None:
    assert estimate(Preset(name="p"), make_media(frames=None, channels=())) is None
    assert estimate(Preset(name="p", video_codec="none"), make_media(frames=None)) is None


def test_only_figures_without_a_guess_are_exact() -> None:
    assert is_exact(Preset(name="p", video_codec="dnxhr"))
    assert is_exact(Preset(name="p", video_codec="none"))
    assert not is_exact(Preset(name="p", video_codec="prores"))
    assert not is_exact(Preset(name="p", video_codec="dnxhr", sound_codec="aac"))
