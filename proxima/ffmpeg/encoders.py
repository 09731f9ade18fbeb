"""Encoders: which of ffmpeg's makes a preset's picture, with which options and sizes."""

from dataclasses import dataclass

from proxima.codec import VIDEO
from proxima.media import VideoStream
from proxima.preset import Preset

#: ``prores_aw`` knows its profiles by number only.
_PRORES_NUMBERS = {"proxy": "0", "lt": "1", "standard": "2", "hq": "3"}
#: Width and height, in pixels, below which the encoder refuses or crashes (ffmpeg 9.0).
_SMALLEST = {"dnxhr": (256, 120), "hevc": (64, 64), "cineform": (32, 32)}
#: Width and height must be multiples of these.
_STEPS = {"cineform": (16, 8)}


@dataclass(frozen=True, slots=True, kw_only=True)
class VideoEncoder:
    """One of ffmpeg's encoders, as a preset wants it."""

    name: str
    pixel_format: str
    options: tuple[str, ...] = ()
    #: Width and height in pixels.
    smallest: tuple[int, int] = (2, 2)
    step: tuple[int, int] = (2, 2)

    @property
    def has_alpha(self) -> bool:
        """Whether it keeps the alpha channel."""
        return "yuva" in self.pixel_format or "gbrap" in self.pixel_format

    @property
    def bit_depth(self) -> int:
        """Bits a component."""
        digits = self.pixel_format.removesuffix("le").rpartition("p")[2]
        return int(digits) if digits else 8

    @property
    def arguments(self) -> list[str]:
        """Options that make ffmpeg use it."""
        return ["-c:v", self.name, *self.options, "-pix_fmt:v", self.pixel_format]


def video_encoder(preset: Preset, picture: VideoStream) -> VideoEncoder:
    """The encoder for *picture*; an alpha channel is kept where the profile knows one."""
    codec = preset.video_codec
    name, options = _encoder(preset)
    pixel_format = preset.pixel_format or _pixel_format(preset, picture)
    if pixel_format == "yuva444p10le" and name == "prores_ks":
        options = (*options, "-alpha_bits", "16")
    return VideoEncoder(
        name=name,
        pixel_format=pixel_format,
        options=options,
        smallest=_SMALLEST.get(codec, (2, 2)),
        step=_STEPS.get(codec, (2, 2)),
    )


def _pixel_format(preset: Preset, picture: VideoStream) -> str:
    formats = VIDEO[preset.video_codec].profiles[_profile(preset)]
    if picture.has_alpha:
        return next((f for f in formats if f.startswith("yuva")), formats[0])
    return formats[0]


def _profile(preset: Preset) -> str:
    return preset.profile or VIDEO[preset.video_codec].default_profile


def _encoder(preset: Preset) -> tuple[str, tuple[str, ...]]:
    profile = _profile(preset)
    match preset.video_codec:
        case "prores" if profile in _PRORES_NUMBERS:
            # 3.5 times as fast as prores_ks, at the same quality.
            number = _PRORES_NUMBERS[profile]
            return "prores_aw", ("-profile:v", number, "-vendor", "apl0")
        case "prores":
            # prores_aw damages alpha channels.
            return "prores_ks", ("-profile:v", profile, "-vendor", "apl0")
        case "dnxhr":
            return "dnxhd", ("-profile:v", f"dnxhr_{profile}")
        case "h264":
            return "libx264", ("-profile:v", profile, *_quality(preset))
        case "hevc":
            # Apple's programs play no other tag.
            tag = () if preset.container == "mkv" else ("-tag:v", "hvc1")
            return "libx265", ("-profile:v", profile, *tag, *_quality(preset))
        case "cineform":
            return "cfhd", ()
        case "none":
            raise ValueError(f"preset {preset.name} makes no picture")


def _quality(preset: Preset) -> tuple[str, ...]:
    """Constant quality and distance of key frames."""
    quality = () if preset.quality is None else ("-crf", str(preset.quality))
    distance = 1 if preset.intra_only else preset.keyframe_interval
    return (*quality, "-g", str(distance)) if distance else quality
