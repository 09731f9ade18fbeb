"""Damage: pictures and sound of a source that could not be decoded whole, by ffmpeg's log.

ffmpeg conceals what it can, and ends as if nothing had been.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from proxima.job import JobWarning

_DAMAGED = re.compile(r"\[(?P<kind>[va])ist#.*\] (?:corrupt decoded frame|Error submitting packet)")
_REPEATED = re.compile(r"\s*Last message repeated (\d+) times")
_WORDS = {
    "v": ("picture_damaged", "pictures"),
    "a": ("sound_damaged", "pieces of sound"),
}


def damage(log: Path) -> tuple[JobWarning, ...]:
    """A warning for pictures, one for sound, if any of the source were damaged; OSError."""
    with log.open(encoding="utf-8", errors="replace") as lines:
        counts = Counter(_kinds(lines))
    return tuple(
        JobWarning(code=code, message=f"damaged {what} in the source: {counts[kind]}")
        for kind, (code, what) in _WORDS.items()
        if counts[kind]
    )


def _kinds(lines: Iterable[str]) -> Iterator[str]:
    """A letter for each damaged piece."""
    last = ""
    for line in lines:
        if repeated := _REPEATED.match(line):
            yield from last * int(repeated[1])
            continue
        found = _DAMAGED.match(line)
        last = found["kind"] if found else ""
        yield from last
