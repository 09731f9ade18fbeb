"""Values that the probe gives for camera files, with what a test needs."""

from fractions import Fraction
from typing import Any

from proxima.media import Colour, MediaInfo, SoundStream, VideoStream
from proxima.preset import Preset
from proxima.timecode import Timecode

NTSC = Fraction(30000, 1001)
FILM = Fraction(24000, 1001)
PQ = Colour(primaries="bt2020", transfer="smpte2084", matrix="bt2020nc", range="tv")


def make_picture(**fields: Any) -> VideoStream:
    """Ten seconds of 1920x1080 at 25 frames a second."""
    given = {
        "index": 0,
        "codec": "h264",
        "pixel_format": "yuv420p",
        "width": 1920,
        "height": 1080,
        "frame_rate": Fraction(25),
        "average_rate": fields.get("frame_rate", Fraction(25)),
        "frame_count": 250,
        "start": Fraction(0),
        "duration": Fraction(10),
        **fields,
    }
    return VideoStream(**given)


def make_track(index: int = 1, **fields: Any) -> SoundStream:
    """Ten seconds of mono at 48 kHz and 24 bits."""
    given = {
        "index": index,
        "codec": "pcm_s24le",
        "sample_rate": 48000,
        "channels": 1,
        "layout": "mono",
        "bit_depth": 24,
        "start": Fraction(0),
        "duration": Fraction(10),
        **fields,
    }
    return SoundStream(**given)


def make_source(
    picture: VideoStream | None = None, sound: tuple[SoundStream, ...] = (), **fields: Any
) -> MediaInfo:
    """A QuickTime file."""
    given = {
        "container": "mov,mp4,m4a,3gp,3g2,mj2",
        "size_bytes": 1000,
        "start": Fraction(0),
        "duration": Fraction(10),
        "video": () if picture is None else (picture,),
        "sound": sound,
        **fields,
    }
    return MediaInfo(**given)


def make_preset(**fields: Any) -> Preset:
    """ProRes Proxy at half size, in mov."""
    given = {"name": "test", "profile": "proxy" if "video_codec" not in fields else "", **fields}
    return Preset(**{"size": "half", **given})


def label(text: str) -> Timecode:
    """A timecode from its text."""
    parsed = Timecode.parse(text)
    assert parsed is not None
    return parsed
