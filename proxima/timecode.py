"""SMPTE timecode: the label of a first frame, with its drop mark."""

import re
from dataclasses import dataclass
from fractions import Fraction

_LABEL = re.compile(r"(\d{1,2}):(\d{2}):(\d{2})([:;.])(\d{2,3})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Timecode:
    """A timecode label such as ``01:00:00;02``; a semicolon marks drop-frame."""

    hours: int
    minutes: int
    seconds: int
    frames: int
    drop_frame: bool

    @classmethod
    def parse(cls, label: str) -> "Timecode | None":
        """Read a label; None if it is not one (rtmd garbage such as ``105:111:110:00``)."""
        match = _LABEL.fullmatch(label.strip())
        if not match:
            return None
        hours, minutes, seconds, mark, frames = match.groups()
        if int(hours) > 23 or int(minutes) > 59 or int(seconds) > 59:
            return None
        return cls(int(hours), int(minutes), int(seconds), int(frames), mark != ":")

    @classmethod
    def at_frame(cls, number: int, rate: Fraction, *, drop_frame: bool = False) -> "Timecode":
        """The label of frame *number* since midnight at *rate* (frames per second)."""
        nominal = max(round(rate), 1)
        skipped = _labels_left_out_a_minute(nominal) if drop_frame else 0
        in_ten_minutes = nominal * 600 - skipped * 9
        tens, rest = divmod(number % (in_ten_minutes * 144), in_ten_minutes)
        # The first minute of ten leaves nothing out.
        minutes = max(rest - skipped, 0) // (nominal * 60 - skipped)
        label = rest + skipped * minutes + tens * nominal * 600
        seconds, frames = divmod(label, nominal)
        return cls(seconds // 3600, seconds // 60 % 60, seconds % 60, frames, drop_frame)

    def __str__(self) -> str:
        mark = ";" if self.drop_frame else ":"
        return f"{self.hours:02}:{self.minutes:02}:{self.seconds:02}{mark}{self.frames:02}"

    def frame_number(self, rate: Fraction) -> int:
        """Frames since midnight at *rate* (frames per second); SMPTE ST 12-1 drop-frame count."""
        nominal = round(rate)
        minutes = self.hours * 60 + self.minutes
        count = (minutes * 60 + self.seconds) * nominal + self.frames
        if self.drop_frame:
            count -= _labels_left_out_a_minute(nominal) * (minutes - minutes // 10)
        return count


def _labels_left_out_a_minute(nominal: int) -> int:
    """Two labels in thirty, each minute but every tenth; no other rates know drop-frame."""
    return nominal // 15 if nominal % 30 == 0 else 0
