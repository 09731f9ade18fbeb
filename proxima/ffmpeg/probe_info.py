"""A MediaInfo from a file that PyAV has opened."""

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from proxima.errors import FailureKind
from proxima.ffmpeg.probe_atoms import Movie, read_movie
from proxima.ffmpeg.probe_frames import missing_bytes
from proxima.ffmpeg.probe_matroska import cut_off_bytes
from proxima.ffmpeg.probe_sound import sound_stream
from proxima.ffmpeg.probe_timecode import start_of
from proxima.ffmpeg.probe_video import video_stream
from proxima.ffmpeg.refusal import refusal
from proxima.ffmpeg.unsupported import undecodable_picture
from proxima.media import MediaInfo, OtherStream

if TYPE_CHECKING:
    from av.container.input import InputContainer
    from av.stream import Stream

#: libav measures the duration of files in microseconds.
_AV_TIME_BASE = 1_000_000
#: A second that no transport stream stays below: its tables alone take more.
_LEAST_BITS = 10_000
_NOTHING = "holds neither moving pictures nor sound"


def media_info(container: "InputContainer", path: Path, head: bytes, size: int) -> MediaInfo:
    """Everything about a file of *size* bytes that begins with *head*."""
    movie = read_movie(path, size) if container.format.name.startswith("mov") else Movie()
    streams = container.streams
    tags = {stream.index: _tags(stream.metadata) for stream in streams}
    file_tags = _tags(container.metadata)
    video = tuple(
        video_stream(container, stream, movie=movie, head=head, size=size)
        for stream in streams.video
    )
    pictures = zip(streams.video, video, strict=True)
    picture = next((s for s, known in pictures if not known.is_attached_picture), None)
    start = start_of(
        (picture.id, tags[picture.index]) if picture else (0, {}),
        {stream.id: tags[stream.index] for stream in streams.data},
        file_tags,
        movie,
    )
    return MediaInfo(
        container=container.format.name,
        size_bytes=size,
        duration=_length(container, size),
        start=_seconds(container.start_time),
        video=video,
        sound=tuple(sound_stream(s, tags[s.index], movie) for s in streams.audio),
        others=tuple(_other(s, movie) for s in streams if s.type not in {"video", "audio"}),
        timecode=start.timecode,
        timecode_rate=start.rate,
        has_unreadable_timecode=start.is_unreadable,
        reel_name=start.reel,
        creation_time=_creation_time(file_tags),
        time_reference=_number(file_tags.get("time_reference")),
        missing_bytes=missing_bytes(streams, container.format.name, size)
        or cut_off_bytes(head, size),
        clip_id=_clip_id(file_tags),
    )


def usable(path: Path, info: MediaInfo) -> MediaInfo:
    """The same, if there is something in it that can be decoded; SourceUnreadable if not."""
    moving = [stream for stream in info.video if not stream.is_attached_picture]
    if moving and not info.picture:
        known = undecodable_picture(moving[0].codec)
        raise refusal(path, FailureKind.SOURCE_UNSUPPORTED, known.what, known.remedy)
    if info.picture and not info.picture.pixel_format:
        what = f"no frame of its picture ({info.picture.codec}) can be decoded"
        raise refusal(path, FailureKind.SOURCE_DAMAGED, what, "copy it again")
    if not info.picture and not info.decodable_sound:
        unknown = ", ".join(track.codec for track in info.sound)
        what = f"there is no decoder for its sound ({unknown})" if unknown else _NOTHING
        kind = FailureKind.SOURCE_UNSUPPORTED if unknown else FailureKind.SOURCE_UNSUITABLE
        raise refusal(path, kind, what)
    return info


def _tags(metadata: Mapping[str, str]) -> dict[str, str]:
    """Names in small letters: Matroska writes them in capitals."""
    return {name.lower(): value for name, value in metadata.items()}


def _other(stream: "Stream", movie: Movie) -> OtherStream:
    kind = stream.type if stream.type in {"subtitle", "attachment"} else "data"
    known = None if kind == "attachment" else getattr(stream, "name", None)
    codec = movie.track(stream.id).codec or known or "none"
    return OtherStream(index=stream.index, kind=kind, codec=codec)


def _creation_time(tags: Mapping[str, str]) -> str | None:
    time = tags.get("creation_time")
    # Broadcast WAV keeps day and time apart.
    return f"{tags['date']}T{time}" if time and "T" not in time and "date" in tags else time


def _length(container: "InputContainer", size: int) -> Fraction | None:
    """Seconds; None where the times of a transport stream jump so far that they mean nothing."""
    seconds = _seconds(container.duration)
    is_stream = container.format.name == "mpegts"
    return None if is_stream and seconds and size * 8 < seconds * _LEAST_BITS else seconds


def _seconds(microseconds: int | None) -> Fraction | None:
    return None if microseconds is None else Fraction(microseconds, _AV_TIME_BASE)


def _clip_id(tags: Mapping[str, str]) -> str | None:
    """The material package of a file that is one of several (SMPTE ST 390, OP-Atom)."""
    is_atom = tags.get("operational_pattern_ul", "").lower().partition("0d0102")[2][:5] == "01.10"
    return tags.get("material_package_umid") if is_atom else None


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isdecimal() else None
