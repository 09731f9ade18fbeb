"""What PyAV does not tell of a QuickTime or MP4 file: fourccs, matrices, timecode tracks.

Only the headers of boxes are read, never the tables of samples. ISO/IEC 14496-12, and
Apple's QuickTime File Format Specification for the sample descriptions.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import BinaryIO, NamedTuple

#: Columns a, b, c, d of a display matrix: x' = ax + cy, y' = bx + dy.
Matrix = tuple[int, int, int, int]
_ONE = 1 << 16
UNTURNED: Matrix = (_ONE, 0, 0, _ONE)
#: No honest file has as many side by side; a forged one would keep us for hours.
_MOST_BOXES = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class TimecodeTrack:
    """A timecode track (tmcd): how it counts, and its first frame number."""

    #: Frames per second, and the frames that a label's second has.
    rate: Fraction | None
    nominal: int
    drop_frame: bool
    #: Frames since midnight; None if the sample cannot be read.
    start: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Track:
    """One track; its id is PyAV's ``stream.id``."""

    id: int
    #: The fourcc of its first sample description: "avc1", "apac", "tmcd".
    codec: str = ""
    matrix: Matrix = UNTURNED
    #: Pixels; 0 if it is no picture.
    width: int = 0
    height: int = 0
    #: 0 if it is no sound.
    channels: int = 0
    sample_rate: int = 0
    timecode: TimecodeTrack | None = None
    #: Ids of the timecode tracks that it refers to.
    timecode_ids: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Movie:
    """The header (moov) of a file; ``exists`` is False where there is none."""

    exists: bool = False
    #: Whether further samples are listed in fragments (moof) all over the file.
    is_fragmented: bool = False
    tracks: tuple[Track, ...] = ()

    def track(self, track_id: int) -> Track:
        """The track of that id; an empty one if there is none."""
        return next((t for t in self.tracks if t.id == track_id), Track(id=track_id))


class Box(NamedTuple):
    """Where the contents of a box lie in the file, in bytes."""

    kind: bytes
    start: int
    end: int


def read_movie(path: Path, size: int) -> Movie:
    """Read the header of a file of *size* bytes; what is broken in it is left out."""
    with path.open("rb") as file:
        # Stops there: behind it may lie thousands of fragments.
        moov = next((b for b in _children(file, Box(b"", 0, size)) if b.kind == b"moov"), None)
        if moov is None:
            return Movie()
        inside = list(_children(file, moov))
        movie_matrix = UNTURNED
        for box in inside:
            if box.kind == b"mvhd":
                movie_matrix = _matrix(file, box, {0: 36, 1: 48})
        tracks = [_track(file, box, movie_matrix) for box in inside if box.kind == b"trak"]
        return Movie(
            exists=True,
            is_fragmented=any(box.kind == b"mvex" for box in inside),
            tracks=tuple(tracks),
        )


def _children(file: BinaryIO, parent: Box) -> Iterator[Box]:
    at = parent.start
    for _ in range(_MOST_BOXES):
        if at + 8 > parent.end:
            return
        file.seek(at)
        header = file.read(16)
        if len(header) < 8:
            return
        size, kind = struct.unpack_from(">I4s", header)
        start = at + 8
        if size == 1 and len(header) == 16:
            size, start = struct.unpack_from(">Q", header, 8)[0], at + 16
        end = at + size if size else parent.end
        if end < start:
            return
        yield Box(kind, start, min(end, parent.end))
        at = end


def _boxes(file: BinaryIO, parent: Box, *path: bytes) -> dict[bytes, Box]:
    """The boxes below *path*, by kind; the first of a kind wins."""
    for kind in path:
        parent = _boxes(file, parent).get(kind, Box(b"", 0, 0))
    found: dict[bytes, Box] = {}
    for box in _children(file, parent):
        found.setdefault(box.kind, box)
    return found


