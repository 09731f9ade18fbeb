"""Verify: whether an output is what its source and preset ask for, before it gets its name.

Nothing is decoded: frames are counted as packets, all else is read from headers. An encode that
ended well is no proof: ffmpeg calls a source that was cut in half a success.
"""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from proxima.errors import FailureKind, JobFailed, SourceUnreadable
from proxima.ffmpeg.damage import Damage
from proxima.ffmpeg.media_formats import FORMAT_WHITELIST, PROTOCOL_WHITELIST
from proxima.ffmpeg.probe import probe
from proxima.ffmpeg.stream_plan import StreamPlan, plan_streams
from proxima.ffmpeg.tags import keeps_reel, output_timecode, time_reference
from proxima.ffmpeg.timing import expected_frames
from proxima.media import MediaInfo, VideoStream
from proxima.preset import Preset
from proxima.timecode import Timecode
from proxima.worker.differences import picture_differences, sound_differences
from proxima.worker.shortfall import lost_parts

#: What ffmpeg's MXF muxer writes where nothing is known.
_MXF_ZERO = Timecode(0, 0, 0, 0, drop_frame=False)
_AGAIN = "copy the source from the card again"
#: Nothing was damaged.
_NONE = Damage()


def verify(
    scratch: Path,
    *,
    media: MediaInfo,
    preset: Preset,
    frames_encoded: int | None,
    damage: Damage = _NONE,
    allow_damaged: bool = False,
) -> MediaInfo:
    """Compare *scratch* with the source (*media*) and *preset*; what was found in it.

    *frames_encoded* is what ffmpeg says it wrote, *damage* what it said of the source. JobFailed
    with every difference at once, or of kind SOURCE_DAMAGED if the source gave fewer frames than
    its index promises, or could not be decoded whole. *allow_damaged* lets such sources pass, and
    does not measure how long they are.
    """
    plan = plan_streams(media, preset)
    if plan.picture and frames_encoded == 0:
        raise JobFailed(FailureKind.SOURCE_DAMAGED, "none of its frames could be decoded", _AGAIN)
    output = _read_back(scratch)
    counted = count_frames(scratch, output.picture.index) if output.picture else 0
    given = counted if frames_encoded is None else frames_encoded
    lost = "; ".join(lost_parts(given, output, media=media, preset=preset, damage=damage))
    if lost and not allow_damaged:
        raise JobFailed(
            FailureKind.SOURCE_DAMAGED,
            lost,
            f"{_AGAIN}; --allow-damaged makes what can be made",
        )
    found = [
        *(_frames(counted, plan.picture, preset, frames_encoded) if output.picture else ()),
        *picture_differences(output, plan, preset, is_whole=not lost),
        *sound_differences(output, media, plan, preset, is_whole=not lost),
        *_labels(output, media, plan, preset),
    ]
    if found:
        raise JobFailed(
            FailureKind.OUTPUT_WRONG,
            f"the output differs from its source: {'; '.join(found)}",
            "it was not published",
        )
    return output


def _read_back(scratch: Path) -> MediaInfo:
    try:
        return probe(scratch)
    except SourceUnreadable as error:
        raise JobFailed(
            FailureKind.OUTPUT_WRONG,
            f"the output cannot be read back ({error.message})",
            "it was not published",
        ) from error


def _frames(
    counted: int, picture: VideoStream | None, preset: Preset, encoded: int | None
) -> Iterator[str]:
    """How its number of frames differs from what was encoded, and from what there were."""
    if picture is None:
        return
    expected, tolerance = expected_frames(picture, preset)
    if encoded is not None and counted != encoded:
        yield f"frames {counted} in the file, {encoded} encoded"
    if expected is not None and counted > expected + tolerance:
        yield f"frames {counted} instead of {expected}"
    if not counted:
        yield "frames none"


def count_frames(path: Path, index: int) -> int:
    """Whole packets of stream *index*, read to the end of the file, or to where it breaks off."""
    import av
    from av.stream import Discard

    counted = 0

    with av.open(
        f"file:{path.absolute()}",
        container_options={
            "format_whitelist": FORMAT_WHITELIST,
            "protocol_whitelist": PROTOCOL_WHITELIST,
        },
    ) as container:
        for stream in container.streams:
            if stream.index != index:
                stream.discard = Discard.all
        with contextlib.suppress(av.FFmpegError):
            for packet in container.demux(container.streams[index]):
                counted += bool(packet.size) and not packet.is_corrupt
    return counted


def _labels(output: MediaInfo, media: MediaInfo, plan: StreamPlan, preset: Preset) -> Iterator[str]:
    """Timecode, reel and time reference."""
    if plan.picture is None:
        wanted = time_reference(media, preset, plan.sound[0].sample_rate)
        if output.time_reference != wanted:
            yield f"time reference {output.time_reference} instead of {wanted}"
        return
    label = output_timecode(media, preset)
    if label is None and preset.container == "mxf":
        label = _MXF_ZERO
    if output.timecode != label:
        yield f"timecode {output.timecode or 'none'} instead of {label or 'none'}"
    if preset.container in {"mov", "mp4"}:
        tracks = sum(other.codec == "tmcd" for other in output.others)
        if tracks != (label is not None):
            yield f"timecode tracks {tracks} instead of {int(label is not None)}"
    if media.reel_name and keeps_reel(media, preset) and output.reel_name != media.reel_name:
        yield f"reel {output.reel_name or 'none'} instead of {media.reel_name}"
