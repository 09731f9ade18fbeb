"""Fit text into terminal cells: a CJK character takes two, a combining mark none."""

import unicodedata
from collections.abc import Iterable, Sequence

from rich.cells import cell_len, get_character_cell_size
from rich.text import Text

from proxima.printable import printable

# Terminals disagree about the width of what these join, so the parts are shown side by side.
_JOINERS = dict.fromkeys((0x200B, 0x200C, 0x200D, 0x2060, 0xFE0E, 0xFE0F, 0xFEFF))


def one_line(name: str) -> str:
    """Return *name* so that it takes one line, and as many cells as `cell_len` says."""
    # macOS hands out names decomposed.
    return unicodedata.normalize("NFC", printable(name.translate(_JOINERS)))


def shorten(text: str, cells: int) -> str:
    """Cut the middle out of *text* where it is wider than *cells*; its end says most."""
    if cell_len(text) <= cells:
        return text
    if cells < 2:
        return "…"[:cells]
    head = _head(text, (cells - 1) // 3)
    tail = _head(text[::-1], cells - 1 - cell_len(head))[::-1]
    # A mark without its letter would sit on the ellipsis.
    while tail and not get_character_cell_size(tail[0]):
        tail = tail[1:]
    return f"{head}…{tail}"


def fit(text: str, cells: int, *, right: bool = False) -> str:
    """Shorten or pad *text* to exactly *cells*."""
    short = shorten(text, cells)
    padding = " " * (cells - cell_len(short))
    return padding + short if right else short + padding


def cropped(line: Text, cells: int) -> Text:
    """Return *line*, cut to *cells* and never to be wrapped."""
    line.truncate(cells, overflow="ellipsis")
    line.no_wrap = True
    line.overflow = "crop"
    return line


def flowed(pieces: Iterable[tuple[str, str]], cells: int, *, rows: int = 2) -> list[Text]:
    """Set *pieces* of (text, style), with commas between, into at most *rows* lines."""
    lines: list[Text] = []
    for text, style in pieces:
        if lines and lines[-1].cell_len + 2 + cell_len(text) <= cells:
            lines[-1].append(", ", "dim").append(text, style)
        elif len(lines) < rows:
            lines.append(Text.assemble((text, style)))
    return [cropped(line, cells) for line in lines]


def folded(text: str, cells: int, *, indent: str = "  ") -> Sequence[str]:
    """Break *text* into indented lines, at blanks where it can be."""
    room = max(cells - len(indent), 2)
    lines: list[str] = [""]
    for word in text.split():
        if lines[-1] and cell_len(lines[-1]) + 1 + cell_len(word) <= room:
            lines[-1] += f" {word}"
            continue
        lines.append(word)
        while cell_len(lines[-1]) > room:
            start = _head(lines[-1], room)
            lines[-1:] = [start, lines[-1][len(start) :]]
    return [indent + line for line in lines if line]


def _head(text: str, cells: int) -> str:
    """Return as much of the start of *text* as *cells* hold."""
    taken = 0
    for index, character in enumerate(text):
        taken += get_character_cell_size(character)
        if taken > cells:
            return text[:index]
    return text
