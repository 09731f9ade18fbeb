"""Verify: whether an output is what its source and preset ask for, before it gets its name.

Nothing is decoded: frames are counted as packets, all else is read from headers. An encode that
ended well is no proof: ffmpeg calls a source that was cut in half a success.
"""

import contextlib
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from proxima.errors import FailureKind, JobFailed, SourceUnreadable
from proxima.ffmpeg.media_formats import FORMAT_WHITELIST, PROTOCOL_WHITELIST
from proxima.ffmpeg.probe import probe
from proxima.ffmpeg.stream_plan import StreamPlan, plan_streams
from proxima.ffmpeg.tags import keeps_reel, output_timecode, time_reference
from proxima.ffmpeg.timing import expected_frames
from proxima.media import MediaInfo, VideoStream
from proxima.preset import Preset
from proxima.timecode import Timecode
from proxima.worker.differences import picture_differences, sound_differences

#: What ffmpeg's MXF muxer writes where nothing is known.
_MXF_ZERO = Timecode(0, 0, 0, 0, drop_frame=False)
#: Seconds that a Matroska file may be shorter than it says before it counts as cut.
_CUT = Fraction(1, 4)


def verify(
    scratch: Path, *, media: MediaInfo, preset: Preset, frames_encoded: int | None
) -> MediaInfo:
    """Compare *scratch* with the source (*media*) and *preset*; what was found in it.

    *frames_encoded* is what ffmpeg says it wrote. JobFailed with every difference at once, or of
    kind SOURCE_DAMAGED if the source gave fewer frames than its index promises.
    """
    plan = plan_streams(media, preset)
    output = _read_back(scratch)
    found = [
        *(_frames(scratch, output, plan.picture, preset, frames_encoded) if plan.picture else ()),
        *picture_differences(output, plan, preset),
        *sound_differences(output, media, plan, preset),
        *_labels(output, media, plan, preset),
    ]
    if found:
        raise JobFailed(
            FailureKind.OUTPUT_WRONG,
            f"the output differs from its source: {'; '.join(found)}",
            "it was not published",
        )
    _check_length(output, media, plan, preset)
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
    scratch: Path,
    output: MediaInfo,
    picture: VideoStream,
    preset: Preset,
    encoded: int | None,
) -> Iterator[str]:
    """How its number of frames differs; JobFailed if the source lacks some."""
    if output.picture is None:
        return
    counted = count_frames(scratch, output.picture.index)
    expected, tolerance = expected_frames(picture, preset)
    if encoded is not None and counted != encoded:
        yield f"frames {counted} in the file, {encoded} encoded"
    elif expected is not None and counted < expected - tolerance:
        raise _damaged(f"{counted} of {expected} frames could be decoded")
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


def _check_length(output: MediaInfo, media: MediaInfo, plan: StreamPlan, preset: Preset) -> None:
    """JobFailed if a source without an index ends before its header says."""
    everything = len(media.video) + len(media.sound) + len(media.others)
    planned = bool(plan.picture) + len(plan.sound)
    # What was left out may be what is longest; other containers do not say how long they are.
    if planned < everything or not media.container.startswith(("matroska", "flv")):
        return
    # In MXF and WAV, what lies outside of the picture is cut.
    if preset.container in {"mxf", "wav"}:
        return
    if media.duration and output.duration and output.duration < media.duration - _CUT:
        raise _damaged(
            f"{float(output.duration):.2f} of {float(media.duration):.2f} s could be decoded"
        )


def _damaged(what: str) -> JobFailed:
    return JobFailed(FailureKind.SOURCE_DAMAGED, what, "copy the source from the card again")
