"""How far one encode has come."""

from dataclasses import dataclass
from enum import StrEnum

import msgspec


class Stage(StrEnum):
    """What a worker does with a job just now."""

    #: The source is read.
    PROBING = "probing"
    ENCODING = "encoding"
    #: The encode stands still until its batch or worker goes on.
    SUSPENDED = "suspended"
    #: The output is compared with its source.
    VERIFYING = "verifying"
    #: The output gets its name.
    PUBLISHING = "publishing"
    #: Its worker was not heard of lately; the job waits again when the lease has run out.
    LOST = "worker lost"


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


class Reading(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a worker reports of a running job: the meta of Celery's state ENCODING."""

    #: ``<uuid>@<host>``.
    worker: str
    #: Slot number on that worker, from 0.
    slot: int
    #: Run number under a lease, from 1.
    attempt: int
    stage: Stage
    #: From 0 to below 100; None while the length is unknown.
    percent: float | None = None
    #: Seconds and frames of output written.
    position: float = 0.0
    frame: int = 0
    fps: float | None = None
    #: Times real time.
    speed: float | None = None
    eta_seconds: float | None = None

    def lost(self) -> "Reading":
        """The same without its figures, which are history: its worker is gone."""
        return msgspec.structs.replace(
            self, stage=Stage.LOST, fps=None, speed=None, eta_seconds=None
        )
