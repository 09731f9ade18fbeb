"""A VideoStream from a stream of pictures that PyAV has opened."""

import math
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from proxima.ffmpeg.probe_atoms import UNTURNED, Matrix, Movie, Track
from proxima.ffmpeg.probe_colour import colour
from proxima.ffmpeg.probe_first_frame import (
    FirstFrame,
    first_frame,
    header_order,
    may_start_early,
    must_ask_frames,
    settled_order,
)
from proxima.ffmpeg.probe_frames import frames
from proxima.ffmpeg.probe_matroska import may_be_turned
from proxima.ffmpeg.unsupported import ENCRYPTED
from proxima.media import FieldOrder, VideoStream

if TYPE_CHECKING:
    from av.container.input import InputContainer
    from av.video.codeccontext import VideoCodecContext
    from av.video.format import VideoFormat
    from av.video.stream import VideoStream as AvVideoStream


def video_stream(
    container: "InputContainer",
    stream: "AvVideoStream",
    *,
    movie: Movie,
    head: bytes,
    size: int,
) -> VideoStream:
    """Everything that the header says of one stream; one frame is decoded if it must be.

    *head* is the first bytes and *size* the length of the file.
    """
    codec = _codec_context(stream)
    track = movie.track(stream.id)
    if codec is None or track.codec in ENCRYPTED:
        return _undecodable(stream, track)
    still = _picture(stream, codec)
    if still.is_attached_picture:
        return still
    counted = frames(stream, container.format.name, size, fragmented=movie.is_fragmented)
    seen, order = FirstFrame(), header_order(codec.field_order, still.codec)
    is_silent = must_ask_frames(order, still.codec) or may_be_turned(head)
    if codec.pix_fmt and (is_silent or may_start_early(container.format.name)):
        seen = first_frame(container, stream)
    rotation, mirrored = orientation(seen.matrix or track.matrix)
    return replace(
        still,
        rotation=rotation,
        mirrored=mirrored,
        frame_rate=counted.rate,
        average_rate=counted.average,
        variable_rate=counted.is_variable,
        frame_count=counted.shown,
        hidden_frames=counted.hidden,
        missing_frames=counted.missing,
        start=_earlier(_seconds(stream.start_time, still.time_base), seen.time),
        duration=_seconds(stream.duration, still.time_base),
        field_order=settled_order(order, seen.field_order),
    )


def _undecodable(stream: "AvVideoStream", track: Track) -> VideoStream:
    return VideoStream(
        index=stream.index,
        codec=track.codec or "unknown",
        width=track.width,
        height=track.height,
        decodable=False,
        is_attached_picture=_is_attached(stream),
    )


def _picture(stream: "AvVideoStream", codec: "VideoCodecContext") -> VideoStream:
    """What a single picture has as well."""
    pixels = codec.format
    return VideoStream(
        index=stream.index,
        codec=codec.codec.canonical_name,
        profile=codec.profile,
        pixel_format=codec.pix_fmt,
        bit_depth=_bit_depth(pixels) if pixels else 8,
        has_alpha=any(part.is_alpha for part in pixels.components) if pixels else False,
        width=codec.width,
        height=codec.height,
        pixel_aspect=stream.sample_aspect_ratio or Fraction(1),
        time_base=stream.time_base or Fraction(1, 90000),
        field_order=FieldOrder.PROGRESSIVE,
        colour=colour(codec.color_primaries, codec.color_trc, codec.colorspace, codec.color_range),
        is_attached_picture=_is_attached(stream),
    )


def orientation(matrix: Matrix) -> tuple[int, bool]:
    """Degrees clockwise to the nearest quarter, and whether it mirrors (before it turns)."""
    a, b, c, d = matrix if any(matrix) else UNTURNED
    mirrored = a * d - b * c < 0
    if mirrored:
        a, b = -a, -b
    return round(math.degrees(math.atan2(b, a)) / 90) * 90 % 360, mirrored


def _codec_context(stream: "AvVideoStream") -> "VideoCodecContext | None":
    """None where there is no decoder, which PyAV's types do not tell."""
    return stream.codec_context


def _is_attached(stream: "AvVideoStream") -> bool:
    from av.stream import Disposition

    return bool(stream.disposition & (Disposition.attached_pic | Disposition.timed_thumbnails))


def _bit_depth(pixels: "VideoFormat") -> int:
    # A palette's only component is an index of 8 bits.
    return max((part.bits for part in pixels.components if not part.is_alpha), default=8)


def _earlier(named: Fraction | None, seen: Fraction | None) -> Fraction | None:
    # A later one is a start that could not be decoded: it is no less the start.
    return min(named, seen) if named is not None and seen is not None else named


def _seconds(ticks: int | None, base: Fraction) -> Fraction | None:
    return None if ticks is None else ticks * base
