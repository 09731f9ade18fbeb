"""Shoot: mixed clips of realistic size, made once and kept for later rounds."""

import subprocess
from dataclasses import dataclass
from pathlib import Path

import imageio_ffmpeg

SIZES = ("1920x1080", "3840x2160")
RATES = ("24000/1001", "25", "30000/1001", "60000/1001")
CODECS = {
    "h264": ("libx264", "-preset", "ultrafast", "-crf", "23", "-pix_fmt", "yuv420p"),
    "mpeg2": ("mpeg2video", "-q:v", "4", "-pix_fmt", "yuv420p"),
    "prores": ("prores_aw", "-profile:v", "2", "-pix_fmt", "yuv422p10le"),
}
#: A clip lasts one of these shares of the longest.
_SHARES = (1 / 3, 1 / 2, 2 / 3, 5 / 6, 1)
_SOUND = "sine=f=440:r=48000"


@dataclass(frozen=True, slots=True, kw_only=True)
class Clip:
    """How to make one clip."""

    number: int
    size: str
    rate: str
    codec: str
    seconds: float

    @property
    def name(self) -> str:
        """Tells all, so that a clip of another recipe is never taken for this one."""
        rate = self.rate.replace("/", "-")
        return f"C{self.number:03}_{self.codec}_{self.size}_{rate}_{self.seconds:.2f}s.mov"

    @property
    def arguments(self) -> list[str]:
        """Arguments of ffmpeg, without the output."""
        picture = f"testsrc2=s={self.size}:r={self.rate}"
        return [
            *("-f", "lavfi", "-i", picture, "-f", "lavfi", "-i", _SOUND, "-f", "lavfi"),
            *("-i", _SOUND, "-map", "0", "-map", "1", "-map", "2", "-t", f"{self.seconds:.2f}"),
            *("-c:v", *CODECS[self.codec], "-c:a", "pcm_s24le"),
            *("-timecode", f"{self.number % 24:02}:00:00:00"),
        ]


def planned(count: int, longest: float) -> list[Clip]:
    """*count* clips of up to *longest* seconds: sizes, codecs, rates and lengths all mixed."""
    codecs = list(CODECS)
    # Divided down, so that neighbours differ and every codec comes in both sizes.
    return [
        Clip(
            number=n + 1,
            size=SIZES[n % 2],
            codec=codecs[n // 2 % 3],
            rate=RATES[n // 3 % 4],
            seconds=longest * _SHARES[n % 5],
        )
        for n in range(count)
    ]


def make(folder: Path, clips: list[Clip]) -> list[Path]:
    """Make those of *clips* that are not in *folder*; the paths of all."""
    folder.mkdir(parents=True, exist_ok=True)
    for clip in clips:
        if not (folder / clip.name).exists():
            print(f"making {clip.name}", flush=True)
            _make(folder / clip.name, clip)
    return [folder / clip.name for clip in clips]


def _make(path: Path, clip: Clip) -> None:
    # Under its name only when it is whole.
    unfinished = path.with_name("unfinished.mov")
    ffmpeg = imageio_ffmpeg.get_ffmpeg_exe()
    command = [ffmpeg, "-v", "error", "-nostdin", "-y", *clip.arguments, f"file:{unfinished}"]
    subprocess.run(command, check=True)
    unfinished.replace(path)
