"""Codecs: which profiles, pixel formats and containers go together.

Containers and pixel formats are those that ffmpeg 9.0 was seen to write and read back, less PCM
in MP4, which editing programs do not read.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class VideoFacts:
    """What one video codec can do."""

    #: Each profile with ffmpeg's names of its pixel formats; the defaults come first.
    profiles: Mapping[str, tuple[str, ...]]
    containers: tuple[str, ...]
    #: Whether quality and distance of key frames can be chosen.
    is_long_gop: bool = False

    @property
    def default_profile(self) -> str:
        """Empty for a codec without profiles."""
        return next(iter(self.profiles))


_422 = ("yuv422p10le",)
_NLE = ("mov", "mkv", "mxf")

VIDEO: Mapping[str, VideoFacts] = {
    "prores": VideoFacts(
        profiles={
            "proxy": _422,
            "lt": _422,
            "standard": _422,
            "hq": _422,
            "4444": ("yuv444p10le", "yuva444p10le"),
        },
        containers=_NLE,
    ),
    "dnxhr": VideoFacts(
        profiles={"lb": ("yuv422p",), "sq": ("yuv422p",), "hq": ("yuv422p",), "hqx": _422},
        containers=_NLE,
    ),
    "h264": VideoFacts(
        profiles={
            "high": ("yuv420p",),
            "main": ("yuv420p",),
            "high10": ("yuv420p10le",),
            "high422": ("yuv422p", "yuv422p10le"),
        },
        containers=("mov", "mp4", "mkv", "mxf"),
        is_long_gop=True,
    ),
    "hevc": VideoFacts(
        profiles={"main": ("yuv420p",), "main10": ("yuv420p10le",), "main422-10": _422},
        containers=("mov", "mp4", "mkv"),
        is_long_gop=True,
    ),
    "cineform": VideoFacts(
        profiles={"": ("yuv422p10le", "gbrp12le", "gbrap12le")}, containers=("mov", "mkv")
    ),
    "none": VideoFacts(profiles={"": ()}, containers=("mov", "mp4", "mkv", "wav")),
}

#: Each sound codec with the containers that can hold it.
SOUND: Mapping[str, tuple[str, ...]] = {
    "pcm_s16le": ("mov", "mkv", "mxf", "wav"),
    "pcm_s24le": ("mov", "mkv", "mxf", "wav"),
    "aac": ("mov", "mp4", "mkv"),
    "none": ("mov", "mp4", "mkv", "mxf"),
}
