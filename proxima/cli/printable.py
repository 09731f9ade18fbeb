"""Names for terminals: what could steer one, or deceive a reader, is shown as an escape."""

import os
import re
import unicodedata
from collections.abc import Sequence

#: Invisible, but parts of emoji and of Persian and Indic words: the two zero-width joiners.
_JOINERS = "\u200c\u200d"
#: Controls, surrogates, separators of lines, and formats, among them the bidi overrides.
_HIDDEN = frozenset({"Cc", "Cs", "Cf", "Zl", "Zp"})
#: What a shell takes as it stands, anywhere in a word.
_PLAIN_WORD = re.compile(r"[\w@%+=:,./-]+", re.ASCII)


def printable(name: str) -> str:
    r"""*name* on one line: ``\n``, ``\x1b``, ``\u202e``; a byte that is no UTF-8 as ``\xe9``."""
    if name.isprintable():
        return name
    return "".join(map(_shown, name))


def printable_lines(text: str) -> str:
    """A message of several lines: printable, and its line feeds stay."""
    return "\n".join(printable(line) for line in text.split("\n"))


def shell_words(command: Sequence[str]) -> str:
    """One line that a POSIX shell reads as *command*; no raw control character is in it."""
    return " ".join(map(_shell_word, command))


def _shown(char: str) -> str:
    if unicodedata.category(char) not in _HIDDEN or char in _JOINERS:
        return char
    # How Python keeps a byte of a file name that is no UTF-8 (PEP 383).
    if "\udc80" <= char <= "\udcff":
        return f"\\x{ord(char) - 0xDC00:02x}"
    return char.encode("unicode_escape").decode("ascii")


def _shell_word(word: str) -> str:
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
