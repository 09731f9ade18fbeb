"""Lines of keys in a TOML text, for messages; tomllib does not tell them."""

import re

from proxima.config.fault import Key

_PART = r"""(?:"[^"]*"|'[^']*'|[\w-]+)"""
_DOTTED = rf"{_PART}(?:\s*\.\s*{_PART})*"
_HEADER = re.compile(rf"\s*(\[\[?)\s*({_DOTTED})\s*\]")
_ASSIGNMENT = re.compile(rf"\s*({_DOTTED})\s*=")


def key_lines(text: str) -> dict[Key, int]:
    """The line, from 1, of each table and key; entries of arrays of tables have their number.

    Text that looks like a key inside a string of several lines is taken for one.
    """
    lines: dict[Key, int] = {}
    entries: dict[Key, int] = {}
    table: Key = ()
    for number, line in enumerate(text.splitlines(), 1):
        if header := _HEADER.match(line):
            table = _numbered(_parts(header[2]), entries)
            if header[1] == "[[":
                entries[table] = entries.get(table, -1) + 1
                table = (*table, entries[table])
            lines.setdefault(table, number)
        elif assignment := _ASSIGNMENT.match(line):
            lines.setdefault((*table, *_parts(assignment[1])), number)
    return lines


def line_of(key: Key, lines: dict[Key, int]) -> int | None:
    """The line of a key, or of the nearest table that holds it."""
    return next((lines[key[:n]] for n in range(len(key), 0, -1) if key[:n] in lines), None)


def _parts(dotted: str) -> Key:
    return tuple(part.strip("\"'") for part in re.findall(_PART, dotted))


def _numbered(parts: Key, entries: dict[Key, int]) -> Key:
    """Inside an array of tables, a header means the latest entry: ``[paths.hosts]``."""
    key: Key = ()
    for part in parts[:-1]:
        key = (*key, part)
        if key in entries:
            key = (*key, entries[key])
    return (*key, *parts[-1:])
