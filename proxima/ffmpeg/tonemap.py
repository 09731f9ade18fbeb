"""Tone mapping: HDR pictures made BT.709, with the filters that the ffmpeg build has.

PQ and HLG become linear light in which 1 is 100 cd/m2, the primaries are converted, and what is
brighter is compressed by the Hable curve up to 1000 cd/m2, the peak of HLG and of most PQ masters
(ITU-R BT.2100, BT.2408).
"""

from typing import Literal

from proxima.ffmpeg.colour import is_tonemapped, scaled_colour
from proxima.ffmpeg.encoders import video_encoder
from proxima.media import VideoStream
from proxima.preset import Preset

#: The filter that does it: zscale with tonemap on the processor, or libplacebo on a graphics card.
Tonemapper = Literal["zscale", "libplacebo"]

#: cd/m2 of linear 1, and the peak in such units.
_NOMINAL, _PEAK = 100, 10


def tonemap_filters(picture: VideoStream, preset: Preset, tonemapper: Tonemapper) -> list[str]:
    """From frames that were scaled, of limited range, to tagged BT.709."""
    if not is_tonemapped(picture, preset):
        return []
    pixels = video_encoder(preset, picture).pixel_format
    # RGB is made by ffmpeg itself of what comes out here.
    pixels = pixels if pixels.startswith("yuv") else "yuv444p12le"
    if tonemapper == "libplacebo":
        tags = "colorspace=bt709:color_primaries=bt709:color_trc=bt709:range=tv"
        return [f"libplacebo=tonemapping=hable:{tags}:format={pixels}"]
    colour = scaled_colour(picture, preset)
    # What the file leaves open is what HDR has.
    primaries, matrix = colour.primaries or "bt2020", colour.matrix or "bt2020nc"
    planes = "gbrapf32le" if pixels.startswith("yuva") else "gbrpf32le"
    return [
        f"zscale=tin={colour.transfer}:pin={primaries}:min={matrix}:rin=tv:t=linear:npl={_NOMINAL}",
        f"format={planes}",
        "zscale=p=bt709",
        f"tonemap=hable:desat=0:peak={_PEAK}",
        "zscale=t=bt709:m=bt709:r=tv",
        f"format={pixels}",
    ]
