"""Colour tags and conversions."""

import pytest
from camera_files import PQ, make_picture, make_preset

from proxima.ffmpeg.colour import (
    colour_arguments,
    conversion_options,
    header_filters,
    is_rgb,
    output_colour,
    restored_tags,
    tag_options,
)
from proxima.media import Colour

BT709 = Colour(primaries="bt709", transfer="bt709", matrix="bt709", range="tv")
BT601 = Colour(primaries="smpte170m", transfer="smpte170m", matrix="smpte170m", range="tv")


def test_all_tags_are_carried() -> None:
    """CO-01."""
    picture = make_picture(colour=PQ)
    assert tag_options(picture) == [
        "color_primaries=bt2020",
        "color_trc=smpte2084",
        "colorspace=bt2020nc",
        "range=tv",
    ]
    assert output_colour(picture, make_preset()) == PQ
    assert colour_arguments(picture, make_preset()) == []


def test_what_the_file_leaves_open_stays_open() -> None:
    """CO-08."""
    assert tag_options(make_picture()) == []
    assert conversion_options(make_picture(), make_preset()) == []
    assert output_colour(make_picture(), make_preset()) == Colour()


def test_partial_tags_stay_partial_and_quicktime_is_made_to_hold_them() -> None:
    picture = make_picture(colour=Colour(matrix="smpte170m"))
    assert tag_options(picture) == ["colorspace=smpte170m"]
    assert colour_arguments(picture, make_preset()) == ["-movflags", "+write_colr"]
    assert colour_arguments(picture, make_preset(container="mkv")) == []


def test_full_range_becomes_limited_and_says_so() -> None:
    """CO-03."""
    picture = make_picture(colour=Colour(matrix="bt709", range="pc"))
    assert tag_options(picture) == ["colorspace=bt709", "range=pc"]
    assert conversion_options(picture, make_preset()) == ["out_range=tv"]
    assert output_colour(picture, make_preset()).range == "tv"


def test_a_matrix_is_kept_where_the_codec_can_name_it() -> None:
    """CO-04."""
    picture = make_picture(colour=BT601)
    assert conversion_options(picture, make_preset()) == ["out_range=tv"]
    assert output_colour(picture, make_preset()) == BT601


def test_dnxhr_knows_no_bt601_so_pixels_and_tag_change_together() -> None:
    picture, preset = make_picture(colour=BT601), make_preset(video_codec="dnxhr")
    assert conversion_options(picture, preset) == ["out_color_matrix=bt709", "out_range=tv"]
    assert output_colour(picture, preset).matrix == "bt709"
    assert conversion_options(make_picture(colour=BT709), preset) == ["out_range=tv"]
    assert conversion_options(make_picture(colour=PQ), preset) == ["out_range=tv"]


@pytest.mark.parametrize("pixel_format", ["rgb24", "gbrp10le", "argb", "pal8", "bgra"])
def test_rgb_gets_the_matrix_of_hd(pixel_format: str) -> None:
    picture = make_picture(pixel_format=pixel_format, colour=Colour(matrix="gbr", range="pc"))
    assert tag_options(picture) == ["range=pc"]
    assert conversion_options(picture, make_preset()) == ["out_color_matrix=bt709", "out_range=tv"]
    assert output_colour(picture, make_preset()) == Colour(matrix="bt709", range="tv")


def test_wide_rgb_gets_the_matrix_of_uhd() -> None:
    picture = make_picture(pixel_format="gbrp12le", colour=Colour(primaries="bt2020"))
    assert conversion_options(picture, make_preset())[0] == "out_color_matrix=bt2020nc"


def test_rgb_is_known_by_format_or_tag() -> None:
    assert is_rgb(make_picture(pixel_format=None, colour=Colour(matrix="gbr")))
    assert not is_rgb(make_picture(pixel_format=None))
    assert not is_rgb(make_picture(pixel_format="gray10le"))


@pytest.mark.parametrize(
    ("transfer", "matrix", "expected"),
    [
        ("bt709", "bt709", []),
        ("smpte170m", "smpte170m", ["prores_metadata=color_trc=bt709"]),
        ("bt470bg", "bt470bg", ["prores_metadata=colorspace=smpte170m"]),
        ("smpte170m", "bt470bg", ["prores_metadata=color_trc=bt709:colorspace=smpte170m"]),
        ("bt2020-10", "bt2020nc", ["prores_metadata=color_trc=bt709"]),
    ],
)
def test_a_prores_header_names_what_it_knows_and_means_the_same(
    transfer: str, matrix: str, expected: list[str]
) -> None:
    picture = make_picture(colour=Colour(transfer=transfer, matrix=matrix))
    assert header_filters(picture, make_preset()) == expected
    assert header_filters(picture, make_preset(video_codec="h264")) == []


def test_h264_names_its_range_also_where_it_names_nothing_else() -> None:
    """CO-03."""
    named = ["h264_metadata=video_full_range_flag=0"]
    preset = make_preset(video_codec="h264")
    assert header_filters(make_picture(colour=Colour(range="pc")), preset) == named
    assert header_filters(make_picture(colour=BT709), preset) == []
    assert header_filters(make_picture(), preset) == []


def test_prores_gets_a_matrix_that_its_header_knows() -> None:
    picture = make_picture(colour=Colour(matrix="smpte240m", range="tv"))
    assert "out_color_matrix=bt709" in conversion_options(picture, make_preset())


def test_a_matrix_that_cannot_be_converted_is_hidden_from_the_scaler() -> None:
    picture = make_picture(colour=Colour(matrix="bt2020c"))
    assert tag_options(picture) == ["colorspace=unknown"]
    assert restored_tags(picture) == ["colorspace=bt2020c"]
    assert restored_tags(make_picture(colour=PQ)) == []
