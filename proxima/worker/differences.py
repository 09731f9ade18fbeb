"""Differences: how the streams of an output differ from what they should be, in words."""

from collections.abc import Iterator
from fractions import Fraction

from proxima.ffmpeg.colour import output_colour
from proxima.ffmpeg.encoders import video_encoder
from proxima.ffmpeg.fields import is_interlaced, keeps_fields
from proxima.ffmpeg.geometry import output_raster
from proxima.ffmpeg.sound import SoundTrack, track_end
from proxima.ffmpeg.stream_plan import StreamPlan
from proxima.ffmpeg.timing import constant_rate, output_rate
from proxima.media import FieldOrder, MediaInfo, SoundStream, VideoStream
from proxima.preset import Preset

_CODECS = {"prores": "prores", "dnxhr": "dnxhd", "h264": "h264", "hevc": "hevc", "cineform": "cfhd"}
#: Only these name their profiles as presets do.
_PROFILED = frozenset({"prores", "dnxhr"})
#: Samples of the longest frame of a codec that pads its last one (HE-AAC).
_LONGEST_FRAME = 2048
#: Containers that say exactly how long each track is.
_EXACT = ("mov", "mxf", "wav", "w64", "aiff", "avi")
#: Seconds by which the others may be wrong.
_ESTIMATE = Fraction(1, 2)
#: Seconds of half a frame where no rate is known.
_HALF_FRAME = Fraction(1, 50)


def picture_differences(
    output: MediaInfo, plan: StreamPlan, preset: Preset, *, is_whole: bool = True
) -> Iterator[str]:
    """Number, codec, size, shape, colour and rate of pictures; length, if the source is whole."""
    wanted, found = plan.picture, output.picture
    if len(output.video) != (wanted is not None):
        yield f"video streams {len(output.video)} instead of {int(wanted is not None)}"
    if wanted is None or found is None:
        return
    yield from _codec(found, wanted, preset)
    yield from _shape(found, wanted, preset)
    yield from _colour(found, wanted, preset)
    if is_whole:
        yield from _times(found, wanted, preset)


def sound_differences(
    output: MediaInfo, media: MediaInfo, plan: StreamPlan, preset: Preset, *, is_whole: bool = True
) -> Iterator[str]:
    """Number, order, codec and channels of sound tracks; their place, if the source is whole."""
    if len(output.sound) != len(plan.tracks):
        yield f"sound tracks {len(output.sound)} instead of {len(plan.tracks)}"
        return
    for number, (found, wanted) in enumerate(zip(output.sound, plan.tracks, strict=True), 1):
        for difference in _track(found, wanted):
            yield f"sound track {number}: {difference}"
        if not is_whole:
            continue
        slack = _slack(media, plan, preset, wanted)
        for difference in _place(found, wanted, output, media, preset, slack):
            yield f"sound track {number}: {difference}"


def _codec(found: VideoStream, wanted: VideoStream, preset: Preset) -> Iterator[str]:
    encoder = video_encoder(preset, wanted)
    codec = _CODECS[preset.video_codec]
    if found.codec != codec:
        yield f"codec {found.codec} instead of {codec}"
    if _family(found.pixel_format or "") != _family(encoder.pixel_format):
        yield f"pixel format {found.pixel_format} instead of {encoder.pixel_format}"
    profile = preset.profile.lower()
    if preset.video_codec in _PROFILED and profile not in (found.profile or profile).lower():
        yield f"profile {found.profile} instead of {profile}"


def _family(pixel_format: str) -> str:
    """Without its depth: 10 bits of ProRes 4444 are decoded to 12."""
    return pixel_format.removesuffix("le").rstrip("0123456789")


def _shape(found: VideoStream, wanted: VideoStream, preset: Preset) -> Iterator[str]:
    raster = output_raster(wanted, preset)
    size = f"{raster.width}x{raster.height}"
    if (found.width, found.height) != (raster.width, raster.height):
        yield f"size {found.width}x{found.height} instead of {size}"
    aspect = Fraction(found.width, found.height) * found.pixel_aspect
    # Matroska and MXF round it to whole pixels.
    if abs(aspect / raster.display_aspect - 1) > Fraction(1, min(raster.width, raster.height)):
        yield f"display aspect {float(aspect):.4f} instead of {float(raster.display_aspect):.4f}"
    if found.rotation or found.mirrored:
        yield f"turned by {found.rotation} degrees instead of upright"
    order = wanted.field_order if keeps_fields(wanted, preset) else FieldOrder.PROGRESSIVE
    is_told = found.field_order is not FieldOrder.UNKNOWN
    if wanted.field_order is not FieldOrder.UNKNOWN and is_told and found.field_order is not order:
        yield f"field order {found.field_order} instead of {order}"
    if is_interlaced(wanted) and keeps_fields(wanted, preset) and not is_told:
        yield f"field order none instead of {order}"


