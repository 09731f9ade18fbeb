"""Binaries: find the ffmpeg to run."""

import re
import shutil
from functools import lru_cache
from pathlib import Path

from proxima.errors import FailureKind, JobFailed, UsageError
from proxima.ffmpeg.tonemap import Tonemapper
from proxima.process import child

_REMEDY = "install Proxima again, or let [worker] ffmpeg name an ffmpeg of your own"
#: Seconds; it answers in 15 ms, but a network drive may be asleep.
_PATIENCE = 30


def find_ffmpeg(configured: str = "") -> Path:
    """The configured ffmpeg (a path, or a name on PATH), else the one of imageio-ffmpeg.

    UsageError if it is not there.
    """
    if configured:
        found = shutil.which(Path(configured).expanduser())
        if not found:
            raise UsageError(
                f"there is no program {configured!r} ([worker] ffmpeg); correct it, or leave it "
                "empty to use the ffmpeg that comes with Proxima"
            )
        return Path(found).absolute()
    return _bundled()


def version(ffmpeg: Path) -> str:
    """What it calls itself: "9.0.2"; UsageError if it cannot be run."""
    try:
        code, out, err = child.run([str(ffmpeg), "-version"], timeout=_PATIENCE)
    except OSError as error:
        raise UsageError(f"{ffmpeg} cannot be run ({error}); {_REMEDY}") from error
    match = re.match(r"ffmpeg version n?(\S+)", out)
    if code or not match:
        raise UsageError(f"{ffmpeg} is no ffmpeg ({(err or out).strip()[:200]}); {_REMEDY}")
    return match[1]


@lru_cache
def find_tonemapper(ffmpeg: Path) -> Tonemapper:
    """The filter for tone mapping that it has; JobFailed if there is none, or it cannot be run."""
    _, out, _ = child.run([str(ffmpeg), "-hide_banner", "-filters"], timeout=_PATIENCE)
    names = {line.split()[1] for line in out.splitlines() if len(line.split()) > 2}
    if {"zscale", "tonemap"} <= names:
        return "zscale"
    if "libplacebo" in names:
        return "libplacebo"
    raise JobFailed(
        FailureKind.ENCODER_MISSING,
        f"{ffmpeg} has neither zscale nor libplacebo, one of which makes SDR of HDR",
        "let [worker] ffmpeg name a full build, or leave it empty",
    )


def _bundled() -> Path:
    import imageio_ffmpeg

    try:
        return Path(imageio_ffmpeg.get_ffmpeg_exe())
    except RuntimeError as error:
        raise UsageError(f"no ffmpeg came with Proxima on this machine; {_REMEDY}") from error
