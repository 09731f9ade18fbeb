"""Every preset over sources of every kind, and the contract looked at without `verify`."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import clips
import mp4_patch
from clips import H264, all_inputs, make_clip, picture
from encodes import Output, pitches, transcode
from linked import decoded, differ
from msgspec import structs

from proxima.config.preset_book import PresetBook
from proxima.errors import JobFailed

PRESETS = PresetBook().names()
#: Large enough that half of it is not too small for any encoder.
_SIZE = "640x360"
_SECONDS = 0.4
_TEN_BITS = ("-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p10le")
_RATES = {
    "23.976": ("24000/1001", "00:59:59:10"),
    "24": ("24", "00:59:59:10"),
    "25": ("25", "10:00:00:00"),
    "29.97": ("30000/1001", "01:00:00:02"),
    "29.97 drop": ("30000/1001", "00:59:59;28"),
    "30": ("30", "23:59:59:29"),
    "48": ("48", "01:00:00:40"),
    "50": ("50", "01:00:00:49"),
    "59.94": ("60000/1001", "01:00:00:02"),
    "59.94 drop": ("60000/1001", "00:09:59;56"),
    "60": ("60", "01:00:00:59"),
    "100": ("100", "01:00:00:00"),
    "119.88": ("120000/1001", "01:00:00:00"),
    "120": ("120", "01:00:00:00"),
}
#: Brightness that two small pictures may differ by: scaling, chroma, coding.
_LIKE = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A kind of source."""

    name: str
    make: Callable[[Path], Path]
    turn: int = 0
    is_mirrored: bool = False
    is_interlaced: bool = False
    tags: tuple[str, str, str] | None = None
    has_alpha: bool = False


def sources() -> list[Source]:
    """All of them."""
    return [*_rated(), *_sounding(), *_turned(), *_pictured()]


def _rated() -> Iterator[Source]:
    for name, (rate, label) in _RATES.items():
        yield Source(name=f"{name} fps", make=_clip(rate, "-timecode", label))


def _clip(rate: str, *args: str, codec: tuple[str, ...] = H264, then: str = "") -> Any:
    given = picture(_SECONDS, rate, _SIZE, then)
    return lambda folder: make_clip(folder, "source.mov", *given, *codec, *args)


def _sounding() -> Iterator[Source]:
    for count in range(1, 17):
        yield Source(name=f"{count} channels", make=_with_tracks((count,)))
    yield Source(name="8 mono tracks", make=_with_tracks((1,) * 8))
    yield Source(name="16 mono tracks", make=_with_tracks((1,) * 16))
    yield Source(name="tracks of 2, 1 and 6", make=_with_tracks((2, 1, 6)))


def _with_tracks(counts: tuple[int, ...]) -> Callable[[Path], Path]:
    """Each channel has a pitch of its own."""
    inputs: list[str] = []
    for track, count in enumerate(counts):
        first = sum(counts[:track])
        waves = "|".join(f"0.5*sin({200 + 50 * (first + n)}*2*PI*t)" for n in range(count))
        inputs += ["-f", "lavfi", "-i", f"aevalsrc={waves}:d={_SECONDS}"]
    given = (*picture(_SECONDS, "25", _SIZE), *inputs, *all_inputs(1 + len(counts)))
    # Matroska names no speakers for PCM.
    return lambda folder: make_clip(folder, "source.mkv", *given, *H264, "-c:a", "pcm_s24le")


def _turned() -> Iterator[Source]:
    for degrees in (90, 180, 270):
        yield Source(
            name=f"turned by {degrees}", make=_patched(mp4_patch.TURNED[degrees]), turn=degrees
        )
    yield Source(name="mirrored", make=_patched(mp4_patch.MIRRORED), is_mirrored=True)


def _patched(matrix: tuple[int, int, int, int]) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        path: Path = _clip("25")(folder)
        mp4_patch.set_matrix(path, 0, matrix)
        return path

    return make


def _pictured() -> Iterator[Source]:
    for field in ("top", "bottom"):
        weave = f"tinterlace=interleave_{field}"
        make = _clip("50", "-flags", "+ildct+ilme", codec=(*H264, "-g", "1"), then=weave)
        yield Source(name=f"{field} field first", make=make, is_interlaced=True)
    for name, transfer in (("PQ", "smpte2084"), ("HLG", "arib-std-b67")):
        tags = f"setparams=color_primaries=bt2020:color_trc={transfer}:colorspace=bt2020nc"
        make = _clip("25", codec=_TEN_BITS, then=tags)
        yield Source(name=name, make=make, tags=("bt2020", transfer, "bt2020nc"))
    alpha = ("-c:v", "prores_ks", "-profile:v", "4444", "-pix_fmt", "yuva444p10le")
    faded = "format=yuva444p10le,geq=lum='lum(X,Y)':cb='cb(X,Y)':cr='cr(X,Y)':a=512"
    yield Source(name="alpha", make=_clip("25", codec=alpha, then=faded), has_alpha=True)
    yield Source(name="variable rate", make=clips.variable_rate_clip)
    yield Source(name="uneven rate", make=clips.jittery_clip)


