"""The times of frames: kept as they are, or exactly even where source and container are.

A source of constant rate gets the same rational rate: frames go on an even grid that begins at
the first of them, so that the milliseconds of Matroska do not stay in the output, while real
gaps and the offset to the sound do. A source of variable rate keeps the time of each frame,
except in MXF, which knows no times: there frames are repeated or dropped to the rate that the
source names.
"""

import math
from fractions import Fraction
from typing import NamedTuple

from proxima.ffmpeg.fields import deinterlacing
from proxima.ffmpeg.frame_rate import standard_rate
from proxima.media import MediaInfo, VideoStream
from proxima.preset import Preset

#: The coarsest clock that QuickTime files get; ffmpeg's muxer refines its own in the same way.
_COARSEST_CLOCK = 10_000


class Grid(NamedTuple):
    """An even grid of frames on a clock of whole ticks."""

    ticks_a_second: int
    ticks_a_frame: int

    @classmethod
    def of(cls, rate: Fraction) -> "Grid":
        """The grid of *rate* frames per second."""
        ticks = rate.numerator
        while ticks < _COARSEST_CLOCK:
            ticks *= 2
        return cls(ticks, ticks * rate.denominator // rate.numerator)


def source_rate(picture: VideoStream) -> Fraction | None:
    """Frames per second as the source names them; None if it does not."""
    rate, average = picture.frame_rate, picture.average_rate
    if rate and average == rate / 2 and not picture.variable_rate:
        # What was counted are fields.
        return average
    rate = rate or average
    # Without an index, the rate was measured on a clock of milliseconds: 59.94 reads 19001/317.
    return standard_rate(rate) if rate and picture.frame_count is None else rate


def output_rate(picture: VideoStream, preset: Preset) -> Fraction | None:
    """Frames per second of the output; the nominal ones where the rate varies."""
    return Fraction(preset.frame_rate) if preset.frame_rate else _own_rate(picture, preset)


def constant_rate(picture: VideoStream, preset: Preset) -> Fraction | None:
    """Frames per second if all frames of the output are even, else None."""
    if preset.frame_rate or preset.container == "mxf" or not picture.variable_rate:
        return output_rate(picture, preset)
    return None


def is_resampled(picture: VideoStream, preset: Preset) -> bool:
    """Whether frames are repeated or dropped to reach the output's rate."""
    if picture.variable_rate:
        return bool(preset.frame_rate) or preset.container == "mxf"
    return output_rate(picture, preset) != _own_rate(picture, preset)


def timing_filters(picture: VideoStream, preset: Preset) -> list[str]:
    """Put frames on their even grid."""
    rate = constant_rate(picture, preset)
    if rate is None:
        return []
    if is_resampled(picture, preset):
        return [f"fps={_ratio(rate)}"]
    grid = Grid.of(rate)
    near = _noise(picture, grid)
    place = f"STARTPTS+{grid.ticks_a_frame}*round((PTS-STARTPTS)/{grid.ticks_a_frame})"
    times = f"max(if(lte(abs(PTS-ld(0)),{near}),ld(0),PTS),PREV_OUTPTS+1)"
    return [f"settb=1/{grid.ticks_a_second}", f"setpts='st(0,{place});if(N,{times},PTS)'"]


def _noise(picture: VideoStream, grid: Grid) -> int:
    """Ticks that a frame may lie beside its place: what the source's clock rounds away.

    One that lies further off is meant to be there; its source is less even than it says.
    """
    source_tick = math.ceil(picture.time_base * grid.ticks_a_second)
    millisecond = math.ceil(grid.ticks_a_second / 1000)
    return min(max(source_tick, millisecond) + 1, grid.ticks_a_frame // 4)


def timing_arguments(picture: VideoStream, preset: Preset) -> list[str]:
    """Output options: no frame is repeated or dropped, but where MXF needs it."""
    rate = constant_rate(picture, preset)
    if rate is None:
        # Two frames of one have times between the source's ticks.
        clock = "filter" if deinterlacing(picture, preset) == "fields" else "demux"
        return ["-fps_mode:v", "passthrough", "-enc_time_base:v", clock]
    if preset.container == "mxf":
        # Its muxer counts frames and asks for no times: a gap would move all that follows.
        return ["-fps_mode:v", "cfr", "-r:v", _ratio(rate)]
    ticks = Grid.of(rate).ticks_a_second
    return ["-fps_mode:v", "passthrough", "-enc_time_base:v", f"1/{ticks}"]


def length_filters(picture: VideoStream, preset: Preset) -> list[str]:
    """Bitstream filters: Matroska's milliseconds would make the last frame too short or long."""
    rate = constant_rate(picture, preset)
    if rate is None or preset.container == "mxf":
        return []
    return [f"setts=pts=PTS:dts=DTS:duration={Grid.of(rate).ticks_a_frame}"]


def origin(media: MediaInfo, preset: Preset) -> Fraction:
    """Seconds from the start of the source, as ffmpeg sees it, to that of the output.

    Zero where the container can say that a track begins late. WAV and MXF cannot: they begin
    with the first frame, which the start timecode belongs to. Below zero if a frame is shown
    before ffmpeg's start: at a time below zero, it would be hidden.
    """
    picture = media.picture
    if picture is None or picture.start is None:
        return Fraction(0)
    first = picture.start - (media.start or 0)
    return first if preset.container in {"wav", "mxf"} else min(first, Fraction(0))


def expected_frames(picture: VideoStream, preset: Preset) -> tuple[int | None, int]:
    """Frames of a complete output, and how many more or less are no fault; None if unknown."""
    count = picture.frame_count
    if is_resampled(picture, preset):
        rate = output_rate(picture, preset)
        # Where frames are not counted, the length is but a guess.
        seconds = picture.duration if count else None
        return (round(seconds * rate), 1) if seconds and rate else (None, 0)
    return (count * 2 if count and deinterlacing(picture, preset) == "fields" else count), 0


def _own_rate(picture: VideoStream, preset: Preset) -> Fraction | None:
    """Frames per second without any being repeated or dropped."""
    rate = source_rate(picture)
    return rate * 2 if rate and deinterlacing(picture, preset) == "fields" else rate


def _ratio(rate: Fraction) -> str:
    return f"{rate.numerator}/{rate.denominator}"
