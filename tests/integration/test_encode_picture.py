"""Shape, fields and colour after real encodes; ids in docstrings are field cases."""

from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import av
import clips
import pytest
from encodes import AAC_MP4, H264, frames, transcode

from proxima.ffmpeg.probe import probe
from proxima.media import Colour, FieldOrder


def luma(frame: av.VideoFrame) -> memoryview:
    """Luma of limited range in 8 bits, 64 by 64."""
    small = frame.reformat(width=64, height=64, format="yuv420p")
    assert small.planes[0].line_size == 64
    return memoryview(small.planes[0])


def corner_luma(path: Path) -> list[int]:
    """Mean luma of the four corners, clockwise from top left."""
    plane = bytes(luma(frames(path)[0]))

    def mean(top: int, left: int) -> int:
        rows = [plane[64 * (top + r) + left : 64 * (top + r) + left + 8] for r in range(8)]
        return sum(map(sum, rows)) // 64

    return [mean(4, 4), mean(4, 52), mean(52, 52), mean(52, 4)]


def four_corners(folder: Path, name: str) -> Path:
    """A picture whose corners have 40, 90, 140 and 190, clockwise from top left."""
    luma = "if(lt(X,160),if(lt(Y,90),40,190),if(lt(Y,90),90,140))"
    return clips.make_clip(
        folder,
        name,
        *clips.picture(0.2, then=f"format=yuv420p,geq=lum='{luma}':cb=128:cr=128"),
        *clips.H264,
    )


@pytest.mark.parametrize(
    ("degrees", "order"), [(0, [0, 1, 2, 3]), (90, [3, 0, 1, 2]), (180, [2, 3, 0, 1])]
)
def test_a_turned_picture_is_turned_once(tmp_path: Path, degrees: int, order: list[int]) -> None:
    """RO-01, RO-02."""
    source = four_corners(tmp_path, "turned.mov")
    clips.mp4_patch.set_matrix(source, 0, clips.mp4_patch.TURNED[degrees])
    output = transcode(source)
    found = corner_luma(output.path)
    assert found == pytest.approx([[40, 90, 140, 190][n] for n in order], abs=6)
    assert (output.picture.rotation, output.picture.mirrored) == (0, False)
    assert (output.picture.width < output.picture.height) == (degrees == 90)


def test_a_mirrored_picture_is_mirrored_once(tmp_path: Path) -> None:
    """RO-04."""
    source = four_corners(tmp_path, "selfie.mov")
    clips.mp4_patch.set_matrix(source, 0, clips.mp4_patch.MIRRORED)
    output = transcode(source)
    assert corner_luma(output.path) == pytest.approx([90, 40, 190, 140], abs=6)
    assert (output.picture.rotation, output.picture.mirrored) == (0, False)


@pytest.mark.parametrize(
    ("size", "aspect", "preset"),
    [
        ("854x480", Fraction(1), {"size": "half"}),
        ("360x270", Fraction(4, 3), {"size": "half"}),
        ("720x576", Fraction(64, 45), {"size": "quarter", "container": "mkv"}),
        ("720x576", Fraction(64, 45), {"video_codec": "dnxhr", "container": "mxf"}),
        ("854x480", Fraction(1), {"video_codec": "cineform"}),
        ("720x576", Fraction(16, 15), {**AAC_MP4, "size": "half"}),
        ("320x16", Fraction(1), {"size": "half"}),
    ],
)
def test_nothing_is_stretched(
    tmp_path: Path, size: str, aspect: Fraction, preset: dict[str, Any]
) -> None:
    """GE-02 to GE-05."""
    shape = f"setsar={aspect}"
    source = clips.make_clip(
        tmp_path, "shape.mov", *clips.picture(0.2, size=size, then=shape), *clips.H264
    )
    picture = transcode(source, **preset).picture
    width, height = map(int, size.split("x"))
    found = Fraction(picture.width, picture.height) * picture.pixel_aspect
    assert float(found) == pytest.approx(float(Fraction(width, height) * aspect), rel=0.005)
    assert (picture.width % 2, picture.height % 2) == (0, 0)


