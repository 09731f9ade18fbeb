"""Colour: tags kept in container and frame headers, pixels converted only where tags say so.

ffmpeg takes tags from frames, not from options, so each frame is tagged as its file is. What the
file leaves open stays open.
"""

from dataclasses import replace

from proxima.media import Colour, VideoStream
from proxima.preset import Preset

#: Matrices that a DNxHR header can name (SMPTE ST 2019-1); others are converted.
_DNXHR_MATRICES = frozenset({"bt709", "bt2020nc", "bt2020c"})
#: Those of a ProRes header (SMPTE RDD 36), and what has the coefficients of one of them.
_PRORES_MATRICES = frozenset({"bt709", "smpte170m", "bt470bg", "bt2020nc", "bt2020c"})
#: What a ProRes header calls tags that it has no code for, and that mean the same (ITU-T H.273).
#: ffmpeg would write 0, which reads as RGB. QuickTime's own tags stay as they are.
_PRORES_NAMES = {
    ("colorspace", "bt470bg"): "smpte170m",
    ("colorspace", "bt2020c"): "bt2020nc",
    ("color_trc", "smpte170m"): "bt709",
    ("color_trc", "bt2020-10"): "bt709",
    ("color_trc", "bt2020-12"): "bt709",
}
#: Matrices that the headers of a codec can name.
_MATRICES = {"dnxhr": _DNXHR_MATRICES, "prores": _PRORES_MATRICES}
#: What ``scale`` can convert from.
_CONVERTIBLE = frozenset({"bt709", "fcc", "bt470bg", "smpte170m", "smpte240m", "bt2020nc"})
_SDR = Colour(primaries="bt709", transfer="bt709", matrix="bt709", range="tv")
_RGB = ("rgb", "bgr", "gbr", "argb", "abgr", "0rgb", "0bgr", "pal8", "x2rgb", "x2bgr", "bayer")


def is_rgb(picture: VideoStream) -> bool:
    """Whether the source has no matrix: red, green and blue as they are."""
    return picture.colour.matrix == "gbr" or (picture.pixel_format or "").startswith(_RGB)


def is_tonemapped(picture: VideoStream, preset: Preset) -> bool:
    """Whether HDR becomes SDR; an SDR source is left alone."""
    return preset.tonemap == "sdr" and picture.colour.is_hdr


def output_colour(picture: VideoStream, preset: Preset) -> Colour:
    """The tags of the output."""
    return _SDR if is_tonemapped(picture, preset) else scaled_colour(picture, preset)


def scaled_colour(picture: VideoStream, preset: Preset) -> Colour:
    """The source's tags, but limited range, and a matrix for RGB."""
    source = picture.colour
    matrix = _new_matrix(picture, preset) or source.matrix
    limited = "tv" if is_rgb(picture) or source.range else None
    return replace(source, matrix=matrix, range=limited)


def tag_options(picture: VideoStream) -> list[str]:
    """Options of ``setparams`` that tag each frame as the file is tagged."""
    colour = picture.colour
    tags = {
        "color_primaries": colour.primaries,
        "color_trc": colour.transfer,
        # RGB frames have no matrix; naming one would convert them wrongly.
        "colorspace": None if is_rgb(picture) else _scaled_matrix(picture),
        "range": colour.range,
    }
    return [f"{name}={value}" for name, value in tags.items() if value]


def restored_tags(picture: VideoStream) -> list[str]:
    """Options of ``setparams`` after scaling: the matrix that was hidden from ``scale``."""
    matrix = picture.colour.matrix
    return [] if is_rgb(picture) or _scaled_matrix(picture) == matrix else [f"colorspace={matrix}"]


def conversion_options(picture: VideoStream, preset: Preset) -> list[str]:
    """Options of ``scale`` that convert matrix and range, and tag what comes out."""
    matrix = _new_matrix(picture, preset)
    options = [f"out_color_matrix={matrix}"] if matrix else []
    if is_rgb(picture) or picture.colour.range:
        options.append("out_range=tv")
    return options


def colour_arguments(picture: VideoStream, preset: Preset) -> list[str]:
    """Output options: QuickTime's ``colr`` leaves partial tags out unless asked."""
    colour = output_colour(picture, preset)
    known = sum(tag is not None for tag in (colour.primaries, colour.transfer, colour.matrix))
    is_partial = 0 < known < 3
    return ["-movflags", "+write_colr"] if preset.container == "mov" and is_partial else []


def header_filters(picture: VideoStream, preset: Preset) -> list[str]:
    """Bitstream filters: tags that encoders leave out of headers, or write as other ones."""
    colour = output_colour(picture, preset)
    if preset.video_codec == "h264":
        # libx264 writes the limited range only beside other tags.
        is_alone = colour.range and not (colour.primaries or colour.transfer or colour.matrix)
        return ["h264_metadata=video_full_range_flag=0"] if is_alone else []
    if preset.video_codec != "prores":
        return []
    tags = (("color_trc", colour.transfer), ("colorspace", colour.matrix))
    names = [f"{tag[0]}={_PRORES_NAMES[tag]}" for tag in tags if tag in _PRORES_NAMES]
    return [f"prores_metadata={':'.join(names)}"] if names else []


def _scaled_matrix(picture: VideoStream) -> str | None:
    """As ``scale`` is told it: it refuses frames of matrices that it cannot convert."""
    matrix = picture.colour.matrix
    return matrix if matrix is None or matrix in _CONVERTIBLE else "unknown"


def _new_matrix(picture: VideoStream, preset: Preset) -> str | None:
    """The matrix to convert to; None if the source's stays."""
    if is_rgb(picture):
        return "bt2020nc" if picture.colour.primaries == "bt2020" else "bt709"
    matrix = picture.colour.matrix
    if matrix in _CONVERTIBLE - _MATRICES.get(preset.video_codec, _CONVERTIBLE):
        return "bt709"
    return None
