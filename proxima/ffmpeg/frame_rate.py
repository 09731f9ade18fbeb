"""Frame rates: the exact ratio that a rounded number means."""

from fractions import Fraction


def standard_rate(rate: Fraction) -> Fraction:
    """The whole rate, or the one that is a thousandth slower, if *rate* is all but that."""
    whole = Fraction(round(rate))
    return next((r for r in (whole, whole * 1000 / 1001) if abs(rate - r) < r / 5000), rate)


def parse_rate(text: str) -> Fraction | None:
    """Frames per second as people type them: 24, 23.976, 24000/1001; None if it is no rate."""
    try:
        rate = standard_rate(Fraction(text.strip()))
    except (ValueError, ZeroDivisionError):
        return None
    return rate if 1 <= rate <= 1000 else None