def attempt(source: Source, path: Path, preset_name: str) -> list[str] | str:
    """What is wrong with the output of *path*, a file of *source*; or why there is none."""
    preset = structs.asdict(PresetBook().get(preset_name))
    try:
        output = transcode(path, keep=preset_name, **preset)
    except JobFailed as refused:
        return f"{refused.kind}: {refused.message}"
    try:
        return list(_sound_faults(output) if preset_name == "wav" else _faults(source, output))
    finally:
        output.path.unlink()


def _faults(source: Source, output: Output) -> Iterator[str]:
    old, new = decoded(output.source_path), decoded(output.path)
    if new.video_streams != 1 or len(new.pictures) != len(old.pictures):
        yield f"{len(new.pictures)} pictures instead of {len(old.pictures)}"
    elif any(abs(a - b) > Fraction(1, 2000) for a, b in zip(old.steps, new.steps, strict=True)):
        yield "frames at other times"
    if new.timecode != old.timecode or new.timecode_tracks != (old.timecode is not None):
        yield f"timecode {new.timecode} instead of {old.timecode}"
    aspect = 1 / old.aspect if source.turn in {90, 270} else old.aspect
    if abs(new.aspect / aspect - 1) > Fraction(1, 1000):
        yield f"aspect {float(new.aspect):.4f} instead of {float(aspect):.4f}"
    yield from _sound_faults(output)
    yield from _frame_faults(source, output, old.frame, new.frame)


def _frame_faults(source: Source, output: Output, old: Any, new: Any) -> Iterator[str]:
    if not source.has_alpha and differ(_upright(_luma(old), source), _luma(new)) > _LIKE:
        yield "another picture"
    if output.picture.rotation or output.picture.mirrored:
        yield "turned twice"
    if source.tags:
        colour = output.picture.colour
        if (colour.primaries, colour.transfer, colour.matrix) != source.tags:
            yield f"colour {colour}"
    is_deinterlaced = bool({"fields_merged", "deinterlaced"} & output.warnings.keys())
    if source.is_interlaced and not new.interlaced_frame and not is_deinterlaced:
        yield "fields lost without a word"
    if source.has_alpha and "a" not in new.format.name and "alpha_dropped" not in output.warnings:
        yield "alpha lost without a word"


def _luma(frame: Any, across: int = 8) -> list[list[int]]:
    """The average brightness of parts of a picture, by the numbers in the file: 0 to 255."""
    plane, bits = frame.planes[0], frame.format.components[0].bits
    size = 2 if bits > 8 else 1
    values = memoryview(bytes(plane)).cast("H" if size == 2 else "B")
    wide, high, line = frame.width // across, frame.height // across, plane.line_size // size
    parts = [
        [values[y * line + x * wide : y * line + (x + 1) * wide : 4] for x in range(across)]
        for y in range(frame.height)
    ]
    return [
        [
            sum(sum(parts[y][x]) for y in range(row * high, (row + 1) * high, 4))
            * 4
            // (high * len(parts[0][x]))
            >> (bits - 8)
            for x in range(across)
        ]
        for row in range(across)
    ]


def _upright(rows: list[list[int]], source: Source) -> list[list[int]]:
    """As a player shows them."""
    if source.is_mirrored:
        rows = [row[::-1] for row in rows]
    for _ in range(source.turn // 90):
        rows = [list(column) for column in zip(*rows[::-1], strict=True)]
    return rows


def _sound_faults(output: Output) -> Iterator[str]:
    if not output.source.sound:
        return
    old, new = pitches(output.source_path), pitches(output.path)
    if output.path.suffix == ".wav":
        old = [[pitch for track in old for pitch in track]]
    if [len(track) for track in new] != [len(track) for track in old]:
        yield f"channels {[len(t) for t in new]} instead of {[len(t) for t in old]}"
    elif any(
        abs(a - b) > 20
        for one, other in zip(old, new, strict=True)
        for a, b in zip(one, other, strict=True)
    ):
        yield f"channels in another order: {new} instead of {old}"
