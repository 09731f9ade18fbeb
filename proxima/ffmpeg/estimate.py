"""How large an output will be. Rough for the picture of most codecs, exact for DNxHR and PCM."""

from collections.abc import Callable
from fractions import Fraction

from proxima.ffmpeg.geometry import output_raster
from proxima.ffmpeg.sound import SoundTrack
from proxima.ffmpeg.stream_plan import StreamPlan
from proxima.ffmpeg.timing import expected_frames, output_rate
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


def estimated_bytes(preset: Preset, media: MediaInfo, streams: StreamPlan) -> int | None:
    """Bytes of the output; None if the source does not say how long it is."""
    sizes = [_track_bytes(preset, track, media.duration) for track in streams.tracks]
    if streams.picture:
        sizes.append(_picture_bytes(preset, streams.picture, media.duration))
    known = [size for size in sizes if size is not None]
    return round(sum(known)) if len(known) == len(sizes) else None


def is_exact(preset: Preset) -> bool:
    """Whether the estimate is no rough figure, but for the container's few kilobytes."""
    return preset.video_codec in {"dnxhr", "none"} and preset.sound_codec != "aac"


def _picture_bytes(preset: Preset, picture: VideoStream, duration: Fraction | None) -> float | None:
    frames = _frames(preset, picture, duration)
    raster = output_raster(picture, preset)
    frame_bytes = _FRAME_BYTES[preset.video_codec](preset, raster.width, raster.height)
    return None if frames is None else frames * frame_bytes


def _frames(preset: Preset, picture: VideoStream, duration: Fraction | None) -> float | None:
    expected, _ = expected_frames(picture, preset)
    seconds, rate = picture.duration or duration, output_rate(picture, preset)
    if expected is None and seconds is not None and rate is not None:
        return float(seconds * rate)
    return expected


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


def _track_bytes(preset: Preset, track: SoundTrack, duration: Fraction | None) -> float | None:
    lengths = [source.duration or duration for source in track.sources]
    known = [length for length in lengths if length is not None]
    if len(known) < len(lengths):
        return None
    # Channels of one track are as long as the longest of them.
    return float(max(known)) * track.channels * _channel_rate(preset, track)


def _channel_rate(preset: Preset, track: SoundTrack) -> float:
    """Bytes a second and channel."""
    if track.codec == "aac":
        return (preset.sound_kbps_per_channel * 1000 or _AAC) / 8
    return track.sample_rate * _SAMPLE_BYTES[track.codec]
