"""When a batch is to start, as people type it."""

from datetime import datetime, timedelta, timezone

import pytest

from proxima.cli.start_time import start_time
from proxima.errors import UsageError

ZONE = timezone(timedelta(hours=1))
NOW = datetime(2026, 12, 1, 18, 30, tzinfo=ZONE)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("19:00", NOW.replace(hour=19, minute=0)),
        ("18:30", NOW + timedelta(days=1)),
        ("6:15:30", NOW.replace(day=2, hour=6, minute=15, second=30)),
        ("2026-12-03 07:00", NOW.replace(day=3, hour=7, minute=0)),
        ("2026-12-01T18:00:00+00:00", NOW.replace(hour=19, minute=0)),
    ],
)
def test_the_next_time_that_a_clock_shows_it_is_meant(text: str, expected: datetime) -> None:
    assert start_time(text, NOW) == expected


@pytest.mark.parametrize("text", ["tonight", "25:00", "", "2026-12-01 18:00"])
def test_other_words_and_times_that_are_over_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="--start-at"):
        start_time(text, NOW)