def test_odd_sizes_are_made_even(tmp_path: Path) -> None:
    """GE-01."""
    source = clips.make_clip(
        tmp_path,
        "odd.mkv",
        *clips.picture(0.2, size="321x181"),
        "-c:v",
        "ffv1",
        "-pix_fmt",
        "yuv444p",
    )
    picture = transcode(source, **H264).picture
    assert (picture.width, picture.height, picture.pixel_format) == (320, 180, "yuv420p")


@pytest.mark.parametrize(
    ("make", "order"),
    [
        (clips.interlaced_clip, FieldOrder.TOP),
        (lambda f: clips.interlaced_clip(f, top_first=False), FieldOrder.BOTTOM),
        (lambda f: clips.interlaced_clip(f, "interlaced.mxf"), FieldOrder.TOP),
        (clips.dv_clip, FieldOrder.BOTTOM),
    ],
)
@pytest.mark.parametrize("preset", [{}, {"profile": "4444"}, H264, {"container": "mkv"}])
def test_fields_and_their_order_are_kept(
    tmp_path: Path, make: Any, order: FieldOrder, preset: dict[str, Any]
) -> None:
    """IL-01, IL-02, IL-04: at full height."""
    source = make(tmp_path)
    output = transcode(source, **{**preset, "size": "half"})
    assert output.picture.field_order is order
    assert output.picture.height == output.source.video[0].height
    assert output.picture.width == output.source.video[0].width // 2
    assert all(frame.interlaced_frame for frame in frames(output.path))


def combing(path: Path) -> float:
    """How much each line of luma differs from the next, on average."""
    frame = frames(path)[4].reformat(format="yuv420p")
    plane, line = bytes(frame.planes[0]), frame.planes[0].line_size
    rows = [plane[line * n : line * n + frame.width] for n in range(frame.height)]
    steps = [abs(a - b) for pair in pairwise(rows) for a, b in zip(*pair, strict=True)]
    return sum(steps) / len(steps)


@pytest.mark.parametrize("mode", ["frames", "fields"])
@pytest.mark.parametrize("codec", ["prores", "dnxhr"])
def test_deinterlaced_frames_show_no_combs(tmp_path: Path, codec: str, mode: str) -> None:
    moving = "color=black:s=320x180:r=50:d=1,geq=lum='255*lt(mod(X-N*6,80),40)':cb=128:cr=128"
    source = clips.make_clip(
        tmp_path,
        "moving.mov",
        *("-f", "lavfi", "-i", f"{moving},tinterlace=interleave_top", *clips.H264, "-g", "1"),
        *("-flags", "+ildct+ilme"),
    )
    output = transcode(source, video_codec=codec, deinterlace=mode, profile="")
    assert combing(source) > 10
    assert combing(output.path) < 3
    assert output.picture.field_order is not FieldOrder.TOP
    assert len(frames(output.path)) == (50 if mode == "fields" else 25)


def patch(folder: Path, name: str, colour: str, *codec: str) -> Path:
    """One colour all over, in known tags."""
    source = f"color={colour}:s=320x180:r=25:d=0.2"
    return clips.make_clip(folder, name, "-f", "lavfi", "-i", source, *codec)


