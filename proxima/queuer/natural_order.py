"""The order in which people count: C2 before C10."""

import re
from pathlib import PurePath

_NUMBER = re.compile(r"(\d+)")

NaturalKey = tuple[tuple[tuple[str | int, ...], str], ...]


def natural_key(path: PurePath) -> NaturalKey:
    """Sorts paths folder by folder; numbers by value, letters without regard to case."""
    return tuple((_counted(part), part) for part in path.parts)


def _counted(part: str) -> tuple[str | int, ...]:
    # The split puts words at even and numbers at odd places, so like meets like.
    pieces = enumerate(_NUMBER.split(part.casefold()))
    return tuple(int(piece) if place % 2 else piece for place, piece in pieces)
