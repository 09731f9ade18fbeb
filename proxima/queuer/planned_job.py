"""PlannedJob: one source to one output, as planned and not yet sent."""

from dataclasses import dataclass
from pathlib import Path

from proxima.image_sequence import ImageSequence
from proxima.job import JobWarning
from proxima.media import MediaInfo


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedJob:
    """One source to one output, ready to be sent."""

    source: Path
    output: Path
    media: MediaInfo
    warnings: tuple[JobWarning, ...] = ()
    #: None if the source does not say how long it is.
    estimated_bytes: int | None = None
    #: Whether an output that exists may be replaced.
    replace: bool = False
    #: Whether to make what can be made if the source is damaged.
    allow_damaged: bool = False
    #: Further files of the clip, with its sound.
    companions: tuple[Path, ...] = ()
    #: Why an output that exists is made again; empty if there is none.
    reason: str = ""

    @property
    def seconds(self) -> float | None:
        """Seconds of media; None if the source does not say."""
        return None if self.media.duration is None else float(self.media.duration)

    @property
    def rate(self) -> str | None:
        """Frames per second of an image sequence; None of a file, which says so itself."""
        picture = self.media.picture
        is_sequence = picture and ImageSequence.of(self.source)
        return str(picture.frame_rate) if picture and is_sequence else None

    @property
    def frames(self) -> int | None:
        """Frames of the source; None if only decoding can tell, or it has no picture."""
        return self.media.picture.frame_count if self.media.picture else None

    @property
    def size(self) -> tuple[int, int] | None:
        """Width and height of the source's picture in pixels; None if it has none."""
        picture = self.media.picture
        return (picture.width, picture.height) if picture else None
