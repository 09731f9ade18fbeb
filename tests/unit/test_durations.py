"""Words for durations, speeds and times of day."""

import math

import pytest
from standings import (
    NOON,
    utc,  # noqa: F401 - a fixture
)

from proxima.cli.durations import clock, counted, ready_by, realtime, time_of_day

pytestmark = pytest.mark.usefixtures("utc")
HOUR, DAY = 3600, 86_400


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (-5, "0:00"),
        (0.9, "0:00"),
        (41.9, "0:41"),
        (725, "12:05"),
        (3725, "1:02:05"),
        (26 * HOUR + 600, "26 h 10"),
        (4 * DAY + 5 * HOUR, "4 days"),
        (100 * DAY, "> 99 d"),
        (math.inf, "> 99 d"),
        (math.nan, "> 99 d"),
    ],
)
def test_a_duration_is_short_and_has_its_unit(seconds: float, text: str) -> None:
    assert clock(seconds) == text
    assert len(text) <= 7


@pytest.mark.parametrize(
    ("eta", "text"),
    [
        (0, "14:00"),
        (1, "14:01"),
        (32 * 60, "14:32"),
        (10 * HOUR, "Fri 00:00"),
        (6 * DAY, "Wed 14:00"),
        (7 * DAY, "12 Mar 14:00"),
        (1e300, None),
        (math.inf, None),
        (math.nan, None),
    ],
)
def test_ready_by_is_the_next_full_minute_with_a_day_if_it_is_not_today(
    eta: float, text: str | None
) -> None:
    assert ready_by(NOON, eta) == text


def test_the_time_of_day_is_local() -> None:
    assert time_of_day(NOON + 61.9) == "14:01:01"


@pytest.mark.parametrize(
    ("speed", "text"),
    [(0.854, "0.85x realtime"), (8.44, "8.4x realtime"), (120.4, "120x realtime")],
)
def test_a_speed_has_two_or_three_digits(speed: float, text: str) -> None:
    assert realtime(speed) == text


def test_one_is_singular() -> None:
    assert [counted(n, "slot") for n in (0, 1, 2)] == ["0 slots", "1 slot", "2 slots"]
