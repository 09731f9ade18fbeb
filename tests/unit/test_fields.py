"""Which interlaced sources stay interlaced."""

from typing import Any

import pytest
from camera_files import make_picture, make_preset

from proxima.ffmpeg.fields import (
    deinterlacing,
    field_arguments,
    field_filters,
    field_mode,
    keeps_fields,
)
from proxima.media import FieldOrder

TOP = make_picture(field_order=FieldOrder.TOP)
BOTTOM = make_picture(field_order=FieldOrder.BOTTOM)


@pytest.mark.parametrize("order", [FieldOrder.PROGRESSIVE, FieldOrder.UNKNOWN])
@pytest.mark.parametrize("deinterlace", ["no", "frames", "fields"])
def test_what_has_no_fields_is_left_alone(order: FieldOrder, deinterlace: str) -> None:
    picture = make_picture(field_order=order)
    preset = make_preset(deinterlace=deinterlace)
    assert not keeps_fields(picture, preset)
    assert deinterlacing(picture, preset) == "no"
    assert field_filters(picture, preset) == []
    assert field_arguments(picture, preset) == []


def test_frames_that_say_nothing_keep_their_marks() -> None:
    assert field_mode(make_picture(field_order=FieldOrder.UNKNOWN), make_preset()) is None
    assert field_mode(make_picture(field_order=FieldOrder.PROGRESSIVE), make_preset()) == "prog"


def test_prores_keeps_fields_and_their_order() -> None:
    preset = make_preset()
    assert keeps_fields(TOP, preset)
    assert field_mode(TOP, preset) == "tff"
    assert field_mode(BOTTOM, preset) == "bff"
    assert field_filters(TOP, preset) == []
    assert field_arguments(BOTTOM, preset) == ["-flags:v", "+ildct"]


def test_h264_is_told_which_field_is_first() -> None:
    preset = make_preset(video_codec="h264")
    assert field_arguments(BOTTOM, preset) == [
        *("-flags:v", "+ildct+ilme"),
        *("-x264-params:v", "bff=1"),
    ]


@pytest.mark.parametrize(
    "preset",
    [
        {"deinterlace": "frames"},
        {"frame_rate": "50"},
        {"max_height": 720},
        {"container": "mxf"},
        {"video_codec": "dnxhr"},
        {"video_codec": "hevc"},
        {"video_codec": "cineform"},
    ],
)
def test_where_fields_cannot_stay_two_are_made_one_frame(preset: dict[str, Any]) -> None:
    made = make_preset(**preset)
    assert deinterlacing(TOP, made) == "frames"
    assert field_filters(TOP, made) == ["bwdif=mode=send_frame:parity=tff:deint=all"]
    assert field_mode(TOP, made) == "prog"
    assert field_arguments(TOP, made) == []


def test_a_frame_of_each_field_is_made_only_when_asked() -> None:
    preset = make_preset(deinterlace="fields")
    assert field_filters(BOTTOM, preset) == ["bwdif=mode=send_field:parity=bff:deint=all"]


@pytest.mark.parametrize("turned", [{"rotation": 90}, {"rotation": 180}, {"mirrored": True}])
def test_fields_do_not_survive_turning(turned: dict[str, Any]) -> None:
    assert not keeps_fields(make_picture(field_order=FieldOrder.TOP, **turned), make_preset())


def test_h264_needs_lines_in_fours() -> None:
    odd = make_picture(field_order=FieldOrder.BOTTOM, height=486)
    assert not keeps_fields(odd, make_preset(video_codec="h264"))
    assert keeps_fields(odd, make_preset())
