"""Build ffmpeg's argument list. No process is started here."""

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

from proxima.ffmpeg.colour import (
    colour_arguments,
    conversion_options,
    header_filters,
    is_tonemapped,
    restored_tags,
    tag_options,
)
from proxima.ffmpeg.encoders import video_encoder
from proxima.ffmpeg.fields import field_arguments, field_filters, field_mode, keeps_fields
from proxima.ffmpeg.geometry import output_raster, pixel_aspect_filter
from proxima.ffmpeg.media_formats import CONCAT_WHITELIST, LOOK_FAR, PROTOCOL_WHITELIST
from proxima.ffmpeg.probe_sequence import CONTAINER, sequence_input
from proxima.ffmpeg.sound import guess_arguments, sound_arguments
from proxima.ffmpeg.stream_plan import StreamPlan, plan_streams
from proxima.ffmpeg.tags import tag_arguments
from proxima.ffmpeg.timing import (
    length_filters,
    origin,
    source_rate,
    timing_arguments,
    timing_filters,
)
from proxima.ffmpeg.tonemap import Tonemapper, tonemap_filters
from proxima.image_sequence import ImageSequence
from proxima.media import MediaInfo, VideoStream
from proxima.preset import Preset
from proxima.spanned_take import SpannedTake

#: Frames per second. Below it, ten seconds of sound, which is what ffmpeg waits, are too little.
_SPARSE = 1
_FORMATS = {"mov": "mov", "mp4": "mp4", "mkv": "matroska", "mxf": "mxf", "wav": "wav"}


def encode_command(  # noqa: PLR0913 - all by name, and none without the others
    *,
    ffmpeg: Path,
    source: Path,
    scratch: Path,
    media: MediaInfo,
    preset: Preset,
    threads: int,
    companions: Sequence[Path] = (),
    extra_args: tuple[str, ...] = (),
    tonemapper: Tonemapper = "zscale",
) -> list[str]:
    """The command that encodes *source* into *scratch*, which it may overwrite.

    *companions* are further files of its clip, with the sound that `MediaInfo.with_sound` added.
    Its last item names the scratch. JobFailed if the preset can make no output of the source.
    """
    plan = plan_streams(media, preset)
    return [
        *_globals(ffmpeg, threads),
        *input_arguments(source, media, preset, threads),
        *(a for file in companions for a in _companion(file, media, preset, threads)),
        *_maps(plan),
        *(_picture_arguments(plan.picture, preset, tonemapper) if plan.picture else []),
        *sound_arguments(media, preset, plan.tracks),
        *tag_arguments(media, preset, plan.sound),
        *_container_arguments(preset),
        *(_interleaving(plan.picture) if plan.picture and plan.tracks else []),
        *("-threads", str(threads)),
        *extra_args,
        *("-f", _FORMATS[preset.container], f"file:{scratch.absolute()}"),
    ]


def _globals(ffmpeg: Path, threads: int) -> list[str]:
    return [
        str(ffmpeg),
        *("-hide_banner", "-nostdin", "-y"),
        # With levels, so that a failure can be told from what a file's tags say.
        *("-loglevel", "level+info", "-nostats", "-progress", "pipe:1"),
        # However much is damaged: what is to be done about it is decided by the count.
        *("-max_error_rate", "1"),
        *("-filter_threads", str(threads)),
    ]


def input_arguments(source: Path, media: MediaInfo, preset: Preset, threads: int) -> list[str]:
    """How *source* is opened, so that nothing but it is read, and from when on."""
    shift = origin(media, preset)
    return [
        # Only the demuxer that was seen when it was probed: a playlist would read other files.
        *("-protocol_whitelist", PROTOCOL_WHITELIST, "-format_whitelist", media.container),
        *("-threads", str(threads)),
        *guess_arguments(preset),
        *(_look_far() if media.has_late_streams else ()),
        *(("-itsoffset", _seconds(-shift)) if shift else ()),
        *_source(source, media),
    ]