def _colour(found: VideoStream, wanted: VideoStream, preset: Preset) -> Iterator[str]:
    if preset.container == "mxf":
        # It has fewer codes, of which some mean the same.
        return
    colour = output_colour(wanted, preset)
    tags = (
        ("primaries", colour.primaries, found.colour.primaries),
        ("transfer", colour.transfer, found.colour.transfer),
        ("matrix", colour.matrix, found.colour.matrix),
    )
    for name, expected, tag in tags:
        if expected and tag != expected:
            yield f"colour {name} {tag or 'none'} instead of {expected}"
    if found.colour.range == "pc":
        yield "full range instead of limited"


def _times(found: VideoStream, wanted: VideoStream, preset: Preset) -> Iterator[str]:
    rate = constant_rate(wanted, preset)
    # Only an index says for certain that frames are even. What Matroska names is ffmpeg's guess
    # of the source, though its frames lie at their own times.
    is_certain = wanted.frame_count is not None and preset.container != "mkv"
    if rate and is_certain and found.frame_rate and found.frame_rate != rate:
        yield f"frame rate {found.frame_rate} instead of {rate}"
    if found.duration is None:
        return
    if rate is None:
        slack = 1 / (output_rate(wanted, preset) or Fraction(1, 2) / _HALF_FRAME)
        if wanted.duration and abs(found.duration - wanted.duration) > slack:
            yield f"duration {_seconds(found.duration)} instead of {_seconds(wanted.duration)}"
    elif is_certain and found.frame_count:
        length = found.frame_count / rate
        if abs(found.duration - length) > 1 / rate / 2:
            yield f"duration {_seconds(found.duration)} instead of {_seconds(length)}"


def _track(found: SoundStream, wanted: SoundTrack) -> Iterator[str]:
    if found.codec != wanted.codec:
        yield f"codec {found.codec} instead of {wanted.codec}"
    if found.channels != wanted.channels:
        yield f"channels {found.channels} instead of {wanted.channels}"
    if found.sample_rate != wanted.sample_rate:
        yield f"sample rate {found.sample_rate} instead of {wanted.sample_rate}"


def _place(
    found: SoundStream,
    wanted: SoundTrack,
    output: MediaInfo,
    media: MediaInfo,
    preset: Preset,
    slack: Fraction,
) -> Iterator[str]:
    """When it begins, against the picture, and how long it is."""
    source = wanted.sources[0]
    length = _length(wanted, media, output, preset)
    if not media.container.startswith(_EXACT):
        length = _length_by_picture(wanted, media, output)
    if length is not None and found.duration is not None and abs(found.duration - length) > slack:
        yield f"duration {_seconds(found.duration)} instead of {_seconds(length)}"
    if preset.container in {"wav", "mxf"}:
        return
    late = _after_picture(source, media)
    found_late = _after_picture(found, output)
    if late is not None and found_late is not None and abs(found_late - late) > slack:
        yield f"begins {_seconds(found_late)} after the picture instead of {_seconds(late)}"


def _length(
    wanted: SoundTrack, media: MediaInfo, output: MediaInfo, preset: Preset
) -> Fraction | None:
    """Seconds that the track should last; None if nobody knows."""
    if preset.container == "mxf":
        return output.picture.duration if output.picture else None
    if preset.container == "wav":
        ends = [track_end(source, media, preset) for source in wanted.sources]
        return None if None in ends else max(end for end in ends if end is not None)
    return wanted.sources[0].duration


def _length_by_picture(wanted: SoundTrack, media: MediaInfo, output: MediaInfo) -> Fraction | None:
    """Seconds by the length of the picture: a transport stream with a jump in it claims hours."""
    length = wanted.sources[0].duration
    if len(wanted.sources) > 1 or length is None or media.picture is None or output.picture is None:
        return None
    old, new = media.picture.duration, output.picture.duration
    return length - old + new if old and new else None


def _after_picture(track: SoundStream, media: MediaInfo) -> Fraction | None:
    if track.start is None or media.picture is None or media.picture.start is None:
        return None
    return track.start - media.picture.start


def _slack(media: MediaInfo, plan: StreamPlan, preset: Preset, track: SoundTrack) -> Fraction:
    """Seconds by which a good output's sound may differ."""
    rate = output_rate(plan.picture, preset) if plan.picture else None
    slack = 1 / rate / 2 if rate else _HALF_FRAME
    codecs = (track.codec, *(source.codec for source in track.sources))
    if not all(codec.startswith("pcm") for codec in codecs):
        slack += Fraction(_LONGEST_FRAME, track.sample_rate)
    return slack if media.container.startswith(_EXACT) else slack + _ESTIMATE


def _seconds(value: Fraction) -> str:
    return f"{float(value):.3f} s"
