"""Figures: what was measured, their medians, and a table of them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from statistics import median

#: Ratios of single rounds that differ by more say more of the machine's load than of the sides.
NOISE = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One thing that was measured in every round."""

    name: str
    #: One a round, in its order.
    values: list[float] = field(default_factory=list)
    unit: str = "s"
    digits: int = 2

    @property
    def median(self) -> float:
        """The value in the middle: one odd round changes nothing."""
        return median(self.values)

    def shown(self, value: float) -> str:
        """A value with its unit."""
        return f"{value:.{self.digits}f} {self.unit}".rstrip()


def ratios(above: Sequence[float], below: Sequence[float]) -> list[float]:
    """Round by round: neighbours in time have the same load of others."""
    return [one / other for one, other in zip(above, below, strict=True)]


def verdict(values: Sequence[float], target: float) -> str:
    """Whether ratios keep to *target*: "met", "missed", or "inconclusive" if they differ widely."""
    if max(values) - min(values) > NOISE:
        return "inconclusive"
    return "met" if median(values) <= target else "missed"


def table(rows: Iterable[Row]) -> str:
    """A Markdown table: median, least and most of each row."""
    lines = ["| | median | least | most |", "| --- | ---: | ---: | ---: |"]
    for row in rows:
        cells = (row.shown(value) for value in (row.median, min(row.values), max(row.values)))
        lines.append(f"| {row.name} | {' | '.join(cells)} |")
    return "\n".join(lines)
