"""Composites: sources that are several files, by the names that stand for them."""

from pathlib import Path

from proxima.image_sequence import ImageSequence
from proxima.spanned_take import SpannedTake

Composite = ImageSequence | SpannedTake


def composite(path: Path) -> Composite | None:
    """What *path* names; None if it is a file like any other."""
    return ImageSequence.of(path) or SpannedTake.of(path)


def stamp(path: Path) -> tuple[int, int]:
    """Bytes of a file or all files of a composite, and when last written (ns); OSError."""
    found = composite(path)
    states = [file.stat() for file in (found.files if found else (path,))]
    return sum(s.st_size for s in states), max(s.st_mtime_ns for s in states)
