"""Blackness: an output must not be black where its source has picture."""

from fractions import Fraction
from pathlib import Path

from proxima.errors import FailureKind, JobFailed
from proxima.ffmpeg.brightness import spots
from proxima.media import MediaInfo

#: Where to look, as shares of the length: the middle first, as it mostly settles the question.
_LOOKS = (Fraction(1, 2), Fraction(1, 10), Fraction(9, 10), Fraction(3, 10), Fraction(7, 10))
#: The brightest spot of 255 that still is black, and the least of a source that is not.
_BLACK, _PICTURE = 8, 32


def refuse_black(scratch: Path, made: MediaInfo, *, source: Path, media: MediaInfo) -> None:
    """JobFailed if no picture of *scratch* can be decoded, or all are black and the source's not.

    Some frames are looked at; the source's only where all of those are black.
    """
    if made.picture is None or media.picture is None:
        return
    length = made.picture.duration or made.duration or Fraction(0)
    moments = [length * share for share in _LOOKS]
    seen = False
    for spot in spots(scratch, made.picture.index, moments):
        if spot > _BLACK:
            return
        seen = True
    if not seen:
        raise _wrong("no picture of the output can be decoded")
    # In a stream without an index, what follows the middle may hang on a key frame before it.
    everywhere = [*moments, Fraction(0)]
    shown = spots(source, media.picture.index, everywhere, media.picture.frame_rate)
    if any(spot >= _PICTURE for spot in shown):
        raise _wrong("the output is black, its source is not")


def _wrong(what: str) -> JobFailed:
    return JobFailed(FailureKind.OUTPUT_WRONG, what, "it was not published")
