"""Bars of one line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proxima.cli.bars import bar, percent, pulse


@pytest.mark.parametrize(
    ("fraction", "lost", "drawn"),
    [
        (0.0, 0.0, "──────────"),
        (0.5, 0.0, "━━━━━─────"),
        (0.55, 0.0, "━━━━━╾────"),
        (0.999, 0.0, "━━━━━━━━━╾"),
        (1.0, 0.0, "━━━━━━━━━━"),
        (0.5, 0.3, "━━━━━──╌╌╌"),
        (0.5, 0.001, "━━━━━────╌"),
        (0.0, 1.0, "╌╌╌╌╌╌╌╌╌╌"),
    ],
)
def test_shape_alone_tells_done_from_lost_and_left(
    fraction: float, lost: float, drawn: str
) -> None:
    assert bar(fraction, 10, style="", lost=lost).plain == drawn


@given(st.floats(0, 1), st.floats(0, 1), st.integers(0, 200))
def test_a_bar_has_its_length_and_is_full_only_at_the_end(
    fraction: float, lost: float, cells: int
) -> None:
    drawn = bar(fraction, cells, style="", lost=min(lost, 1 - fraction)).plain
    assert len(drawn) == cells
    if fraction < 1 and cells:
        assert drawn != "━" * cells


@given(st.floats(0, 1e9), st.integers(0, 200))
def test_a_pulse_has_its_length(position: float, cells: int) -> None:
    assert len(pulse(position, cells, style="").plain) == cells


def test_a_pulse_moves_with_the_encode_only() -> None:
    assert pulse(3.0, 20, style="") == pulse(3.0, 20, style="")
    assert pulse(3.0, 20, style="").plain != pulse(4.0, 20, style="").plain


@pytest.mark.parametrize(
    ("fraction", "is_done", "text"),
    [
        (0.0, False, "0%"),
        (0.429, False, "42%"),
        (0.9999, False, "99%"),
        (1.0, False, "99%"),
        (0.999, True, "99%"),
        (1.0, True, "100%"),
    ],
)
def test_a_hundred_percent_is_said_of_what_is_done(
    fraction: float, is_done: bool, text: str
) -> None:
    """PR-07: by its state, not by its time."""
    assert percent(fraction, is_done=is_done) == text
