"""Words for durations, speeds and times of day."""

import math
from datetime import datetime, timedelta

_DAY = 86_400


def clock(seconds: float) -> str:
    """``0:41``, ``12:05``, ``1:02:05``, ``26 h 10``, ``4 days``: at most 7 characters."""
    if not seconds < 100 * _DAY:
        return "> 99 d"
    whole = max(int(seconds), 0)
    hours, minutes = divmod(whole // 60, 60)
    if hours >= 100:
        return f"{whole // _DAY} days"
    if hours >= 10:
        return f"{hours} h {minutes:02}"
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"


def ready_by(now: float, eta_seconds: float) -> str | None:
    """Say when it will be ready, in local time: ``14:32``, ``Tue 09:10``, ``3 Mar 09:10``.

    *now* is in seconds since the epoch; None where no calendar reaches.
    """
    try:
        today = datetime.fromtimestamp(now).astimezone()
        # To the next full minute: "by" is a promise.
        end = datetime.fromtimestamp(math.ceil((now + eta_seconds) / 60) * 60).astimezone()
    except (OverflowError, OSError, ValueError):
        return None
    days = (end.date() - today.date()) / timedelta(days=1)
    if days < 1:
        return f"{end:%H:%M}"
    if days < 7:
        return f"{end:%a %H:%M}"
    return f"{end.day} {end:%b %H:%M}"


def time_of_day(seconds: float) -> str:
    """``14:21:07``, local time, of *seconds* since the epoch."""
    return f"{datetime.fromtimestamp(seconds).astimezone():%H:%M:%S}"


def moment(seconds: float) -> str:
    """``5 Mar 14:21:07``, local time, of *seconds* since the epoch."""
    at = datetime.fromtimestamp(seconds).astimezone()
    return f"{at.day} {at:%b %H:%M:%S}"


def hours(seconds: float) -> str:
    """``0.02 h``, ``1.2 h``, ``340 h``: of media."""
    count = seconds / 3600
    return f"{count:.2f} h" if count < 1 else f"{count:.1f} h" if count < 100 else f"{count:.0f} h"


def realtime(speed: float) -> str:
    """``0.85x realtime``, ``8.4x realtime``, ``120x realtime``."""
    if speed < 1:
        return f"{speed:.2f}x realtime"
    return f"{speed:.1f}x realtime" if speed < 100 else f"{speed:.0f}x realtime"


def counted(number: int, noun: str) -> str:
    """``1 slot``, ``3 slots``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
