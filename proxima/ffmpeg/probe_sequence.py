"""A MediaInfo of numbered pictures."""

import itertools
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from proxima.errors import FailureKind, UsageError
from proxima.ffmpeg.frame_rate import parse_rate
from proxima.ffmpeg.media_formats import PROTOCOL_WHITELIST
from proxima.ffmpeg.probe_atoms import Movie
from proxima.ffmpeg.probe_video import video_stream
from proxima.ffmpeg.refusal import refusal, system_refusal
from proxima.ffmpeg.sequence_header import read_header
from proxima.image_sequence import ImageSequence
from proxima.media import MediaInfo, VideoStream
from proxima.timecode import Timecode

if TYPE_CHECKING:
    from av.container.input import InputContainer

#: ffmpeg's demuxer of numbered pictures.
CONTAINER = "image2"
#: Gaps that are listed; more are only counted.
_MOST_GAPS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class SequenceRate:
    """How fast a sequence runs."""

    #: What somebody said; it comes before what the pictures say.
    said: Fraction | None = None
    #: For pictures that do not say.
    default: Fraction = Fraction(24)

    @classmethod
    def of(cls, said: str | None, default: str) -> "SequenceRate":
        """By what people wrote; UsageError if one of them is no rate."""
        return cls(said=_parsed(said) if said else None, default=_parsed(default))


def probe_sequence(sequence: ImageSequence, rate: SequenceRate) -> MediaInfo:
    """What a sequence holds; SourceUnreadable with the numbers of pictures that are not there."""
    path = sequence.path
    try:
        if missing := sequence.missing():
            what = f"{_listed(missing)} missing, of {sequence.count} in all"
            raise refusal(path, FailureKind.SOURCE_DAMAGED, what, "copy them again")
        header = read_header(sequence.frame(sequence.first))
        size = sum(frame.stat().st_size for frame in sequence.files)
    except OSError as error:
        raise system_refusal(path, error) from error
    runs_at = rate.said or header.rate or rate.default
    picture = _picture(sequence, runs_at)
    return MediaInfo(
        container=CONTAINER,
        size_bytes=size,
        duration=sequence.count / runs_at,
        start=Fraction(0),
        video=(picture,),
        # As editing programs do where the pictures carry no label of their own.
        timecode=header.timecode or Timecode.at_frame(sequence.first, runs_at),
        timecode_rate=runs_at,
    )


def sequence_input(sequence: ImageSequence, rate: Fraction) -> list[str]:
    """Input options and input for ffmpeg: these pictures and none behind them."""
    return [
        *("-f", CONTAINER, "-pattern_type", "sequence"),
        *("-framerate", f"{rate.numerator}/{rate.denominator}"),
        *("-start_number", str(sequence.first)),
        # In the middle of the last picture, so that no rounding lets another one in.
        *("-t", f"{float((sequence.count - Fraction(1, 2)) / rate):.6f}"),
        *("-i", f"file:{sequence.pattern}"),
    ]


def _picture(sequence: ImageSequence, rate: Fraction) -> VideoStream:
    import av

    try:
        with open_sequence(sequence, rate) as container:
            stream = container.streams.video[0]
            found = video_stream(container, stream, movie=Movie(), head=b"", size=0)
    except (av.FFmpegError, IndexError) as error:
        what = f"its first picture cannot be read ({error})"
        raise refusal(sequence.path, FailureKind.SOURCE_DAMAGED, what, "copy it again") from error
    return replace(
        found,
        frame_rate=rate,
        average_rate=rate,
        variable_rate=False,
        frame_count=sequence.count,
        start=Fraction(0),
        duration=sequence.count / rate,
    )


def open_sequence(sequence: ImageSequence, rate: Fraction) -> "InputContainer":
    """The pictures, to be decoded; av.FFmpegError."""
    import av

    return av.open(
        f"file:{sequence.pattern}",
        "r",
        format=CONTAINER,
        container_options={
            "protocol_whitelist": PROTOCOL_WHITELIST,
            "pattern_type": "sequence",
            "framerate": f"{rate.numerator}/{rate.denominator}",
            "start_number": str(sequence.first),
        },
    )


def _parsed(text: str) -> Fraction:
    rate = parse_rate(text)
    if rate is None:
        raise UsageError(
            f"{text!r} is no frame rate; write frames per second: 24, 23.976 or 24000/1001"
        )
    return rate


def _listed(numbers: list[int]) -> str:
    """``pictures 5, 7-9``."""
    runs = itertools.groupby(enumerate(numbers), lambda pair: pair[1] - pair[0])
    spans = [[number for _, number in run] for _, run in runs]
    texts = [f"{s[0]}-{s[-1]}" if len(s) > 1 else str(s[0]) for s in spans]
    more = f" and more ({len(numbers)} in all)" if len(texts) > _MOST_GAPS else ""
    return f"picture{'s' * (len(numbers) > 1)} {', '.join(texts[:_MOST_GAPS])}{more}"
