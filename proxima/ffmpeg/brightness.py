"""Brightness of single frames, decoded in process."""

import contextlib
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, cast

from proxima.ffmpeg.media_formats import CONCAT_WHITELIST, FORMAT_WHITELIST, PROTOCOL_WHITELIST
from proxima.ffmpeg.probe_sequence import open_sequence
from proxima.image_sequence import ImageSequence
from proxima.spanned_take import SpannedTake

if TYPE_CHECKING:
    from av.container.input import InputContainer
    from av.stream import Stream
    from av.video.frame import VideoFrame

#: The size to which frames are averaged, so that noise does not count.
_WIDTH, _HEIGHT = 32, 18
#: Frames to decode after a key frame in search of one; more only says that it is not there.
_MOST_FRAMES = 600


def spots(
    path: Path, index: int, moments: Sequence[Fraction], rate: Fraction | None = None
) -> Iterator[int]:
    """The brightest spot, 0 to 255, of each frame that stream *index* shows at *moments*.

    Moments are seconds after its start; those of which no frame can be decoded are left out.
    An image sequence runs at *rate*.
    """
    import av

    try:
        with _opened(path, rate) as container:
            yield from map(_brightest, _frames(container, container.streams[index], moments))
    except av.FFmpegError:
        return


def _opened(path: Path, rate: Fraction | None) -> "InputContainer":
    import av

    sequence = ImageSequence.of(path)
    if sequence and rate:
        return open_sequence(sequence, rate)
    take = SpannedTake.of(path)
    return av.open(
        take.address if take else f"file:{path.absolute()}",
        container_options={
            "format_whitelist": FORMAT_WHITELIST,
            "protocol_whitelist": CONCAT_WHITELIST if take else PROTOCOL_WHITELIST,
        },
    )


def _frames(
    container: "InputContainer", stream: "Stream", moments: Sequence[Fraction]
) -> "Iterator[VideoFrame]":
    import av

    base = stream.time_base or Fraction(1)
    for moment in moments:
        ticks = round(moment / base) + (stream.start_time or 0)
        try:
            container.seek(ticks, stream=stream)
        except av.FFmpegError:
            continue
        last = None
        for number, last in enumerate(_decoded(container, stream)):
            if (last.pts or 0) >= ticks or number >= _MOST_FRAMES:
                break
        if last:
            yield last


def _decoded(container: "InputContainer", stream: "Stream") -> "Iterator[VideoFrame]":
    """Every frame from here; one that is damaged does not hide those behind it."""
    import av

    for packet in container.demux(stream):
        with contextlib.suppress(av.FFmpegError):
            yield from cast("list[VideoFrame]", packet.decode())


def _brightest(frame: "VideoFrame") -> int:
    plane = frame.reformat(width=_WIDTH, height=_HEIGHT, format="gray").planes[0]
    rows, step = bytes(plane), plane.line_size
    return max(max(rows[line * step : line * step + _WIDTH]) for line in range(_HEIGHT))
