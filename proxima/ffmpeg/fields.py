"""Interlaced sources: whether their fields are kept, or made into whole frames.

Fields are kept only where nothing can mix them: at full height (a smaller output is made less
wide, and its pixel aspect says so), in codecs and containers whose encoders can say which field
is first. Everywhere else the source is deinterlaced to one frame of two fields, and the plan
says so.
"""

from proxima.media import FieldOrder, VideoStream
from proxima.preset import Deinterlace, Preset

#: ffmpeg's MXF calls ProRes progressive whatever it holds; dnxhd refuses interlaced DNxHR; cfhd
#: and libx265 code frames only (all seen with ffmpeg 9.0).
_CARRIERS = frozenset(
    {("prores", "mov"), ("prores", "mkv")} | {("h264", c) for c in ("mov", "mp4", "mkv", "mxf")}
)
_PARITY = {FieldOrder.TOP: "tff", FieldOrder.BOTTOM: "bff"}


def is_interlaced(picture: VideoStream) -> bool:
    """Whether the source is known to hold fields."""
    return picture.field_order in _PARITY


def keeps_fields(picture: VideoStream, preset: Preset) -> bool:
    """Whether the output is interlaced as its source is."""
    # libx264 halves the chroma lines of each field.
    step = 4 if preset.video_codec == "h264" else 2
    return (
        is_interlaced(picture)
        and preset.deinterlace == "no"
        and not preset.frame_rate
        and (preset.video_codec, preset.container) in _CARRIERS
        and not (picture.rotation or picture.mirrored)
        and not 0 < preset.max_height < picture.height
        and picture.height % step == 0
    )


def deinterlacing(picture: VideoStream, preset: Preset) -> Deinterlace:
    """How fields become frames; "no" where they are kept or there are none."""
    if not is_interlaced(picture) or keeps_fields(picture, preset):
        return "no"
    return "frames" if preset.deinterlace == "no" else preset.deinterlace


def field_filters(picture: VideoStream, preset: Preset) -> list[str]:
    """The deinterlacer, where one is needed."""
    mode = deinterlacing(picture, preset)
    if mode == "no":
        return []
    send = "send_field" if mode == "fields" else "send_frame"
    return [f"bwdif=mode={send}:parity={_PARITY[picture.field_order]}:deint=all"]


def field_mode(picture: VideoStream, preset: Preset) -> str | None:
    """How the frames are to be marked, as ``setparams`` calls it; None leaves their marks."""
    if keeps_fields(picture, preset):
        return _PARITY[picture.field_order]
    return None if picture.field_order is FieldOrder.UNKNOWN else "prog"


def field_arguments(picture: VideoStream, preset: Preset) -> list[str]:
    """Encoder options that keep fields apart."""
    if not keeps_fields(picture, preset):
        return []
    if preset.video_codec == "prores":
        return ["-flags:v", "+ildct"]
    # libx264 opens as top field first and writes that into its header, whatever frames say.
    parity = _PARITY[picture.field_order]
    return ["-flags:v", "+ildct+ilme", "-x264-params:v", f"{parity}=1"]
