"""Columns: rows of text as a table on a terminal, aligned without one."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from rich.table import Table


def print_columns(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows below their titles, as wide as the terminal, or as they need without one."""
    if not sys.stdout.isatty():
        typer.echo("\n".join(aligned([titles, *rows])))
        return
    from rich.console import Console

    Console().print(table(titles, rows))


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """One line a row, its columns two blanks apart."""
    from rich.cells import cell_len

    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    lines = (
        "  ".join(
            cell + " " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=True)
        )
        for row in rows
    )
    return [line.rstrip() for line in lines]


def table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> "Table":
    """For a terminal; brackets in the cells are text, no markup."""
    from rich.table import Table
    from rich.text import Text

    drawn = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    for title in titles:
        # The first names the row and stays whole.
        drawn.add_column(title, overflow="fold", no_wrap=title == titles[0])
    for row in rows:
        drawn.add_row(*map(Text, row))
    return drawn
