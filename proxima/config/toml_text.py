"""TOML as Proxima writes it: values, keys, and lists that wrap. See toml.io, version 1.0."""

import json
import re
import textwrap
from collections.abc import Mapping

#: Columns of the files and screens that this makes.
WIDTH = 100


def toml_value(value: object) -> str:
    """A value in TOML, on one line, safe to print; a type that TOML lacks as its `str`."""
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(toml_value, value))}]"
    if isinstance(value, Mapping):
        pairs = ", ".join(f"{toml_key(key)} = {toml_value(item)}" for key, item in value.items())
        return f"{{ {pairs} }}" if pairs else "{}"
    return str(value)


def toml_key(key: str) -> str:
    """A key, in quotes where it needs them."""
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else _string(key)


def toml_line(key: str, value: object) -> str:
    """``key = value``; a list that is too long for one line takes several."""
    line = f"{toml_key(key)} = {toml_value(value)}"
    if len(line) <= WIDTH or not value or not isinstance(value, list | tuple):
        return line
    # Blanks inside the items must not be taken for places to wrap.
    items = ", ".join(toml_value(item).replace(" ", "\0") for item in value)
    wrapped = textwrap.indent(textwrap.fill(items, WIDTH - 5, break_long_words=False), "    ")
    return f"{toml_key(key)} = [\n{wrapped},\n]".replace("\0", " ")


def _string(text: str) -> str:
    """Literal where that saves backslashes, else basic with everything unprintable escaped."""
    if "\\" in text and "'" not in text and text.isprintable():
        return f"'{text}'"
    return '"' + "".join(map(_letter, text)) + '"'


def _letter(letter: str) -> str:
    if letter in '"\\':
        return f"\\{letter}"
    if letter.isprintable():
        return letter
    # json has the short names (\n, \t) that TOML knows too.
    short = json.dumps(letter)[1:-1]
    if len(short) == 2:
        return short
    return f"\\u{ord(letter):04x}" if ord(letter) <= 0xFFFF else f"\\U{ord(letter):08x}"
