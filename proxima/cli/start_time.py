"""When a batch is to start, as people type it."""

from datetime import datetime, timedelta

from proxima.errors import UsageError

_CLOCK_FORMS = ("%H:%M", "%H:%M:%S")


def start_time(text: str, now: datetime) -> datetime:
    """``19:00`` (the next time that a clock here shows it) or ``2026-12-01 19:00``; UsageError."""
    for form in _CLOCK_FORMS:
        try:
            clock = datetime.strptime(text.strip(), form).time()  # noqa: DTZ007 - local time is meant
        except ValueError:
            continue
        today = now.replace(
            hour=clock.hour, minute=clock.minute, second=clock.second, microsecond=0
        )
        return today if today > now else today + timedelta(days=1)
    return _day_and_clock(text, now)


def _day_and_clock(text: str, now: datetime) -> datetime:
    try:
        found = datetime.fromisoformat(text.strip())
    except ValueError:
        raise UsageError(
            f"--start-at {text!r} is no time; write 19:00, or 2026-12-01 19:00"
        ) from None
    found = found.astimezone(now.tzinfo) if found.tzinfo else found.replace(tzinfo=now.tzinfo)
    if found <= now:
        raise UsageError(f"--start-at {text!r} is over; leave it out to start now")
    return found
