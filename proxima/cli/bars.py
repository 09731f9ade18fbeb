"""Bars of one line. Their parts differ in shape too, so that they need no colour."""

from rich.text import Text

_DONE, _EDGE, _REST, _LOST = "━", "╾", "─", "╌"

#: What is drawn where the terminal knows ASCII only.
ASCII = str.maketrans({_DONE: "=", _EDGE: ">", _REST: "-", _LOST: "x", "…": "~", "·": "-"})


def bar(fraction: float, cells: int, *, style: str, lost: float = 0.0) -> Text:
    """Draw shares from 0 to 1, done from the left and *lost* from the right; full only at 1."""
    halves = min(int(2 * cells * fraction), 2 * cells)
    done, edge = divmod(halves, 2)
    gone = min(max(round(lost * cells), 1), cells - done - edge) if lost > 0 else 0
    return Text.assemble(
        (_DONE * done + _EDGE * edge, style),
        (_REST * (cells - done - edge - gone), "dim"),
        (_LOST * gone, "red"),
    )


def pulse(position: float, cells: int, *, style: str) -> Text:
    """Draw a bar without an end, moved by *position* only: it rests when the encode does."""
    length = min(max(cells // 4, 1), cells)
    start = int(position * 2) % (cells - length + 1) if cells > length else 0
    return Text.assemble(
        (_REST * start, "dim"),
        (_DONE * length, style),
        (_REST * (cells - length - start), "dim"),
    )


def percent(fraction: float, *, is_done: bool = False) -> str:
    """Return whole percents, rounded down: 100% is said of what is done, of nothing else."""
    return "100%" if is_done and fraction >= 1 else f"{min(int(fraction * 100), 99)}%"
