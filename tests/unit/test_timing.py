"""Times of frames."""

from fractions import Fraction
from typing import Any

import pytest
from camera_files import FILM, NTSC, make_picture, make_preset, make_source

from proxima.ffmpeg.timing import (
    Grid,
    constant_rate,
    expected_frames,
    is_resampled,
    length_filters,
    origin,
    output_rate,
    source_rate,
    timing_arguments,
    timing_filters,
)
from proxima.media import FieldOrder

VARIABLE = make_picture(
    frame_rate=Fraction(60), average_rate=Fraction(45), variable_rate=True, frame_count=450
)


@pytest.mark.parametrize(
    ("rate", "grid"),
    [
        (Fraction(25), (12800, 512)),
        (NTSC, (30000, 1001)),
        (FILM, (24000, 1001)),
        (Fraction(240), (15360, 64)),
        (Fraction(1, 10), (16384, 163840)),
        (Fraction(25, 2), (12800, 1024)),
        (Fraction(2997, 100), (11988, 400)),
    ],
)
def test_a_grid_has_whole_ticks(rate: Fraction, grid: tuple[int, int]) -> None:
    assert tuple(Grid.of(rate)) == grid
    assert Fraction(grid[0], grid[1]) == rate


def test_the_rate_is_the_sources_own() -> None:
    assert output_rate(make_picture(frame_rate=NTSC), make_preset()) == NTSC


def test_counted_fields_are_no_frames() -> None:
    fields = make_picture(frame_rate=Fraction(50), average_rate=Fraction(25))
    assert source_rate(fields) == 25


def test_a_source_that_names_no_rate_has_its_average() -> None:
    assert source_rate(make_picture(frame_rate=None, average_rate=Fraction(24))) == 24
    assert source_rate(make_picture(frame_rate=None, average_rate=None)) is None


@pytest.mark.parametrize(
    ("measured", "meant"),
    [
        (Fraction(19001, 317), Fraction(60000, 1001)),
        (Fraction(24001, 1000), Fraction(24)),
        (Fraction(23977, 1000), Fraction(24000, 1001)),
        (Fraction(24010, 1000), Fraction(24010, 1000)),
        (Fraction(1, 10), Fraction(1, 10)),
    ],
)
def test_a_rate_that_was_measured_is_rounded_to_the_one_that_was_meant(
    measured: Fraction, meant: Fraction
) -> None:
    assert source_rate(make_picture(frame_rate=measured, frame_count=None)) == meant
    assert source_rate(make_picture(frame_rate=measured)) == measured


def test_a_frame_of_each_field_doubles_the_rate() -> None:
    picture = make_picture(field_order=FieldOrder.TOP)
    preset = make_preset(deinterlace="fields")
    assert output_rate(picture, preset) == 50
    assert expected_frames(picture, preset) == (500, 0)


def test_even_frames_go_on_an_exact_grid() -> None:
    assert timing_filters(make_picture(frame_rate=NTSC), make_preset()) == [
        "settb=1/30000",
        (
            "setpts='st(0,STARTPTS+1001*round((PTS-STARTPTS)/1001));"
            "if(N,max(if(lte(abs(PTS-ld(0)),31),ld(0),PTS),PREV_OUTPTS+1),PTS)'"
        ),
    ]
    assert timing_arguments(make_picture(frame_rate=NTSC), make_preset()) == [
        *("-fps_mode:v", "passthrough", "-enc_time_base:v", "1/30000"),
    ]
    assert length_filters(make_picture(frame_rate=NTSC), make_preset()) == [
        "setts=pts=PTS:dts=DTS:duration=1001"
    ]


@pytest.mark.parametrize(
    ("tick", "rate", "near"),
    [
        (Fraction(1, 90000), Fraction(25), 14),
        (Fraction(1, 1000), Fraction(25), 14),
        (Fraction(1, 600), NTSC, 51),
        (Fraction(1, 25), Fraction(25), 128),
        (Fraction(1, 1000), Fraction(240), 16),
    ],
)
def test_a_frame_is_moved_by_what_its_clock_rounded_away_but_no_further(
    tick: Fraction, rate: Fraction, near: int
) -> None:
    picture = make_picture(frame_rate=rate, time_base=tick)
    assert f"abs(PTS-ld(0)),{near})" in timing_filters(picture, make_preset())[1]


def test_uneven_frames_keep_their_times() -> None:
    assert constant_rate(VARIABLE, make_preset()) is None
    assert timing_filters(VARIABLE, make_preset()) == []
    assert timing_arguments(VARIABLE, make_preset()) == [
        *("-fps_mode:v", "passthrough", "-enc_time_base:v", "demux"),
    ]
    assert length_filters(VARIABLE, make_preset()) == []
    assert expected_frames(VARIABLE, make_preset()) == (450, 0)


def test_fields_of_uneven_frames_lie_between_ticks() -> None:
    picture = make_picture(variable_rate=True, field_order=FieldOrder.TOP)
    arguments = timing_arguments(picture, make_preset(deinterlace="fields"))
    assert arguments[-2:] == ["-enc_time_base:v", "filter"]


def test_mxf_gets_even_frames_for_certain() -> None:
    preset = make_preset(container="mxf")
    assert is_resampled(VARIABLE, preset)
    assert timing_filters(VARIABLE, preset) == ["fps=60/1"]
    assert timing_arguments(VARIABLE, preset) == ["-fps_mode:v", "cfr", "-r:v", "60/1"]
    assert length_filters(VARIABLE, preset) == []
    assert expected_frames(VARIABLE, preset) == (600, 1)


def test_a_preset_may_name_another_rate() -> None:
    preset = make_preset(frame_rate="25")
    picture = make_picture(frame_rate=NTSC, frame_count=300, duration=300 / NTSC)
    assert timing_filters(picture, preset) == ["fps=25/1"]
    assert timing_arguments(picture, preset)[3] == "1/12800"
    assert expected_frames(picture, preset) == (250, 1)


def test_a_preset_that_names_the_sources_own_rate_changes_nothing() -> None:
    assert not is_resampled(make_picture(), make_preset(frame_rate="25"))
    assert is_resampled(VARIABLE, make_preset(frame_rate="60"))


@pytest.mark.parametrize("missing", [{"frame_count": None}, {"duration": None}])
def test_nothing_is_expected_of_a_length_that_is_a_guess(missing: dict[str, Any]) -> None:
    """CT-02: a transport stream with a jump claims hours."""
    picture = make_picture(frame_rate=NTSC, **missing)
    assert expected_frames(picture, make_preset(frame_rate="25")) == (None, 0)


def test_frames_that_nobody_counted_are_not_expected() -> None:
    assert expected_frames(make_picture(frame_count=None), make_preset()) == (None, 0)


def test_a_late_picture_stays_late_where_the_container_can_say_so() -> None:
    media = make_source(make_picture(start=Fraction(2)), start=Fraction(1))
    assert origin(media, make_preset()) == 0
    assert origin(media, make_preset(container="mxf")) == 1
    assert origin(media, make_preset(container="wav", video_codec="none")) == 1


def test_sound_alone_begins_where_it_begins() -> None:
    assert origin(make_source(), make_preset(container="wav", video_codec="none")) == 0
