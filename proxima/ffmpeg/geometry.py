"""The size of an output: a share of the source's, inside a box, as the encoder can hold it."""

import math
from dataclasses import dataclass
from fractions import Fraction

from proxima.errors import FailureKind, JobFailed
from proxima.ffmpeg.encoders import video_encoder
from proxima.ffmpeg.fields import keeps_fields
from proxima.media import VideoStream
from proxima.preset import Preset

#: ffmpeg 9.0's MXF files of DNxHR have square pixels, whatever they are told.
_NO_PIXEL_ASPECT = ("dnxhr", "mxf")
#: By how much each size rule divides width and height.
DIVISORS = {"full": 1, "half": 2, "quarter": 4, "eighth": 8}
#: ``setsar`` rounds to small numbers unless told how large they may be.
_LARGEST_NUMBER = 2**31 - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Raster:
    """The pixels of a picture."""

    width: int
    height: int
    #: Width of a pixel over its height.
    pixel_aspect: Fraction

    @property
    def display_aspect(self) -> Fraction:
        """Width over height, as it is shown."""
        return Fraction(self.width, self.height) * self.pixel_aspect


def source_raster(picture: VideoStream) -> Raster:
    """The source as a player shows it: turned upright."""
    width, height = picture.display_size
    aspect = picture.display_pixel_aspect if picture.pixel_aspect > 0 else Fraction(1)
    return Raster(width=width, height=height, pixel_aspect=aspect)


def output_raster(picture: VideoStream, preset: Preset) -> Raster:
    """The size of the output: never larger than the source, with exactly its display aspect.

    Sizes are rounded to what the encoder takes, and the pixel aspect makes up for it. Interlaced
    outputs keep all lines: only their width is reduced. JobFailed if the encoder takes no
    picture as small as that.
    """
    source = source_raster(picture)
    if (preset.video_codec, preset.container) == _NO_PIXEL_ASPECT:
        source = _square(source)
    encoder = video_encoder(preset, picture)
    across, down = _scales(source, preset, keep_lines=keeps_fields(picture, preset))
    width_step, height_step = encoder.step
    width = _rounded(source.width * across, width_step, _most(source.width, preset.max_width))
    height = _rounded(source.height * down, height_step, _most(source.height, preset.max_height))
    if width < encoder.smallest[0] or height < encoder.smallest[1]:
        least = "x".join(map(str, encoder.smallest))
        raise JobFailed(
            FailureKind.PRESET_UNSUITABLE,
            f"{preset.video_codec} holds no picture of {width}x{height} (at least {least})",
            "choose a preset of another codec or of full size",
        )
    return Raster(
        width=width,
        height=height,
        pixel_aspect=source_raster(picture).display_aspect / Fraction(width, height),
    )


def pixel_aspect_filter(raster: Raster) -> str:
    """State the pixel aspect exactly."""
    aspect = raster.pixel_aspect
    return f"setsar={aspect.numerator}/{aspect.denominator}:max={_LARGEST_NUMBER}"


def _square(raster: Raster) -> Raster:
    """The same shape in square pixels, made smaller in one direction."""
    aspect = raster.display_aspect
    width = min(raster.width, round(raster.height * aspect))
    return Raster(width=width, height=round(width / aspect), pixel_aspect=Fraction(1))


def _scales(source: Raster, preset: Preset, *, keep_lines: bool) -> tuple[Fraction, Fraction]:
    """Factors of width and height."""
    share = Fraction(1, DIVISORS[preset.size])
    across = min(share, Fraction(_most(source.width, preset.max_width), source.width))
    if keep_lines:
        return across, Fraction(1)
    both = min(across, Fraction(_most(source.height, preset.max_height), source.height))
    return both, both


def _most(source: int, limit: int) -> int:
    return min(source, limit) if limit else source


def _rounded(ideal: Fraction, step: int, most: int) -> int:
    """The multiple of *step* that is nearest to *ideal* and not above *most*; the lower of two."""
    nearest = math.ceil(ideal / step - Fraction(1, 2))
    return max(min(nearest, most // step), 1) * step
