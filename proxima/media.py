"""MediaInfo: what is known about a media file without decoding it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction

from proxima.timecode import Timecode


class FieldOrder(StrEnum):
    """How the lines of a frame belong to fields."""

    PROGRESSIVE = "progressive"
    #: Top field first.
    TOP = "top"
    #: Bottom field first.
    BOTTOM = "bottom"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Colour:
    """Colour tags by their ffmpeg names; None where the file does not say."""

    primaries: str | None = None
    transfer: str | None = None
    matrix: str | None = None
    #: "tv" (limited) or "pc" (full).
    range: str | None = None

    @property
    def is_hdr(self) -> bool:
        """Whether the transfer is PQ or HLG."""
        return self.transfer in {"smpte2084", "arib-std-b67"}


@dataclass(frozen=True, slots=True, kw_only=True)
class VideoStream:
    """One stream of pictures."""

    #: Index in the file, as ffmpeg's ``0:N``.
    index: int
    codec: str
    profile: str | None = None
    pixel_format: str | None = None
    bit_depth: int = 8
    has_alpha: bool = False
    #: Coded size in pixels, before rotation.
    width: int
    height: int
    #: Width of a pixel over its height.
    pixel_aspect: Fraction = Fraction(1)
    #: Degrees clockwise that a player turns the coded picture: 0, 90, 180 or 270.
    rotation: int = 0
    #: Whether the display matrix mirrors the picture.
    mirrored: bool = False
    #: Frames per second; None if the file does not say.
    frame_rate: Fraction | None = None
    #: Frames over duration; differs from frame_rate where the rate varies.
    average_rate: Fraction | None = None
    #: Whether frames are unevenly spaced in time.
    variable_rate: bool = False
    #: Seconds per tick of the stream's clock.
    time_base: Fraction = Fraction(1, 90000)
    #: Frames that a player shows (after edit lists); None if only decoding can tell.
    frame_count: int | None = None
    #: Further frames in the file, which its edit list hides.
    hidden_frames: int = 0
    #: Frames whose data should lie past the end of the file: the copy was cut short.
    missing_frames: int = 0
    #: Seconds.
    start: Fraction | None = None
    duration: Fraction | None = None
    field_order: FieldOrder = FieldOrder.UNKNOWN
    colour: Colour = Colour()
    #: Whether there is a decoder for it.
    decodable: bool = True
    #: Cover art or a thumbnail, not a moving picture.
    is_attached_picture: bool = False

    @property
    def display_size(self) -> tuple[int, int]:
        """Width and height in pixels after rotation (pixel aspect not applied)."""
        if self.rotation in {90, 270}:
            return self.height, self.width
        return self.width, self.height

    @property
    def display_pixel_aspect(self) -> Fraction:
        """Pixel aspect after rotation."""
        return 1 / self.pixel_aspect if self.rotation in {90, 270} else self.pixel_aspect


@dataclass(frozen=True, slots=True, kw_only=True)
class SoundStream:
    """One sound track."""

    index: int
    codec: str
    sample_rate: int
    channels: int
    #: ffmpeg's name ("stereo", "5.1"); None if the file names no speakers.
    layout: str | None = None
    #: ISO 639 code; None if untagged.
    language: str | None = None
    title: str | None = None
    #: QuickTime's name of the track's handler ("Boom"); what ffmpeg writes by itself is left out.
    handler: str | None = None
    #: Bits a sample; 0 if the codec does not say.
    bit_depth: int = 0
    #: Seconds.
    start: Fraction | None = None
    duration: Fraction | None = None
    decodable: bool = True
    #: Which of the source's files it is in; above 0 where sound has files of its own.
    file: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherStream:
    """A stream that is neither picture nor sound: timecode, subtitle, data, attachment."""

    index: int
    #: "data", "subtitle" or "attachment".
    kind: str
    #: Codec or fourcc; "none" if unknown.
    codec: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MediaInfo:
    """What is known about one file."""

    #: ffmpeg's format name: "mov,mp4,m4a,3gp,3g2,mj2", "mxf", ...
    container: str
    size_bytes: int
    #: Seconds; None if the file does not say.
    duration: Fraction | None = None
    #: Seconds.
    start: Fraction | None = None
    video: tuple[VideoStream, ...] = ()
    sound: tuple[SoundStream, ...] = ()
    others: tuple[OtherStream, ...] = ()
    #: Label of the first frame.
    timecode: Timecode | None = None
    #: Frames per second that a timecode track counts in; may differ from the picture's.
    timecode_rate: Fraction | None = None
    #: Whether there is a timecode track whose label cannot be read.
    has_unreadable_timecode: bool = False
    reel_name: str | None = None
    #: ISO 8601, as the file has it; programs sort by it.
    creation_time: str | None = None
    #: Broadcast WAV: samples since midnight of the first sample.
    time_reference: int | None = None
    #: Bytes that the file's own index names past its end: the copy was cut short.
    missing_bytes: int = 0
    #: Whether a stream shows only late in the file what it is: whoever opens it must look far.
    has_late_streams: bool = False
    #: What all files of one clip share where picture and sound have files of their own (OP-Atom).
    clip_id: str | None = None
    #: Whether its clock says that the recording began in another file, which is not joined to it.
    is_rest_of_take: bool = False

    @property
    def picture(self) -> VideoStream | None:
        """The moving picture: the first decodable video stream that is no cover art.

        Of several, one of which frames were seen: a file may name streams that it does not hold.
        """
        moving = [v for v in self.video if v.decodable and not v.is_attached_picture]
        return next((v for v in moving if v.frame_rate), moving[0] if moving else None)

    def with_sound(self, files: Sequence["MediaInfo"]) -> "MediaInfo":
        """The same with the sound of further files of its clip."""
        more = (
            replace(track, file=number)
            for number, media in enumerate(files, start=1)
            for track in media.sound
        )
        return replace(self, sound=(*self.sound, *more))

    @property
    def codecs(self) -> tuple[str, ...]:
        """The codecs of pictures and sound that can be decoded."""
        pictures = (stream.codec for stream in self.video if stream.decodable)
        return (*pictures, *(track.codec for track in self.decodable_sound))

    @property
    def decodable_sound(self) -> tuple[SoundStream, ...]:
        """The sound tracks that can be decoded, in file order."""
        return tuple(track for track in self.sound if track.decodable)
