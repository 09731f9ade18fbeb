"""Preset: a named recipe for an output. Typed fields, never a command line."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

Container = Literal["mov", "mp4", "mkv", "mxf", "wav"]
VideoCodec = Literal["prores", "dnxhr", "h264", "hevc", "cineform", "none"]
SoundCodec = Literal["pcm_s16le", "pcm_s24le", "aac", "none"]
SizeRule = Literal["full", "half", "quarter", "eighth"]
Deinterlace = Literal["no", "frames", "fields"]
Tonemap = Literal["no", "sdr"]


class Preset(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A recipe; a job carries a copy, so that editing it changes nothing already sent."""

    #: The name by which it is asked for.
    name: Annotated[str, Meta(min_length=1)]
    use: Annotated[str, Meta(description="One line: what it is for.")] = ""
    container: Annotated[
        Container, Meta(description="File format of the output, and its extension.")
    ] = "mov"
    video_codec: Annotated[
        VideoCodec, Meta(description='"none" copies no picture: sound only.')
    ] = "prores"
    profile: Annotated[
        str,
        Meta(
            description="Flavour of the codec; empty = its first. prores: proxy, lt, standard, hq, "
            "4444. dnxhr: lb, sq, hq, hqx. h264: high, main, high10, high422. "
            "hevc: main, main10, main422-10."
        ),
    ] = ""
    quality: Annotated[
        int | None,
        Meta(
            description="Constant quality (CRF) of h264 and hevc: 0 to 51, less is better; "
            "not set = the encoder's own."
        ),
    ] = None
    pixel_format: Annotated[
        str, Meta(description="ffmpeg's pixel format; empty = the profile's own.")
    ] = ""
    size: Annotated[SizeRule, Meta(description="Share of the source's width and height.")] = "full"
    max_width: Annotated[
        int,
        Meta(
            ge=0,
            le=32768,
            description="The picture fits into this width, in pixels; 0 = no limit. "
            "Never scaled up.",
        ),
    ] = 0
    max_height: Annotated[
        int, Meta(ge=0, le=32768, description="And into this height, in pixels.")
    ] = 0
    intra_only: Annotated[
        bool,
        Meta(
            description="Every frame a key frame (h264, hevc): larger files, "
            "but editing programs scrub fast."
        ),
    ] = False
    keyframe_interval: Annotated[
        int,
        Meta(
            ge=0,
            le=3000,
            description="Frames from key frame to key frame (h264, hevc); 0 = the encoder's own.",
        ),
    ] = 0
    deinterlace: Annotated[
        Deinterlace,
        Meta(
            description='"frames" makes one frame of two fields, '
            '"fields" one frame of each field (double rate).'
        ),
    ] = "no"
    tonemap: Annotated[
        Tonemap,
        Meta(
            description='"sdr" makes BT.709 of HDR (PQ and HLG); "no" keeps HDR. '
            "SDR sources are left alone."
        ),
    ] = "no"
    frame_rate: Annotated[
        str,
        Meta(
            description='Frames per second as a whole number or ratio ("25", "30000/1001"); '
            "empty = as the source."
        ),
    ] = ""
    sound_codec: Annotated[SoundCodec, Meta(description='"none" leaves the sound out.')] = (
        "pcm_s16le"
    )
    sound_kbps_per_channel: Annotated[
        int,
        Meta(
            ge=0,
            le=512,
            description="Kilobits per second and channel (aac); 0 = the encoder's own.",
        ),
    ] = 0
    extra_args: Annotated[
        tuple[str, ...],
        Meta(
            description="Further ffmpeg output options, each with one value; a worker runs only "
            "those that its config permits."
        ),
    ] = ()

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
