"""What is seen: turned once, as bright and as coloured as the source says, and as transparent."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import av
import clips
import odd_clips as odd
import pytest
from encodes import H264, transcode
from linked import decoded, differ, links, small

Picture = list[list[int]]
Make = Callable[[Path], Path]


def quarter(picture: Picture) -> Picture:
    """Turned a quarter clockwise."""
    return [list(line) for line in zip(*picture[::-1], strict=True)]


def mirror(picture: Picture) -> Picture:
    """Left to right."""
    return [line[::-1] for line in picture]


def half(picture: Picture) -> Picture:
    """Upside down."""
    return quarter(quarter(picture))


TURNS = [
    ("RO-01", lambda f: clips.rotated_clip(f, 90), quarter, (180, 320)),
    ("RO-02", lambda f: clips.rotated_clip(f, 180), half, (320, 180)),
    ("RO-01", lambda f: clips.rotated_clip(f, 270), lambda p: half(quarter(p)), (180, 320)),
    ("RO-04", clips.mirrored_clip, mirror, (320, 180)),
]


@pytest.mark.parametrize(
    ("make", "turn", "size"), [t[1:] for t in TURNS], ids=[t[0] for t in TURNS]
)
def test_a_picture_is_turned_once(
    tmp_path: Path, make: Make, turn: Callable[[Picture], Picture], size: tuple[int, int]
) -> None:
    output = transcode(make(tmp_path))
    old, new = decoded(output.source_path), links(output)
    wanted, found = turn(small(old.frame)), small(new.frame)
    assert differ(found, wanted) < 3
    assert differ(found, half(wanted)) > 10
    assert (output.picture.width, output.picture.height) == size
    assert (new.frame.rotation, output.picture.mirrored) == (0, False)


@pytest.mark.parametrize("preset", [{}, H264], ids=["CO-03", "CO-03"])
@pytest.mark.parametrize(("grey", "bright"), [("white", 235), ("black", 16), ("0x808080", 126)])
def test_full_range_is_neither_crushed_nor_lifted(
    tmp_path: Path, preset: dict[str, Any], grey: str, bright: int
) -> None:
    graph = f"color={grey}:s=64x64:r=25:d=0.2,scale=out_range=pc,format=yuvj420p"
    codec = ("-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuvj420p")
    source = clips.make_clip(tmp_path, "full.mov", "-f", "lavfi", "-i", graph, *codec)
    output = transcode(source, **preset)
    assert (output.source.video[0].colour.range, output.picture.colour.range) == ("pc", "tv")
    assert abs(luma(decoded(output.path).frame) - bright) <= 2


@pytest.mark.parametrize("tags", ["smpte170m", "bt470bg", "bt709"], ids=["CO-04"] * 3)
@pytest.mark.parametrize("preset", [{}, H264])
def test_colours_are_not_converted_behind_their_tags(
    tmp_path: Path, tags: str, preset: dict[str, Any]
) -> None:
    source = clips.tagged_clip(tmp_path, "tags.mov", tags, tags, tags)
    output = transcode(source, **preset)
    old, new = decoded(source), decoded(output.path)
    assert output.picture.colour.matrix == tags
    assert all(abs(a - b) < 1.5 for a, b in zip(means(old.frame), means(new.frame), strict=True))
    # What is in ProRes headers counts for players, and bt470bg has no number there.
    assert int(new.frame.colorspace) in {int(old.frame.colorspace), 6}


@pytest.mark.parametrize(
    ("codec", "colour", "opacity"),
    [
        (("-c:v", "prores_ks", "-profile:v", "4444", "-pix_fmt", "yuva444p10le"), "red@0.5", 0.5),
        (("-c:v", "qtrle"), "red@0.0", 0.0),
        (("-c:v", "png"), "red@0.4", 0.4),
    ],
    ids=["AL-01", "AL-02", "AL-04"],
)
def test_a_preset_that_knows_alpha_keeps_it(
    tmp_path: Path, codec: tuple[str, ...], colour: str, opacity: float
) -> None:
    source = odd.with_alpha(tmp_path, "alpha.mov", *codec, colour=colour)
    output = transcode(source, profile="4444", video_codec="prores")
    assert output.warnings == {}
    assert output.picture.has_alpha
    frame = decoded(output.path).frame
    plane = memoryview(frame.planes[3]).cast("H")
    assert abs(plane[0] / 4095 - opacity) < 0.02


def luma(frame: av.VideoFrame) -> float:
    """The mean brightness as coded, in 8 bits."""
    return means(frame)[0]


def means(frame: av.VideoFrame) -> list[float]:
    """The mean of each plane as coded, in 8 bits."""
    found = []
    for plane in frame.planes:
        deep = "10" in frame.format.name
        data = memoryview(plane).cast("H") if deep else memoryview(plane)
        line, width = plane.line_size // (2 if deep else 1), plane.width
        values = [data[y * line + x] for y in range(plane.height) for x in range(width)]
        found.append(sum(values) / len(values) / (4 if deep else 1))
    return found
