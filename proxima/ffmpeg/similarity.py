"""Similarity: whether an output shows what its source shows, picture by picture.

Measured by ffmpeg's SSIM (Wang et al., Image quality assessment: from error visibility to
structural similarity, 2004): 1 for equal pictures. The source goes through the filters of the
encode; frames are paired by their number, so that one too many or too few shows as a shift.
SSIM hardly sees colours that are all wrong alike; the PSNR of small pictures does, in which what a
codec does to details is averaged away (measured: above 33 dB at the poorest quality, below 30 with
wrong range, gamma, hue or planes).
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from proxima.ffmpeg.command import input_arguments, picture_filters
from proxima.ffmpeg.encoders import video_encoder
from proxima.ffmpeg.media_formats import PROTOCOL_WHITELIST
from proxima.ffmpeg.timing import constant_rate
from proxima.ffmpeg.tonemap import Tonemapper
from proxima.media import MediaInfo, VideoStream
from proxima.preset import Preset

#: By how much a frame's neighbour must be more like it before the output counts as shifted.
_SHIFT = 0.002
#: Below it, pictures are broken (noise, which costs most, has 0.37 at the poorest quality);
#: a single one also below this share of the average.
_LEAST, _LEAST_SHARE = 0.3, 0.65
#: Below so many dB in any plane, colours are wrong.
_LEAST_COLOUR = 30
_SMALL = "scale=32:18:flags=area"
#: Or scaling would convert the one to the tags of the other where only one file has some, and
#: refuse what a codec has no tag for.
_SAME_TAGS = "setparams=color_primaries=bt709:color_trc=bt709"
_SAME_MATRIX = ":range=tv:colorspace=bt709"
_FRAME = re.compile(r"lavfi\.ssim\.All=([\d.]+)")
_TOTAL = re.compile(r"ssim@(early|late) @ .*\bAll:([\d.]+)")
_PLANES = re.compile(r"psnr@colour @ .*\bPSNR (.*) average:")


@dataclass(frozen=True, slots=True, kw_only=True)
class Similarity:
    """How like its source an output is."""

    #: How many were compared.
    frames: int
    #: SSIM over all frames, and of the worst of them, with its number from 0.
    average: float
    worst: float
    worst_frame: int
    #: SSIM if each frame is held against the source's frame before it, and after it.
    early: float
    late: float
    #: PSNR of the small pictures in the worst plane, in dB; infinite for equal ones.
    colour: float

    @property
    def fault(self) -> str:
        """What is wrong with the output; empty if nothing is."""
        for name, other in (("late", self.early), ("early", self.late)):
            if other > self.average + _SHIFT:
                return (
                    f"its pictures are a frame {name}: SSIM {self.average:.4f} in place, "
                    f"{other:.4f} against the neighbour"
                )
        if self.average < _LEAST or self.worst < self.average * _LEAST_SHARE:
            return (
                f"its pictures are not those of the source: SSIM {self.average:.4f}, "
                f"{self.worst:.4f} in frame {self.worst_frame}"
            )
        if self.colour < _LEAST_COLOUR:
            return (
                f"its colours or levels are not those of the source: PSNR {self.colour:.1f} dB "
                f"of pictures made small, {_LEAST_COLOUR} at least is right"
            )
        return ""


def compare_command(  # noqa: PLR0913 - all by name, and none without the others
    *,
    ffmpeg: Path,
    source: Path,
    output: Path,
    media: MediaInfo,
    made: MediaInfo,
    preset: Preset,
    tonemapper: Tonemapper = "zscale",
    threads: int,
) -> list[str]:
    """The command that compares *output* (*made*) with *source* (*media*); it writes no file."""
    old, new = media.picture, made.picture
    if old is None or new is None:
        raise ValueError("there is no picture to compare")
    return [
        *(str(ffmpeg), "-hide_banner", "-nostdin"),
        *("-loglevel", "level+info", "-nostats", "-progress", "pipe:1"),
        *("-max_error_rate", "1", "-filter_complex_threads", str(threads)),
        *input_arguments(source, media, preset, threads),
        *("-protocol_whitelist", PROTOCOL_WHITELIST, "-format_whitelist", made.container),
        *("-threads", str(threads), "-i", f"file:{output.absolute()}"),
        *("-filter_complex", _graph(old, new, preset, tonemapper)),
        *("-map", "[placed]", "-map", "[early]", "-map", "[late]"),
        *("-map", "[colour]", "-f", "null", "-"),
    ]


def read_similarity(lines: Iterable[str]) -> Similarity | None:
    """The figures in what ffmpeg said; None if it compared no frame."""
    frames: list[float] = []
    totals: dict[str, float] = {}
    colour = 0.0
    for line in lines:
        if found := _FRAME.search(line):
            frames.append(float(found[1]))
        elif found := _TOTAL.search(line):
            totals[found[1]] = float(found[2])
        elif found := _PLANES.search(line):
            colour = min(float(plane.partition(":")[2]) for plane in found[1].split())
    if not frames:
        return None
    worst = min(frames)
    return Similarity(
        frames=len(frames),
        average=round(sum(frames) / len(frames), 6),
        worst=worst,
        worst_frame=frames.index(worst),
        early=totals.get("early", 0.0),
        late=totals.get("late", 0.0),
        colour=colour,
    )


def _graph(old: VideoStream, new: VideoStream, preset: Preset, tonemapper: Tonemapper) -> str:
    filters = picture_filters(old, preset, tonemapper)
    rate = constant_rate(old, preset)
    if preset.container == "mxf" and rate:
        # Its frames are repeated or dropped behind the filters.
        filters.append(f"fps={rate.numerator}/{rate.denominator}:start_time=0")
    pixels = video_encoder(preset, old).pixel_format
    plain = pixels.replace("yuva", "yuv").replace("gbrap", "gbrp")
    tags = _SAME_TAGS + ("" if plain.startswith("gbr") else _SAME_MATRIX)
    # Alpha has no place in SSIM; times are numbers of frames.
    same = f"format={plain},{tags},settb=1/25,setpts=N"
    later = "trim=start_frame=1,setpts=N"
    return ";".join(
        [
            f"[0:{old.index}]{','.join(filters)},{same},split=4[a][b][c][d]",
            f"[1:{new.index}]{same},split=4[w][x][y][z]",
            "[x][a]ssim=shortest=1,metadata=print:key=lavfi.ssim.All[placed]",
            f"[y]{later}[y1];[y1][b]ssim@early=shortest=1[early]",
            f"[c]{later}[c1];[z][c1]ssim@late=shortest=1[late]",
            f"[w]{_SMALL}[w1];[d]{_SMALL}[d1];[w1][d1]psnr@colour=shortest=1[colour]",
        ]
    )
