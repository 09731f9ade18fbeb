"""Commands as text that a POSIX shell reads back, whatever is in their words."""

import os
import re
from collections.abc import Iterator, Sequence

from rich.cells import cell_len

from proxima.printable import printable

#: What a shell takes as it stands, anywhere in a word.
_PLAIN_WORD = re.compile(r"[\w@%+=:,./-]+", re.ASCII)
_INDENT = "  "
#: Before the end of a line: the next line goes on with the same word, or with another.
_SAME_WORD, _NEXT_WORD = "\\", " \\"


def shell_words(command: Sequence[str]) -> str:
    """One line that a shell reads as *command*; no raw control character is in it."""
    return " ".join(map(_quoted, command))


def shell_lines(command: Sequence[str], cells: int) -> Iterator[str]:
    """The same on lines of at most *cells* (12 at least), to be pasted together."""
    room = max(cells, 12) - len(_NEXT_WORD)
    line = ""
    for word in command:
        longer = f"{line} {_quoted(word)}" if line else _quoted(word)
        if cell_len(longer) <= room:
            line = longer
            continue
        if line:
            yield line + _NEXT_WORD
        *pieces, last = _pieces(word, room - len(_INDENT))
        for number, piece in enumerate(pieces):
            # A blank before a piece would make a word of it.
            yield (piece if number else _INDENT + piece) + _SAME_WORD
        line = last if pieces else _INDENT + last
    if line:
        yield line


def _pieces(word: str, cells: int) -> list[str]:
    """The word cut up, each piece quoted and at most *cells* wide."""
    if cell_len(_quoted(word)) <= cells or len(word) < 2:
        return [_quoted(word)]
    # Cut where it comes nearest to filling the line; a quoted letter takes up to 18 cells.
    end = next(n for n in range(len(word), 0, -1) if n == 1 or cell_len(_quoted(word[:n])) <= cells)
    return [_quoted(word[:end]), *_pieces(word[end:], cells)]


def _quoted(word: str) -> str:
    if _PLAIN_WORD.fullmatch(word):
        return word
    if printable(word) == word:
        return "'" + word.replace("'", "'\"'\"'") + "'"
    # $'..' of bash, zsh and ksh is the one form that can spell these bytes.
    return "$'" + "".join(map(_spelled, os.fsencode(word))) + "'"


def _spelled(byte: int) -> str:
    if byte in b"\\'":
        return f"\\{byte:c}"
    # Three octal digits: \x takes as many hexadecimal digits as follow.
    return chr(byte) if 0x20 <= byte < 0x7F else f"\\{byte:03o}"
