"""Read the key=value blocks that ``ffmpeg -progress`` writes."""

import math
from collections.abc import Iterable, Iterator

from proxima.progress import Progress

#: Longer than any line that ffmpeg writes; what is longer is noise.
_LONGEST_LINE = 200
#: A century, in seconds: more is ffmpeg's mark for "not known".
_LONGEST = 100 * 366 * 86_400
_MICROSECONDS = 1_000_000


def parse(lines: Iterable[bytes | str], duration: float | None) -> Iterator[Progress]:
    """Yield one reading for each block that says where ffmpeg is; never an exception.

    *duration* is the length of the output in seconds, if known. Positions are never below zero,
    and never smaller than before.
    """
    block: dict[str, str] = {}
    position, frame = 0.0, 0
    for line in lines:
        key, value = _pair(line)
        if key != "progress":  # always the last key of a block
            block[key] = value
            continue
        seconds, frames = _number(block.get("out_time_us")), _number(block.get("frame"))
        # Before the first packet is out, ffmpeg writes N/A for what it does not know.
        if seconds is not None or frames is not None:
            position = max(position, (seconds or 0) / _MICROSECONDS)
            frame = max(frame, int(frames or 0))
            yield Progress(
                position=position,
                frame=frame,
                duration=duration,
                fps=_number(block.get("fps")) or None,
                speed=_number(block.get("speed", "").removesuffix("x")) or None,
            )
        block.clear()


def _pair(line: bytes | str) -> tuple[str, str]:
    text = line.decode("ascii", "replace") if isinstance(line, bytes) else line
    key, mark, value = text[:_LONGEST_LINE].strip().partition("=")
    return (key.strip(), value.strip()) if mark else ("", "")


def _number(text: str | None) -> float | None:
    """A number that is not negative; None for all else (N/A, int64's least, nan)."""
    try:
        value = float(text or "")
    except ValueError:
        return None
    known = math.isfinite(value) and 0 <= value < _LONGEST * _MICROSECONDS
    return value if known else None
