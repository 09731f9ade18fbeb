"""Media and plans with what a test needs; probing without files that ffmpeg could open."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from proxima.errors import SourceUnreadable
from proxima.media import MediaInfo, SoundStream, VideoStream
from proxima.preset import Preset
from proxima.queuer.plan_inputs import PlanTools

PROXY = Preset(name="prores-proxy", profile="proxy", size="half")


def make_media(
    frames: int | None = 250,
    rate: Fraction | None = Fraction(25),
    channels: Sequence[int] = (1, 1),
    codec: str = "h264",
    **picture: object,
) -> MediaInfo:
    """A clip: frames None = no frame count, rate None = no picture at all."""
    seconds = None if frames is None or rate is None else Fraction(frames) / rate
    video = VideoStream(
        index=0, codec=codec, width=1920, height=1080, frame_rate=rate, average_rate=rate
    )
    sound = [
        SoundStream(index=n, codec="pcm_s24le", sample_rate=48000, channels=count, duration=seconds)
        for n, count in enumerate(channels, start=1)
    ]
    given = replace(video, **{"frame_count": frames, "duration": seconds, **picture})
    return MediaInfo(
        container="mov",
        size_bytes=1000,
        duration=seconds,
        video=() if rate is None else (given,),
        sound=tuple(sound),
    )


def make_sound(seconds: Fraction | int = 10, channels: Sequence[int] = (2,)) -> MediaInfo:
    """A sound file."""
    media = make_media(rate=None, channels=channels)
    length = Fraction(seconds)
    sound = tuple(replace(track, duration=length) for track in media.sound)
    return replace(media, container="wav", duration=length, sound=sound)


class Looking:
    """Stands for the probe: says of a file what it was told."""

    def __init__(
        self,
        known: Mapping[str, MediaInfo | SourceUnreadable] | None = None,
        usual: MediaInfo | None = None,
    ) -> None:
        """*known* goes by file name; all other files are the *usual* clip."""
        self.known = dict(known or {})
        self.usual = usual or make_media()
        self.probed: list[Path] = []
        self.progress: list[tuple[int, int]] = []
        self.waited: list[float] = []
        #: Called when the probe begins, and when the planner waits.
        self.meanwhile: Callable[[], object] = lambda: None
        self.while_waiting: Callable[[], object] = lambda: None

    def probe_all(
        self, paths: Sequence[Path]
    ) -> Iterator[tuple[Path, MediaInfo | SourceUnreadable]]:
        """Answer in reverse order: nothing may depend on it."""
        self.meanwhile()
        for path in reversed(paths):
            self.probed.append(path)
            yield path, self.known.get(path.name, self.usual)

    def wait(self, seconds: float) -> None:
        """Remember, and do not wait."""
        self.waited.append(seconds)
        self.while_waiting()

    def tools(self, now: float = 0.0) -> PlanTools:
        """Tools whose clock stands still at *now*."""
        return PlanTools(
            probe_all=self.probe_all,
            on_progress=lambda done, total: self.progress.append((done, total)),
            clock=lambda: now,
            wait=self.wait,
        )
