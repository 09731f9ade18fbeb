"""Sizes of outputs."""

from fractions import Fraction
from typing import Any

import pytest
from camera_files import make_picture, make_preset

from proxima.errors import FailureKind, JobFailed
from proxima.ffmpeg.geometry import Raster, output_raster, pixel_aspect_filter, source_raster
from proxima.media import FieldOrder


def size(source: tuple[int, int], *, picture: dict[str, Any] | None = None, **preset: Any) -> str:
    """Width, height and pixel aspect of the output."""
    width, height = source
    made = make_picture(width=width, height=height, **(picture or {}))
    raster = output_raster(made, make_preset(**preset))
    # Whatever is rounded, nothing is stretched.
    assert raster.display_aspect == source_raster(made).display_aspect
    return f"{raster.width}x{raster.height} {raster.pixel_aspect}"


@pytest.mark.parametrize(
    ("share", "expected"),
    [("full", "1920x1080 1"), ("half", "960x540 1"), ("quarter", "480x270 1")],
)
def test_a_share_of_hd_has_square_pixels(share: str, expected: str) -> None:
    assert size((1920, 1080), size=share) == expected


def test_an_eighth_of_hd_is_rounded_to_even_lines() -> None:
    assert size((1920, 1080), size="eighth") == "240x134 134/135"


def test_half_of_an_odd_half_is_even() -> None:
    """GE-02."""
    assert size((854, 480)) == "426x240 427/426"


def test_odd_sizes_are_made_even_and_never_larger() -> None:
    """GE-01."""
    assert size((321, 181), size="full") == "320x180 2889/2896"


def test_a_picture_fits_into_the_box() -> None:
    assert size((3840, 2160), size="full", max_width=1920, max_height=1080) == "1920x1080 1"
    assert size((3840, 2160), size="half", max_height=540) == "960x540 1"


def test_a_portrait_picture_fits_into_the_box_upright() -> None:
    """RO-05."""
    box = {"size": "full", "max_width": 1920, "max_height": 1080}
    assert size((1080, 1920), **box) == "608x1080 1215/1216"


def test_no_picture_is_scaled_up() -> None:
    assert size((640, 360), size="full", max_width=1920, max_height=1080) == "640x360 1"


def test_a_wide_strip_stays_inside_the_box() -> None:
    """GE-05."""
    assert size((3840, 16), max_height=1080) == "1920x8 1"


def test_two_pixels_stay_two() -> None:
    """GE-07."""
    assert size((2, 2)) == "2x2 1"


def test_pixel_aspect_is_kept() -> None:
    """GE-03 and GE-04."""
    hdv = {"pixel_aspect": Fraction(4, 3)}
    assert size((1440, 1080), picture=hdv) == "720x540 4/3"
    dv = {"pixel_aspect": Fraction(64, 45)}
    assert size((720, 576), picture=dv) == "360x288 64/45"


def test_a_source_without_pixel_aspect_has_square_pixels() -> None:
    assert size((640, 480), picture={"pixel_aspect": Fraction(0)}) == "320x240 1"


def test_a_turned_picture_is_measured_as_it_is_shown() -> None:
    """RO-01."""
    turned = {"rotation": 90, "pixel_aspect": Fraction(4, 3)}
    assert size((1440, 1080), picture=turned) == "540x720 3/4"


def test_a_picture_upside_down_keeps_its_width() -> None:
    assert size((1920, 1080), picture={"rotation": 180}) == "960x540 1"


def test_interlaced_pictures_keep_all_their_lines() -> None:
    """IL-01: a smaller output is only less wide."""
    interlaced = {"field_order": FieldOrder.TOP}
    assert size((1920, 1080), picture=interlaced) == "960x1080 2"
    assert size((1920, 1080), picture=interlaced, max_width=480, max_height=1080) == "480x1080 4"


def test_a_low_box_takes_the_fields_away() -> None:
    interlaced = {"field_order": FieldOrder.TOP}
    assert size((1920, 1080), picture=interlaced, size="full", max_height=540) == "960x540 1"


def test_cineform_has_blocks_of_16_by_8() -> None:
    """The pixel aspect makes up for what is rounded."""
    assert size((1920, 1080), video_codec="cineform", size="full") == "1920x1080 1"
    assert size((1920, 1080), video_codec="cineform") == "960x536 134/135"
    assert size((854, 480), video_codec="cineform", size="full") == "848x480 427/424"


def test_dnxhr_in_mxf_gets_square_pixels() -> None:
    """Its MXF files cannot say otherwise."""
    hdv = {"pixel_aspect": Fraction(4, 3)}
    preset = {"video_codec": "dnxhr", "container": "mxf", "size": "full"}
    assert size((1440, 1080), picture=hdv, **preset) == "1440x810 1"
    narrow = {"pixel_aspect": Fraction(8, 9)}
    assert size((720, 480), picture=narrow, **preset) == "640x480 1"


@pytest.mark.parametrize(
    ("codec", "source"),
    [("dnxhr", (510, 240)), ("dnxhr", (512, 236)), ("hevc", (120, 480)), ("cineform", (640, 48))],
)
def test_a_picture_too_small_for_its_codec_is_refused(codec: str, source: tuple[int, int]) -> None:
    """GE-08: when it is planned, with the reason."""
    with pytest.raises(JobFailed, match=f"{codec} holds no picture of") as refused:
        size(source, video_codec=codec)
    assert refused.value.kind is FailureKind.PRESET_UNSUITABLE


def test_the_smallest_dnxhr_is_made() -> None:
    assert size((512, 240), video_codec="dnxhr") == "256x120 1"


def test_a_pixel_aspect_is_stated_exactly() -> None:
    raster = Raster(width=426, height=240, pixel_aspect=Fraction(427, 426))
    assert pixel_aspect_filter(raster) == "setsar=427/426:max=2147483647"
