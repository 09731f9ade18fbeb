"""StreamPlan: which streams of a source go into an output, and what gets lost on the way."""

from dataclasses import dataclass
from fractions import Fraction

from proxima.errors import FailureKind, JobFailed
from proxima.ffmpeg.geometry import output_raster
from proxima.ffmpeg.losses import losses
from proxima.ffmpeg.sound import SoundTrack, output_tracks, sound_arguments
from proxima.ffmpeg.timing import output_rate
from proxima.job import JobWarning
from proxima.media import MediaInfo, SoundStream, VideoStream
from proxima.preset import Preset

#: Frames per second that ffmpeg 9.0's MXF muxer takes and writes as such.
_MXF_RATES = frozenset(
    {Fraction(n * 1000, 1001) for n in (24, 30, 48, 60)}
    | {Fraction(n) for n in (24, 25, 30, 48, 50, 60, 72, 90, 96, 100, 120)}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamPlan:
    """What goes in."""

    #: None if the preset wants sound only.
    picture: VideoStream | None
    #: Every track that can be decoded, in file order.
    sound: tuple[SoundStream, ...]
    #: The tracks of the output that they become.
    tracks: tuple[SoundTrack, ...] = ()
    warnings: tuple[JobWarning, ...] = ()


def plan_streams(media: MediaInfo, preset: Preset) -> StreamPlan:
    """Choose streams; JobFailed if this preset can make no output of this source."""
    picture = _picture(media) if preset.has_picture else None
    sound = media.decodable_sound if preset.has_sound else ()
    if picture:
        _check_picture(picture, preset)
    elif not sound:
        raise JobFailed(
            FailureKind.SOURCE_UNSUITABLE, "the source holds no sound", "choose another preset"
        )
    tracks = output_tracks(sound, preset)
    # What cannot be encoded is refused now, not on a worker.
    sound_arguments(media, preset, tracks)
    return StreamPlan(
        picture=picture, sound=sound, tracks=tracks, warnings=tuple(losses(media, preset, tracks))
    )


def _picture(media: MediaInfo) -> VideoStream:
    if media.picture:
        return media.picture
    undecodable = [v for v in media.video if not v.decodable and not v.is_attached_picture]
    if undecodable:
        raise JobFailed(
            FailureKind.SOURCE_UNSUPPORTED,
            f"there is no decoder for the source's picture ({undecodable[0].codec})",
        )
    raise JobFailed(
        FailureKind.SOURCE_UNSUITABLE,
        "the source holds no moving picture",
        "choose a preset for sound only, such as wav",
    )


def _check_picture(picture: VideoStream, preset: Preset) -> None:
    output_raster(picture, preset)
    rate = output_rate(picture, preset)
    if preset.container == "mxf" and rate not in _MXF_RATES:
        raise JobFailed(
            FailureKind.PRESET_UNSUITABLE,
            f"MXF holds no picture at {rate or 'an unknown number of'} fps",
            "choose a preset that writes mov",
        )
