"""Markdown: the few shapes that the pages need."""

from collections.abc import Iterable, Sequence


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; line breaks and bars in cells are made harmless."""
    every = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(_cell(cell) for cell in row) + " |\n" for row in every)


def code(text: object) -> str:
    """A piece of code in a line; nothing for nothing."""
    return f"`{text}`" if str(text) else ""


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
