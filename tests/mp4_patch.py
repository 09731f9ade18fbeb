"""Change single fields of a QuickTime or MP4 file in place, to make what no encoder makes.

Tracks are counted from 0. Layouts: ISO/IEC 14496-12 and the QuickTime File Format Specification.
"""

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

#: Boxes that hold boxes.
_PARENTS = {b"moov", b"trak", b"mdia", b"minf", b"stbl", b"edts", b"udta"}
_ONE = 1 << 16

UNTURNED = (1, 0, 0, 1)
#: Columns a, b, c, d of a display matrix, by degrees clockwise.
TURNED = {0: UNTURNED, 90: (0, 1, -1, 0), 180: (-1, 0, 0, -1), 270: (0, -1, 1, 0)}
#: As a phone's front camera.
MIRRORED = (-1, 0, 0, 1)


class Box(NamedTuple):
    """A box: where its contents start and end in the file."""

    kind: bytes
    start: int
    end: int


def set_fourcc(path: Path, track: int, fourcc: str) -> None:
    """Rename the codec of a track."""
    data = bytearray(path.read_bytes())
    entry = _box(data, track, b"stsd").start + 8
    data[entry + 4 : entry + 8] = fourcc.encode()
    path.write_bytes(data)


def set_handler(path: Path, track: int, handler: str) -> None:
    """Rename what a track is: "vide", "soun", "meta"."""
    data = bytearray(path.read_bytes())
    start = _box(data, track, b"hdlr").start
    data[start + 8 : start + 12] = handler.encode()
    path.write_bytes(data)


def set_matrix(path: Path, track: int, matrix: tuple[int, int, int, int]) -> None:
    """Turn or mirror the picture of a track."""
    a, b, c, d = matrix
    data = bytearray(path.read_bytes())
    start = _box(data, track, b"tkhd").start
    at = start + (52 if data[start] else 40)
    struct.pack_into(">9i", data, at, a * _ONE, b * _ONE, 0, c * _ONE, d * _ONE, 0, 0, 0, 1 << 30)
    path.write_bytes(data)


def set_timecode_track(
    path: Path,
    track: int,
    *,
    drop_frame: bool = False,
    rate: tuple[int, int] | None = None,
    start: int | None = None,
) -> None:
    """Change the drop flag, the rate (timescale, ticks a frame) and the first frame number."""
    data = bytearray(path.read_bytes())
    entry = _box(data, track, b"stsd").start + 8
    struct.pack_into(">I", data, entry + 20, int(drop_frame))
    if rate:
        struct.pack_into(">2IB", data, entry + 24, *rate, round(rate[0] / rate[1]))
    if start is not None:
        (offset,) = struct.unpack_from(">I", data, _box(data, track, b"stco").start + 8)
        struct.pack_into(">I", data, offset, start)
    path.write_bytes(data)


def scale_durations(path: Path, factor: float) -> None:
    """Multiply every duration in the header, edit lists included."""
    data = bytearray(path.read_bytes())
    at = {b"mvhd": 16, b"mdhd": 16, b"tkhd": 20, b"elst": 8}
    for box in _walk(data, 0, len(data)):
        if box.kind in at and data[box.start] == 0:
            place = box.start + at[box.kind]
            (duration,) = struct.unpack_from(">I", data, place)
            struct.pack_into(">I", data, place, int(duration * factor))
    path.write_bytes(data)


def _box(data: bytearray, track: int, kind: bytes) -> Box:
    """The first box of that kind in a track."""
    traks = [box for box in _walk(data, 0, len(data)) if box.kind == b"trak"]
    inside = _walk(data, traks[track].start, traks[track].end)
    return next(box for box in inside if box.kind == kind)


def _walk(data: bytearray, start: int, end: int) -> Iterator[Box]:
    while start + 8 <= end:
        size, kind = struct.unpack_from(">I4s", data, start)
        header = 8
        if size == 1:
            (size,) = struct.unpack_from(">Q", data, start + 8)
            header = 16
        box = Box(kind, start + header, start + size if size else end)
        yield box
        if kind in _PARENTS:
            yield from _walk(data, box.start, box.end)
        start = box.end