def _bytes(file: BinaryIO, box: Box | None, limit: int = 256) -> bytes:
    """The first bytes of a box, filled up with zeros."""
    if box is None:
        return bytes(limit)
    file.seek(box.start)
    return file.read(min(limit, box.end - box.start)).ljust(limit, b"\0")


def _track(file: BinaryIO, trak: Box, movie_matrix: Matrix) -> Track:
    boxes = _boxes(file, trak)
    header = _bytes(file, boxes.get(b"tkhd"))
    (track_id,) = struct.unpack_from(">I", header, 20 if header[0] else 12)
    handler = _bytes(file, _boxes(file, trak, b"mdia").get(b"hdlr"))[8:12]
    samples = _boxes(file, trak, b"mdia", b"minf", b"stbl")
    entry = _bytes(file, samples.get(b"stsd"))[8:]
    codec = entry[4:8].decode("latin-1").strip("\0 ")
    width, height = struct.unpack_from(">2H", entry, 32) if handler == b"vide" else (0, 0)
    channels, sample_rate = _sound_format(entry) if handler == b"soun" else (0, 0)
    return Track(
        id=track_id,
        codec=codec,
        matrix=_product(_matrix(file, boxes.get(b"tkhd"), {0: 40, 1: 52}), movie_matrix),
        width=width,
        height=height,
        channels=channels,
        sample_rate=sample_rate,
        timecode=_timecode(file, entry, samples) if codec == "tmcd" else None,
        timecode_ids=_timecode_ids(file, trak),
    )


def _matrix(file: BinaryIO, box: Box | None, offsets: dict[int, int]) -> Matrix:
    """The matrix of a header, whose place depends on the header's version."""
    data = _bytes(file, box)
    at = offsets.get(data[0])
    if box is None or at is None:
        return UNTURNED
    a, b, _, c, d = struct.unpack_from(">5i", data, at)
    return (a, b, c, d) if a * d != b * c else UNTURNED


def _product(first: Matrix, second: Matrix) -> Matrix:
    """First *first*, then *second*, in 16.16 fixed point."""
    (a, b, c, d), (e, f, g, h) = first, second
    terms = (a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h)
    return (terms[0] >> 16, terms[1] >> 16, terms[2] >> 16, terms[3] >> 16)


def _sound_format(entry: bytes) -> tuple[int, int]:
    """Channels and samples per second of a sound sample description."""
    version, channels = struct.unpack_from(">H6xH", entry, 16)
    if version == 2:
        rate, channels = struct.unpack_from(">dI", entry, 40)
        return channels, int(rate) if 0 < rate < 1e7 else 0
    return channels, struct.unpack_from(">H", entry, 32)[0]


def _timecode(file: BinaryIO, entry: bytes, samples: dict[bytes, Box]) -> TimecodeTrack:
    flags, scale, duration, nominal = struct.unpack_from(">3IB", entry, 20)
    return TimecodeTrack(
        rate=Fraction(scale, duration) if scale and duration else None,
        nominal=nominal,
        drop_frame=bool(flags & 1),
        start=_first_frame_number(file, samples),
    )


def _first_frame_number(file: BinaryIO, samples: dict[bytes, Box]) -> int | None:
    form, table = ">Q", samples.get(b"co64")
    if b"stco" in samples:
        form, table = ">I", samples[b"stco"]
    offsets = _bytes(file, table, 16)
    if table is None or not struct.unpack_from(">I", offsets, 4)[0]:
        return None
    (offset,) = struct.unpack_from(form, offsets, 8)
    if offset >> 63:
        return None
    file.seek(offset)
    sample = file.read(4)
    return struct.unpack(">I", sample)[0] if len(sample) == 4 else None


def _timecode_ids(file: BinaryIO, trak: Box) -> tuple[int, ...]:
    box = _boxes(file, trak, b"tref").get(b"tmcd")
    if box is None:
        return ()
    count = min(box.end - box.start, 256) // 4
    return struct.unpack_from(f">{count}I", _bytes(file, box))
