"""What a pattern such as ``B-roll/**/*.mov`` matches, for shells that leave patterns alone."""

import os
from collections.abc import Iterator, Sequence
from fnmatch import fnmatch
from pathlib import Path

from proxima.queuer.folder_walk import Walk, is_folder


def is_pattern(name: str) -> bool:
    """Whether *name* holds a wildcard: ``*``, ``?`` or ``[``."""
    return any(char in name for char in "*?[")


def matching(pattern: Path, walk: Walk) -> Iterator[Path]:
    """Files and folders that an absolute pattern matches, in no order, perhaps repeatedly.

    As in shells, ``*`` takes no name that begins with a dot, and ``**`` stands for any folders; it
    passes over what *walk* passes over, and after it a wildcard at the end matches files only.
    """
    parts = pattern.parts
    fixed = next(index for index, part in enumerate(parts) if is_pattern(part))
    found = _below(Path(*parts[:fixed]), parts[fixed:], walk)
    if "**" in parts and is_pattern(parts[-1]):
        return (path for path in found if not is_folder(path))
    return found


def _below(folder: Path, parts: Sequence[str], walk: Walk) -> Iterator[Path]:
    if not parts:
        yield folder
    elif parts[0] == "**":
        for deeper in _folders(folder, walk):
            yield from _below(deeper, parts[1:] or ("*",), walk)
    elif not is_pattern(parts[0]):
        if os.path.lexists(folder / parts[0]):
            yield from _below(folder / parts[0], parts[1:], walk)
    else:
        for entry in _named(folder, parts[0]):
            if len(parts) == 1 or is_folder(entry):
                yield from _below(Path(entry.path), parts[1:], walk)


def _folders(top: Path, walk: Walk) -> Iterator[Path]:
    # A walk enters each folder once, but a second ** starts anew below the first.
    fresh = Walk(left_out=walk.left_out, faults=walk.faults)
    return (folder for folder, _ in fresh.folders(top))


def _named(folder: Path, pattern: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return [
                entry
                for entry in entries
                if fnmatch(entry.name, pattern)
                and (pattern.startswith(".") or not entry.name.startswith("."))
            ]
    except OSError:
        return []
