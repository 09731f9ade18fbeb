"""Encoders and their options."""

from typing import Any

import pytest
from camera_files import make_picture, make_preset

from proxima.codec import VIDEO
from proxima.ffmpeg.encoders import video_encoder

ALPHA = make_picture(codec="prores", pixel_format="yuva444p10le", has_alpha=True)


def arguments(**preset: Any) -> str:
    return " ".join(video_encoder(make_preset(**preset), make_picture()).arguments)


@pytest.mark.parametrize(
    ("profile", "number"), [("", 0), ("proxy", 0), ("lt", 1), ("standard", 2), ("hq", 3)]
)
def test_prores_422_is_made_by_the_fast_encoder(profile: str, number: int) -> None:
    assert arguments(video_codec="prores", profile=profile) == (
        f"-c:v prores_aw -profile:v {number} -vendor apl0 -pix_fmt:v yuv422p10le"
    )


def test_prores_4444_is_made_by_the_encoder_that_knows_alpha() -> None:
    assert arguments(video_codec="prores", profile="4444") == (
        "-c:v prores_ks -profile:v 4444 -vendor apl0 -pix_fmt:v yuv444p10le"
    )
    encoder = video_encoder(make_preset(profile="4444"), ALPHA)
    assert encoder.has_alpha
    assert encoder.arguments[-4:] == ["-alpha_bits", "16", "-pix_fmt:v", "yuva444p10le"]


def test_alpha_has_no_place_in_422() -> None:
    """AL-01: the pixel format is legal for the profile."""
    encoder = video_encoder(make_preset(), ALPHA)
    assert encoder.pixel_format == "yuv422p10le"
    assert not encoder.has_alpha


@pytest.mark.parametrize(
    ("profile", "pixels"),
    [("lb", "yuv422p"), ("sq", "yuv422p"), ("hq", "yuv422p"), ("hqx", "yuv422p10le")],
)
def test_dnxhr_gets_the_depth_of_its_flavour(profile: str, pixels: str) -> None:
    assert arguments(video_codec="dnxhr", profile=profile) == (
        f"-c:v dnxhd -profile:v dnxhr_{profile} -pix_fmt:v {pixels}"
    )


def test_h264_plays_everywhere() -> None:
    """CO-05: not High 4:2:2, whatever the source is."""
    assert arguments(video_codec="h264", quality=23, intra_only=True) == (
        "-c:v libx264 -profile:v high -crf 23 -g 1 -pix_fmt:v yuv420p"
    )


def test_the_distance_of_key_frames_is_the_encoders_own_unless_named() -> None:
    assert arguments(video_codec="h264", profile="main") == (
        "-c:v libx264 -profile:v main -pix_fmt:v yuv420p"
    )
    assert "-g 50" in arguments(video_codec="h264", keyframe_interval=50)


def test_hevc_is_tagged_for_apples_programs() -> None:
    assert arguments(video_codec="hevc", profile="main10", quality=0) == (
        "-c:v libx265 -profile:v main10 -tag:v hvc1 -crf 0 -pix_fmt:v yuv420p10le"
    )
    assert "-tag:v" not in arguments(video_codec="hevc", container="mkv")


def test_cineform_names_no_profile() -> None:
    assert arguments(video_codec="cineform") == "-c:v cfhd -pix_fmt:v yuv422p10le"


def test_a_preset_may_name_the_pixel_format() -> None:
    encoder = video_encoder(
        make_preset(video_codec="cineform", pixel_format="gbrap12le"), make_picture()
    )
    assert encoder.pixel_format == "gbrap12le"
    assert encoder.has_alpha
    assert encoder.bit_depth == 12


def test_every_profile_has_an_encoder() -> None:
    for codec, facts in VIDEO.items():
        for profile in facts.profiles if codec != "none" else ():
            preset = make_preset(video_codec=codec, profile=profile)
            assert video_encoder(preset, make_picture()).pixel_format in facts.profiles[profile]


def test_the_depth_is_read_from_the_pixel_format() -> None:
    depths = {
        pixels: video_encoder(make_preset(pixel_format=pixels), make_picture()).bit_depth
        for pixels in ("yuv420p", "yuv422p10le", "gbrp12le")
    }
    assert depths == {"yuv420p": 8, "yuv422p10le": 10, "gbrp12le": 12}


def test_sound_has_no_picture_encoder() -> None:
    with pytest.raises(ValueError, match="makes no picture"):
        video_encoder(make_preset(video_codec="none"), make_picture())
