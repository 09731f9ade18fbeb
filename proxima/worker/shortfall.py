"""Shortfall: what a source promised and did not give, with figures."""

from collections.abc import Iterator
from fractions import Fraction

from proxima.ffmpeg.damage import Damage
from proxima.ffmpeg.timing import expected_frames, output_rate
from proxima.media import MediaInfo
from proxima.preset import Preset

#: Seconds that a Matroska file may be shorter than it says before it counts as cut.
_CUT = Fraction(1, 4)


def lost_parts(
    encoded: int | None, output: MediaInfo, *, media: MediaInfo, preset: Preset, damage: Damage
) -> Iterator[str]:
    """What the source (*media*) lacks, by the frames that were encoded; nothing if it is whole."""
    lost = [*_lost_frames(encoded, output, media, preset), *_lost_time(output, media, preset)]
    if damage.complaints and not lost:
        lost += _hole(encoded, output, media, preset)
    if media.missing_bytes and not lost:
        yield f"its last {media.missing_bytes} bytes are missing"
    yield from lost
    if damage.is_serious:
        yield from (w.message for w in damage.warnings if w.code.endswith("_damaged"))


def undecodable_start(output: MediaInfo, media: MediaInfo, preset: Preset) -> Fraction:
    """Seconds from the start of the source's picture to the first that could be decoded."""
    old, new = media.picture, output.picture
    # An MXF begins with its first picture.
    if old is None or new is None or preset.container == "mxf":
        return Fraction(0)
    if old.start is None or new.start is None or media.start is None:
        return Fraction(0)
    # One that begins before ffmpeg's start is moved there.
    return max(new.start - max(old.start - media.start, Fraction(0)), Fraction(0))


def _lost_frames(
    encoded: int | None, output: MediaInfo, media: MediaInfo, preset: Preset
) -> Iterator[str]:
    """Of pictures that its index promises; not those before the first that can be decoded."""
    picture = media.picture if preset.has_picture else None
    if picture is None or output.picture is None:
        return
    expected, tolerance = expected_frames(picture, preset)
    if encoded is None or expected is None or encoded >= expected - tolerance:
        return
    rate = output_rate(picture, preset)
    before = round(undecodable_start(output, media, preset) * rate) if rate else 0
    if not encoded or encoded + before != expected or picture.variable_rate:
        yield f"{encoded} of {expected} frames could be decoded"


def _hole(
    encoded: int | None, output: MediaInfo, media: MediaInfo, preset: Preset
) -> Iterator[str]:
    """Of a transport stream with broken packets: pictures between those that are left."""
    old, new = media.picture, output.picture
    if old is None or new is None or old.variable_rate or not media.container.startswith("mpeg"):
        return
    rate = output_rate(old, preset)
    if not rate or not new.duration or not encoded:
        return
    due = round(new.duration * rate)
    if encoded < due - 1:
        yield f"{encoded} of {due} frames could be decoded"


def _lost_time(output: MediaInfo, media: MediaInfo, preset: Preset) -> Iterator[str]:
    """Of a source without an index that ends before its header says."""
    everything = len(media.video) + len(media.sound) + len(media.others)
    planned = len(media.decodable_sound) if preset.has_sound else 0
    planned += int(bool(media.picture and preset.has_picture))
    # What was left out may be what is longest; other containers do not say how long they are.
    if planned < everything or not media.container.startswith(("matroska", "flv")):
        return
    # In MXF and WAV, what lies outside of the picture is cut.
    if preset.container in {"mxf", "wav"}:
        return
    if media.duration and output.duration and output.duration < media.duration - _CUT:
        yield f"{float(output.duration):.2f} of {float(media.duration):.2f} s could be decoded"
