"""How far one encode has come."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """One reading of ffmpeg's position in the output."""

    #: Seconds of output written, never negative.
    position: float
    #: Frames written.
    frame: int = 0
    #: Seconds the output will have; None if the source does not say.
    duration: float | None = None
    #: Frames per second of wall clock; None until ffmpeg knows.
    fps: float | None = None
    #: Media seconds per second of wall clock; None until ffmpeg knows.
    speed: float | None = None

    @property
    def fraction(self) -> float | None:
        """Share of the work done, from 0 to 1; None if the end is unknown."""
        if not self.duration:
            return None
        # Containers round durations, so the last reading may overshoot the end.
        return min(self.position / self.duration, 1.0)

    @property
    def eta_seconds(self) -> float | None:
        """Wall-clock seconds to the end; None if unknown."""
        if not self.duration or not self.speed:
            return None
        return max(self.duration - self.position, 0.0) / self.speed
