"""Preset: a named recipe for an output. Typed fields, never a command line."""

from typing import Literal

import msgspec

Container = Literal["mov", "mp4", "mkv", "mxf", "wav"]
VideoCodec = Literal["prores", "dnxhr", "h264", "hevc", "cineform", "none"]
SoundCodec = Literal["pcm_s16le", "pcm_s24le", "aac", "none"]
SizeRule = Literal["full", "half", "quarter", "eighth"]
Deinterlace = Literal["no", "frames", "fields"]


class Preset(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A recipe; a job carries a copy, so that editing it changes nothing already sent."""

    #: The name by which it is asked for.
    name: str
    #: One line: what it is for.
    use: str = ""
    #: File format of the output, and its extension.
    container: Container = "mov"
    #: "none" copies no picture: sound only.
    video_codec: VideoCodec = "prores"
    #: Flavour of the codec: proxy, lt, standard, hq, 4444 (prores); lb, sq, hq, hqx (dnxhr);
    #: high, main, main10 (h264, hevc).
    profile: str = ""
    #: Constant quality: CRF of h264 and hevc (0 to 51, less is better); None = encoder default.
    quality: int | None = None
    #: ffmpeg's pixel format; empty = the codec's own.
    pixel_format: str = ""
    #: Share of the source's width and height.
    size: SizeRule = "full"
    #: The picture fits into this box, in pixels; 0 = no limit. Never scaled up.
    max_width: int = 0
    max_height: int = 0
    #: Every frame a key frame (h264, hevc): larger files, but editing programs scrub fast.
    intra_only: bool = False
    #: Frames between key frames (h264, hevc); 0 = encoder default.
    keyframe_interval: int = 0
    #: "frames" makes one frame of two fields, "fields" one frame of each field (double rate).
    deinterlace: Deinterlace = "no"
    #: Frames per second as a rational ("25", "30000/1001"); empty = as the source.
    frame_rate: str = ""
    #: "none" leaves the sound out.
    sound_codec: SoundCodec = "pcm_s16le"
    #: Kilobits per second and channel (aac); 0 = encoder default.
    sound_kbps_per_channel: int = 0
    #: Further ffmpeg output options; a worker runs only those that its config permits.
    extra_args: tuple[str, ...] = ()

    @property
    def extension(self) -> str:
        """With its dot: ``.mov``."""
        return f".{self.container}"

    @property
    def has_picture(self) -> bool:
        """Whether outputs hold pictures."""
        return self.video_codec != "none"

    @property
    def has_sound(self) -> bool:
        """Whether outputs hold sound."""
        return self.sound_codec != "none"