def _companion(file: Path, media: MediaInfo, preset: Preset, threads: int) -> list[str]:
    shift = origin(media, preset)
    return [
        *("-protocol_whitelist", PROTOCOL_WHITELIST, "-format_whitelist", media.container),
        *("-threads", str(threads), *guess_arguments(preset)),
        *(("-itsoffset", _seconds(-shift)) if shift else ()),
        *("-i", f"file:{file.absolute()}"),
    ]


def _source(source: Path, media: MediaInfo) -> list[str]:
    sequence = ImageSequence.of(source) if media.container == CONTAINER else None
    rate = media.picture.frame_rate if media.picture else None
    if sequence and rate:
        return sequence_input(sequence, rate)
    if take := SpannedTake.of(source):
        return ["-protocol_whitelist", CONCAT_WHITELIST, "-i", take.address]
    # Absolute and with its protocol, or "a:b.mov" would name a protocol.
    return ["-i", f"file:{source.absolute()}"]


def _look_far() -> list[str]:
    return [text for name, value in LOOK_FAR.items() for text in (f"-{name}", value)]


def _maps(plan: StreamPlan) -> list[str]:
    """Each stream by its number: what ffmpeg would choose by itself depends on the file."""
    pictures = [f"0:{plan.picture.index}"] if plan.picture else []
    sounds = (
        "[sound]" if len(track.sources) > 1 else f"{track.sources[0].file}:{track.sources[0].index}"
        for track in plan.tracks
    )
    streams = [*pictures, *sounds]
    # Chapters would become one more track.
    return [*(a for s in streams for a in ("-map", s)), "-map_chapters", "-1"]


def _picture_arguments(picture: VideoStream, preset: Preset, tonemapper: Tonemapper) -> list[str]:
    return [
        *("-filter:v", ",".join(picture_filters(picture, preset, tonemapper))),
        *timing_arguments(picture, preset),
        *_packet_arguments(picture, preset),
        *video_encoder(preset, picture).arguments,
        *field_arguments(picture, preset),
        *colour_arguments(picture, preset),
    ]


def _packet_arguments(picture: VideoStream, preset: Preset) -> list[str]:
    filters = [*length_filters(picture, preset), *header_filters(picture, preset)]
    return ["-bsf:v", ",".join(filters)] if filters else []


def picture_filters(picture: VideoStream, preset: Preset, tonemapper: Tonemapper) -> list[str]:
    """From decoded frames, which ffmpeg has turned upright, to what the encoder gets."""
    raster = output_raster(picture, preset)
    mode = field_mode(picture, preset)
    marks = [*([f"field_mode={mode}"] if mode else []), *tag_options(picture)]
    scale = [
        f"scale={raster.width}:{raster.height}",
        # Lines of one field only are mixed, also when chroma is resampled.
        *(["interl=1"] if keeps_fields(picture, preset) else []),
        *conversion_options(picture, preset),
    ]
    restored = [] if is_tonemapped(picture, preset) else restored_tags(picture)
    return [
        *field_filters(picture, preset),
        *timing_filters(picture, preset),
        *([f"setparams={':'.join(marks)}"] if marks else []),
        ":".join(scale),
        *tonemap_filters(picture, preset, tonemapper),
        *([f"setparams={':'.join(restored)}"] if restored else []),
        pixel_aspect_filter(raster),
    ]


def _interleaving(picture: VideoStream) -> list[str]:
    """Let sound wait for pictures that are many seconds apart, or all of it would come first."""
    rate = source_rate(picture)
    return ["-max_interleave_delta", "0"] if rate and rate < _SPARSE else []


def _container_arguments(preset: Preset) -> list[str]:
    match preset.container:
        case "mp4":
            # So that it plays before all of it has arrived.
            return ["-movflags", "+faststart"]
        case "wav":
            return ["-rf64", "auto"]
        case _:
            return []


def _seconds(value: Fraction) -> str:
    """To the microsecond, ffmpeg's own resolution."""
    return f"{float(value):.6f}"
