"""Names for terminals: what could steer one, or deceive a reader, is shown as an escape."""

import unicodedata
from pathlib import PurePath

#: Invisible, but parts of emoji and of Persian and Indic words: the two zero-width joiners.
_JOINERS = "\u200c\u200d"
#: Controls, surrogates, separators of lines, and formats, among them the bidi overrides.
_HIDDEN = frozenset({"Cc", "Cs", "Cf", "Zl", "Zp"})


def printable(name: str | PurePath) -> str:
    r"""*name* on one line: ``\n``, ``\x1b``, ``\u202e``; a byte that is no UTF-8 as ``\xe9``."""
    text = str(name)
    return text if text.isprintable() else "".join(map(_shown, text))


def printable_lines(text: str) -> str:
    """A message of several lines: printable, and its line feeds stay."""
    return "\n".join(printable(line) for line in text.split("\n"))


def _shown(char: str) -> str:
    if unicodedata.category(char) not in _HIDDEN or char in _JOINERS:
        return char
    # How Python keeps a byte of a file name that is no UTF-8 (PEP 383).
    if "\udc80" <= char <= "\udcff":
        return f"\\x{ord(char) - 0xDC00:02x}"
    return char.encode("unicode_escape").decode("ascii")