def shown_rgb(output: Path, matrix: int) -> tuple[int, ...]:
    """Red, green and blue of the middle, by a player that believes the tags."""
    frame = frames(output)[0]
    rgb = frame.reformat(format="rgb24", src_colorspace=matrix, src_color_range=1)
    plane = rgb.planes[0]
    middle = plane.line_size * (frame.height // 2) + 3 * (frame.width // 2)
    return tuple(bytes(plane)[middle : middle + 3])


@pytest.mark.parametrize(
    "preset", [{}, H264, {"video_codec": "hevc"}, {"video_codec": "cineform"}], ids=str
)
def test_hdr_tags_are_kept_in_file_and_frames(tmp_path: Path, preset: dict[str, Any]) -> None:
    """CO-01, CO-02."""
    source = clips.tagged_clip(tmp_path, "hlg.mov", "bt2020", "arib-std-b67", "bt2020nc")
    colour = transcode(source, **preset).picture.colour
    assert (colour.primaries, colour.transfer, colour.matrix) == (
        *("bt2020", "arib-std-b67", "bt2020nc"),
    )


@pytest.mark.parametrize("preset", [{}, H264, {"video_codec": "dnxhr"}], ids=str)
@pytest.mark.parametrize("transfer", ["smpte2084", "arib-std-b67"])
def test_hdr_is_made_sdr_if_asked(tmp_path: Path, preset: dict[str, Any], transfer: str) -> None:
    """CO-01, CO-02: the other right answer."""
    source = clips.tagged_clip(tmp_path, "hdr.mov", "bt2020", transfer, "bt2020nc")
    output = transcode(source, **preset, tonemap="sdr")
    colour = output.picture.colour
    assert (colour.primaries, colour.transfer, colour.matrix) == ("bt709",) * 3
    assert output.warnings.keys() == {"tonemapped"}


@pytest.mark.parametrize("preset", [{}, H264, {"video_codec": "cineform"}], ids=str)
def test_partial_tags_stay_partial(tmp_path: Path, preset: dict[str, Any]) -> None:
    """CO-08."""
    source = clips.tagged_clip(tmp_path, "partial.mov", "", "", "smpte170m")
    colour = transcode(source, **preset).picture.colour
    assert (colour.primaries, colour.transfer, colour.matrix) == (None, None, "smpte170m")


def test_no_tags_stay_none(tmp_path: Path) -> None:
    source = clips.good_clip(tmp_path, tracks=0)
    assert transcode(source).picture.colour in {Colour(), Colour(range="tv")}


@pytest.mark.parametrize(
    "preset", [{}, H264, {"video_codec": "dnxhr"}, {"video_codec": "cineform"}], ids=str
)
def test_full_range_white_stays_white(tmp_path: Path, preset: dict[str, Any]) -> None:
    """CO-03."""
    source = patch(
        tmp_path,
        "full.mov",
        "white",
        *("-vf", "scale=out_range=pc:out_color_matrix=bt709,format=yuvj420p", *clips.H264[:-2]),
    )
    assert probe(source).video[0].colour.range == "pc"
    output = transcode(source, **{"profile": "", **preset})
    assert luma(frames(output.path)[0])[0] == pytest.approx(235, abs=2)


@pytest.mark.parametrize(
    ("preset", "matrix"), [({}, 5), ({"video_codec": "dnxhr"}, 1), (H264, 5)], ids=str
)
def test_a_colour_of_bt601_is_shown_as_it_was(
    tmp_path: Path, preset: dict[str, Any], matrix: int
) -> None:
    """CO-04: pixels and tag agree, also where the codec cannot name BT.601."""
    source = patch(
        tmp_path,
        "red.mov",
        "red",
        *("-vf", "scale=out_color_matrix=smpte170m:out_range=tv", *clips.H264),
    )
    own = probe(source).video[0].colour.matrix
    assert own in {"bt470bg", "smpte170m"}
    output = transcode(source, **{"profile": "", **preset})
    assert output.picture.colour.matrix == ("bt709" if matrix == 1 else own)
    assert shown_rgb(output.path, matrix) == pytest.approx((255, 0, 0), abs=6)


def test_rgb_graphics_are_shown_as_they_were(tmp_path: Path) -> None:
    source = patch(tmp_path, "graphic.mov", "green", "-c:v", "qtrle", "-pix_fmt", "rgb24")
    output = transcode(source)
    assert output.picture.colour.matrix == "bt709"
    assert shown_rgb(output.path, 1) == pytest.approx((0, 128, 0), abs=6)


def test_alpha_is_kept_where_the_profile_knows_it(tmp_path: Path) -> None:
    """AL-01, AL-02."""
    half = "color=red@0.5:s=320x180:r=25:d=0.2,format=argb"
    source = clips.make_clip(tmp_path, "alpha.mov", "-f", "lavfi", "-i", half, "-c:v", "qtrle")
    output = transcode(source, profile="4444")
    frame = frames(output.path)[0]
    plane = memoryview(frame.planes[3]).cast("H")
    assert plane[0] / 4095 == pytest.approx(0.5, abs=0.01)
    assert not transcode(source, keep="proxy").picture.has_alpha
