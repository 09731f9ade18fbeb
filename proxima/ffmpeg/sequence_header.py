"""What the header of a picture says of its sequence: rate and timecode of DPX and OpenEXR.

DPX: SMPTE ST 268-1; the television header from byte 1920 on. OpenEXR: "OpenEXR File Layout",
attributes ``framesPerSecond`` and ``timeCode``.
"""

import math
import struct
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from proxima.ffmpeg.frame_rate import standard_rate
from proxima.timecode import Timecode

#: Attributes of an OpenEXR header are before all else.
_HEADER = 65536
_DPX_ORDERS = {b"SDPX": ">", b"XPDS": "<"}
_DPX_TIMECODE, _DPX_TV_RATE, _DPX_FILM_RATE = 1920, 1940, 1724
_EXR = struct.pack("<I", 20000630)
#: Not set, or never written.
_UNDEFINED = {0xFFFFFFFF, 0}
_RATES = range(1, 241)


@dataclass(frozen=True, slots=True, kw_only=True)
class SequenceHeader:
    """What the first picture says; None where it does not."""

    rate: Fraction | None = None
    timecode: Timecode | None = None


def read_header(picture: Path) -> SequenceHeader:
    """Look into one picture; OSError."""
    with picture.open("rb") as file:
        head = file.read(_HEADER)
    if head[:4] in _DPX_ORDERS and len(head) >= _DPX_TV_RATE + 4:
        return _dpx(head, _DPX_ORDERS[head[:4]])
    return _exr(head) if head.startswith(_EXR) else SequenceHeader()


def _dpx(head: bytes, order: str) -> SequenceHeader:
    (label,) = struct.unpack_from(f"{order}I", head, _DPX_TIMECODE)
    rates = (struct.unpack_from(f"{order}f", head, at)[0] for at in (_DPX_TV_RATE, _DPX_FILM_RATE))
    rate = next((_rate(r) for r in rates if math.isfinite(r) and round(r) in _RATES), None)
    return SequenceHeader(rate=rate, timecode=None if label in _UNDEFINED else _label(label))


def _exr(head: bytes) -> SequenceHeader:
    rate = label = None
    at = 8
    while 0 < (end := head.find(b"\0", at)) - at < 256:
        name = head[at:end]
        after = head.find(b"\0", end + 1)
        (size,) = struct.unpack_from("<I", head.ljust(after + 5, b"\0"), after + 1)
        value = head[after + 5 : after + 5 + size]
        if name == b"framesPerSecond" and len(value) == 8 and rate is None:
            over, under = struct.unpack("<iI", value)
            rate = Fraction(over, under) if under and round(over / under) in _RATES else None
        if name == b"timeCode" and len(value) == 8:
            label = _label(struct.unpack_from("<I", value)[0])
        at = after + 5 + size
    return SequenceHeader(rate=rate, timecode=label)


def _rate(value: float) -> Fraction:
    return standard_rate(Fraction(value).limit_denominator(100_000))


def _label(bits: int) -> Timecode | None:
    """SMPTE ST 12-1 in 32 bits: a digit in four, hours on top; bit 6 is the drop-frame flag."""
    pairs = [bits >> shift & 0xFF for shift in (24, 16, 8, 0)]
    hours, minutes, seconds, frames = (
        (pair & mask) // 16 * 10 + pair % 16
        for pair, mask in zip(pairs, (0x3F, 0x7F, 0x7F, 0x3F), strict=True)
    )
    if hours > 23 or minutes > 59 or seconds > 59:
        return None
    return Timecode(hours, minutes, seconds, frames, drop_frame=bool(bits & 0x40))
