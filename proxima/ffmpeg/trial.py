"""Trial: whether this ffmpeg can encode with a preset, by doing it."""

from pathlib import Path
from tempfile import TemporaryDirectory

from proxima.errors import JobFailed, ProximaError
from proxima.ffmpeg.binaries import find_tonemapper
from proxima.ffmpeg.command import encode_command
from proxima.ffmpeg.failures import last_words
from proxima.ffmpeg.geometry import DIVISORS
from proxima.ffmpeg.probe import probe
from proxima.preset import Preset
from proxima.process import child

_PATIENCE = 60
#: Of the output, in pixels: large enough for every encoder.
_SIZE = (320, 180)
_FRAMES = "3"
#: So that there is something to map.
_HDR = ("-vf", "setparams=color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc")


def try_preset(ffmpeg: Path, preset: Preset) -> str | None:
    """Encode three frames of a test picture; None if it works, else why not."""
    with TemporaryDirectory(prefix="proxima-") as name:
        folder = Path(name)
        source, scratch = folder / "trial.mov", folder / f"output{preset.extension}"
        try:
            _run(_make_source(ffmpeg, source, DIVISORS[preset.size], preset))
            argv = encode_command(
                ffmpeg=ffmpeg,
                source=source,
                scratch=scratch,
                media=probe(source),
                preset=preset,
                threads=1,
                extra_args=preset.extra_args,
                tonemapper=find_tonemapper(ffmpeg) if preset.tonemap != "no" else "zscale",
            )
            _run(argv)
            probe(scratch)
        except JobFailed as error:
            # Without its hint: who asks gives one.
            return error.message
        except (ProximaError, OSError) as error:
            return str(error)
    return None


def _make_source(ffmpeg: Path, source: Path, times: int, preset: Preset) -> list[str]:
    size = "x".join(str(side * times) for side in _SIZE)
    return [
        *(str(ffmpeg), "-hide_banner", "-nostdin", "-loglevel", "level+error"),
        *("-f", "lavfi", "-i", f"testsrc2=size={size}:rate=25"),
        *("-f", "lavfi", "-i", "sine=sample_rate=48000"),
        *("-frames:v", _FRAMES, "-t", "0.12", "-c:v", "mpeg4", "-c:a", "pcm_s16le"),
        *(_HDR if preset.tonemap != "no" else ()),
        f"file:{source}",
    ]


def _run(argv: list[str]) -> None:
    code, _, words = child.run(argv, timeout=_PATIENCE)
    if code:
        raise ProximaError(last_words(words.splitlines()) or f"ffmpeg ended with code {code}")
