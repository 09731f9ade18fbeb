"""Whether an output would link to its source, seen by decoding both; independent of `verify`."""

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
from encodes import Output

#: Bits of PyAV's disposition: cover art.
_COVER = 0x400


@dataclass(frozen=True, kw_only=True)
class Decoded:
    """A file as a player has it."""

    #: Seconds of each picture, from the start of the file.
    pictures: list[Fraction]
    #: Seconds at which each decodable sound track begins, and that it lasts.
    begins: list[Fraction]
    lasts: list[Fraction]
    channels: tuple[int, ...]
    #: Of streams that hold pictures, and of timecode tracks.
    video_streams: int
    timecode_tracks: int
    timecode: str | None
    aspect: Fraction
    frame: Any = None

    @property
    def steps(self) -> list[Fraction]:
        """Seconds of each picture after the first one."""
        return [time - self.pictures[0] for time in self.pictures]

    @property
    def late(self) -> list[Fraction]:
        """Seconds from the first picture to each track."""
        return [begin - self.pictures[0] for begin in self.begins]


def decoded(path: Path) -> Decoded:
    """Decode all of *path*; what cannot be decoded is left out."""
    with av.open(f"file:{path}", metadata_errors="replace") as file:
        pictures = [s for s in file.streams.video if not int(s.disposition) & _COVER]
        sounds = [s for s in file.streams.audio if s.codec_context]
        times: dict[int, list[Fraction]] = {s.index: [] for s in (*pictures, *sounds)}
        lasts = dict.fromkeys(times, Fraction(0))
        first = None
        for packet in file.demux([*pictures[:1], *sounds]):
            for frame in _frames(packet):
                begin = Fraction(frame.pts or 0) * frame.time_base
                times[packet.stream.index].append(begin)
                if isinstance(frame, av.AudioFrame):
                    lasts[packet.stream.index] += Fraction(frame.samples, frame.sample_rate)
                else:
                    first = first or frame
        picture = pictures[0] if pictures else None
        width, height = (first.width, first.height) if first else (1, 1)
        pixels = (picture.sample_aspect_ratio if picture else None) or Fraction(1)
        return Decoded(
            pictures=times[picture.index] if picture else [],
            begins=[times[s.index][0] for s in sounds],
            lasts=[lasts[s.index] for s in sounds],
            channels=tuple(s.channels for s in sounds),
            video_streams=len(file.streams.video),
            timecode_tracks=sum("timecode" in s.metadata for s in file.streams.data),
            timecode=picture.metadata.get("timecode") if picture else None,
            aspect=Fraction(width, height) * pixels,
            frame=first,
        )


def _frames(packet: Any) -> list[Any]:
    try:
        return list(packet.decode())
    except av.FFmpegError:
        return []


def links(output: Output, *, jumps: bool = False) -> Decoded:
    """Assert the contract that holds for every output; *jumps* if the source's times do."""
    old, new = decoded(output.source_path), decoded(output.path)
    assert new.video_streams == 1
    assert len(new.pictures) == len(old.pictures)
    assert new.channels == old.channels
    assert new.timecode_tracks == (output.info.timecode is not None)
    half = Fraction(1, 2) / (output.picture.frame_rate or 25)
    if not jumps:
        # A millisecond, as Matroska's clock has it.
        assert all(
            abs(a - b) <= Fraction(11, 10000) for a, b in zip(old.steps, new.steps, strict=True)
        )
    assert all(abs(a - b) < half for a, b in zip(old.late, new.late, strict=True))
    # Codecs with frames of samples give more than is meant to be heard.
    assert all(
        abs(a - b) < half + Fraction(1, 20) for a, b in zip(old.lasts, new.lasts, strict=True)
    )
    return new


def small(frame: Any, width: int = 8, height: int = 8) -> list[list[int]]:
    """The brightness of a picture in a few pixels, line by line."""
    grey = frame.reformat(width=width, height=height, format="gray")
    plane = grey.planes[0]
    data = bytes(plane)
    return [list(data[y * plane.line_size :][:width]) for y in range(height)]


def differ(one: list[list[int]], other: list[list[int]]) -> float:
    """By how much two small pictures differ on average; 0 to 255."""
    pairs = [(a, b) for x, y in zip(one, other, strict=True) for a, b in zip(x, y, strict=True)]
    return sum(abs(a - b) for a, b in pairs) / len(pairs)
