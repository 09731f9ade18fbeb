"""How many frames a video stream has and how evenly they lie, from the container's own index."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from av.stream import Stream
    from av.video.stream import VideoStream as AvVideoStream

#: Containers whose header lists every frame. Matroska, TS and the like list key frames only.
_INDEXED = ("mov", "avi")
#: A rate that is but a clock of milliseconds or finer.
_CLOCK = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Frames:
    """The frames of one video stream."""

    #: Frames that a player shows; None if only decoding can tell.
    shown: int | None = None
    #: Frames that an edit list hides.
    hidden: int = 0
    #: Frames whose data should lie past the end of the file.
    missing: int = 0
    #: Frames per second: the steady one, and frames over duration.
    rate: Fraction | None = None
    average: Fraction | None = None
    #: Whether frames are unevenly spaced.
    is_variable: bool = False


def frames(stream: "AvVideoStream", container: str, size: int, *, fragmented: bool) -> Frames:
    """Count the frames of a stream in a file of *size* bytes; nothing is read."""
    rate, average = _rates(stream)
    if not _has_index(stream, container):
        return _without_index(stream, container, rate, average)
    hidden = missing = 0
    for entry in stream.index_entries:
        hidden += entry.is_discard
        missing += entry.pos + entry.size > size
    shown = len(stream.index_entries) - hidden
    variable = not _evenly_spaced(stream)
    duration = Fraction(stream.duration or 0) * (stream.time_base or 0)
    return Frames(
        # Each fragment has an index of its own, and most have not been read.
        shown=None if fragmented else shown,
        # The index of a QuickTime file has no entries for what lies outside of all edits.
        hidden=max(stream.frames - shown, hidden) if container.startswith("mov") else 0,
        missing=missing,
        rate=rate,
        average=shown / duration if variable and duration and not fragmented else rate,
        is_variable=variable,
    )


def missing_bytes(streams: "Iterable[Stream]", container: str, size: int) -> int:
    """Bytes that the index names past the end of a file of *size* bytes."""
    if not container.startswith(_INDEXED):
        return 0
    last = (s.index_entries[-1] for s in streams if len(s.index_entries))
    return max(0, *(entry.pos + entry.size - size for entry in last), 0)


def _rates(stream: "AvVideoStream") -> tuple[Fraction | None, Fraction | None]:
    """The steady and the average rate as ffmpeg sees them, without its nonsense."""
    rate, average = stream.guessed_rate, stream.average_rate
    if rate and not average and rate >= _CLOCK:
        # No frame was seen.
        return None, None
    if not rate or not average or average > rate * 2:
        # Raw DV claims thousands of frames a second.
        return rate, rate
    if stream.time_base and rate == 1 / stream.time_base and average * 2 < rate:
        # That is but the clock: a screen recording at "1000 frames a second".
        return average, average
    return rate, average


def _has_index(stream: "AvVideoStream", container: str) -> bool:
    known = len(stream.index_entries)
    # Of an AVI that lost its index, as a cut one does, ffmpeg lists what it has read: one frame.
    is_lost = container == "avi" and known == 1 < stream.frames
    return container.startswith(_INDEXED) and known > 0 and not is_lost


def _without_index(
    stream: "AvVideoStream", container: str, rate: Fraction | None, average: Fraction | None
) -> Frames:
    shown = None if container.startswith("mov") else stream.frames or None
    if container == "mxf" and rate and stream.time_base and stream.time_base * rate == 1:
        # Its duration is counted in edit units, which are frames.
        shown = stream.duration or None
    uneven = bool(rate and average and abs(average / rate - 1) > Fraction(1, 100))
    return Frames(
        shown=shown,
        rate=rate,
        average=average,
        # Half the rate: one frame of two fields.
        is_variable=uneven and average * 2 != rate if average else False,
    )


def _evenly_spaced(stream: "AvVideoStream") -> bool:
    """Whether each frame lies within a tick of the clock of its place in an even row."""
    entries = stream.index_entries
    steps = len(entries) - 1
    if steps < 2:
        return True
    first = entries[0].timestamp
    length = entries[-1].timestamp - first
    # Whole numbers throughout: a take of four hours has a million frames.
    return all(
        abs((entry.timestamp - first) * steps - place * length) <= steps
        for place, entry in enumerate(entries)
    )
