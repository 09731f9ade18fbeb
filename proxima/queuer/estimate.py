"""How large an output will be. Rough for the picture of most codecs, exact for DNxHR and PCM."""

from collections.abc import Callable
from fractions import Fraction

from proxima.media import MediaInfo, VideoStream
from proxima.preset import Preset

#: Bits a second of Apple's targets at 1920x1080 and 29.97 frames a second, in millions
#: (Apple ProRes White Paper, "Target Data Rates"). Real pictures stay 5 to 10 % below.
_PRORES = {"proxy": 45, "lt": 102, "standard": 147, "hq": 220, "4444": 330, "4444xq": 500}
#: Bytes of a macroblock of 16x16 pixels, times 255 (SMPTE ST 2019-1; the same for all rates).
_DNXHR = {"lb": 5888, "sq": 18944, "hq": 28672, "hqx": 28672, "444": 57344}
#: The constant quality that the encoder takes by default, and the bits a pixel it comes to with
#: camera pictures; a rule of thumb, and half of that for every 6 steps more.
_CONSTANT_QUALITY = {"h264": (23, 0.1), "hevc": (28, 0.06)}
#: How much more a picture needs that leans on no other.
_INTRA_FACTOR = 3.0
#: Bits a pixel of CineForm at ffmpeg's default quality; a rule of thumb.
_CINEFORM = 2.5
#: Bits a second and channel that ffmpeg's AAC encoder takes by default, at 48 kHz.
_AAC = 64_000
_SAMPLE_BYTES = {"pcm_s16le": 2, "pcm_s24le": 3}


def estimated_bytes(preset: Preset, media: MediaInfo, size: tuple[int, int] | None) -> int | None:
    """Bytes of the output; None if the source does not say how long it is.

    *size* is the width and height of the output's picture in pixels; None if it has none.
    """
    sound = _sound_bytes(preset, media)
    picture = _picture_bytes(preset, media, size)
    return None if sound is None or picture is None else round(sound + picture)


def is_exact(preset: Preset) -> bool:
    """Whether the estimate is no rough figure, but for the container's few kilobytes."""
    return preset.video_codec in {"dnxhr", "none"} and preset.sound_codec != "aac"


def _picture_bytes(preset: Preset, media: MediaInfo, size: tuple[int, int] | None) -> float | None:
    if size is None or media.picture is None:
        return 0.0
    frames = _frames(preset, media.picture, media.duration)
    return None if frames is None else frames * _FRAME_BYTES[preset.video_codec](preset, *size)


def _frames(preset: Preset, picture: VideoStream, duration: Fraction | None) -> float | None:
    factor = 2 if preset.deinterlace == "fields" else 1
    if picture.frame_count is not None and not preset.frame_rate:
        return picture.frame_count * factor
    seconds = picture.duration or duration
    rate = picture.average_rate or picture.frame_rate
    if preset.frame_rate:
        rate, factor = Fraction(preset.frame_rate), 1
    return None if seconds is None or rate is None else float(seconds * rate * factor)


def _prores(preset: Preset, width: int, height: int) -> float:
    megabits = _PRORES.get(preset.profile, _PRORES["standard"])
    return megabits * 1e6 / 8 * 1001 / 30000 * (width * height) / (1920 * 1080)


def _dnxhr(preset: Preset, width: int, height: int) -> float:
    blocks = -(-width // 16) * -(-height // 16)
    size = blocks * _DNXHR.get(preset.profile, _DNXHR["sq"]) // 255
    return max((size + 2048) // 4096 * 4096, 8192)


def _constant_quality(preset: Preset, width: int, height: int) -> float:
    usual, bits = _CONSTANT_QUALITY[preset.video_codec]
    quality = usual if preset.quality is None else preset.quality
    factor = _INTRA_FACTOR if preset.intra_only else 1.0
    return float(width * height * bits / 8 * factor * 2 ** ((usual - quality) / 6))


def _cineform(_preset: Preset, width: int, height: int) -> float:
    return width * height * _CINEFORM / 8


_FRAME_BYTES: dict[str, Callable[[Preset, int, int], float]] = {
    "prores": _prores,
    "dnxhr": _dnxhr,
    "h264": _constant_quality,
    "hevc": _constant_quality,
    "cineform": _cineform,
    "none": lambda _preset, _width, _height: 0.0,
}


def _sound_bytes(preset: Preset, media: MediaInfo) -> float | None:
    """Bytes of all sound tracks; 0 if the output has none, None if their length is unknown."""
    if not preset.has_sound:
        return 0.0
    total = 0.0
    for track in media.decodable_sound:
        seconds = track.duration or media.duration
        if seconds is None:
            return None
        a_second = _sound_rate(preset, track.sample_rate)
        total += float(seconds) * track.channels * a_second
    return total


def _sound_rate(preset: Preset, sample_rate: int) -> float:
    """Bytes a second and channel."""
    if preset.sound_codec == "aac":
        return (preset.sound_kbps_per_channel * 1000 or _AAC) / 8
    return sample_rate * _SAMPLE_BYTES[preset.sound_codec]
