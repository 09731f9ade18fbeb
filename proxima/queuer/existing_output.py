"""Whether an output that exists may stand for a new one, as far as its header tells.

It does if it is newer than its source, opens, has the picture and as many sound tracks as a new one
would have, and is as long within a frame. Where the source does not say how long it is,
the length is not looked at. Pictures are not decoded: what Proxima published was verified then.
"""

from fractions import Fraction

from proxima.errors import FailureKind, SourceUnreadable
from proxima.ffmpeg.sound import track_end
from proxima.ffmpeg.stream_plan import StreamPlan
from proxima.ffmpeg.tags import output_timecode
from proxima.ffmpeg.timing import expected_frames
from proxima.job import JobWarning
from proxima.media import MediaInfo, VideoStream
from proxima.preset import Preset

#: What keeps us from knowing anything about the output.
_NO_VERDICT = frozenset({FailureKind.PERMISSION, FailureKind.MOUNT_STALE})
#: Seconds by which whole files and sound may differ: sound ends on frames of its own, and a
#: transport stream only lets guess where.
_SOUND_SLACK = Fraction(1, 2)
#: Seconds that an output may be shorter where only decoding tells how long the source is: a
#: transport stream often begins with frames that lean on others before its start.
_LOST_START = Fraction(2)
#: ffmpeg's names for what presets call otherwise.
_CODECS = {"dnxhr": "dnxhd", "cineform": "cfhd"}


def is_older(output_mtime: float, source_mtime: float, now: float) -> bool:
    """Whether the source was written after the output; all in seconds since the epoch."""
    # A camera whose clock was ahead must not make all its proxies stale for years.
    return output_mtime < source_mtime <= now


def other_clip(output: MediaInfo, source: MediaInfo, preset: Preset) -> str | None:
    """What shows that an output was made of another source; None if nothing does.

    Cameras count their clips anew on each card: in one folder, two of them have one name.
    """
    due = output_timecode(source, preset)
    if due is None or output.timecode is None or due == output.timecode:
        return None
    return f"it starts at {output.timecode}, a new one at {due}"


def shortcoming(
    output: MediaInfo | SourceUnreadable, source: MediaInfo, streams: StreamPlan, preset: Preset
) -> str | None:
    """Why an output does not stand for a new one of *streams*; None if it does.

    Raises SourceUnreadable where that cannot be known: no permission, a share that is away.
    """
    if isinstance(output, SourceUnreadable):
        if output.kind in _NO_VERDICT:
            raise output
        return "it does not open"
    if output.missing_bytes:
        return f"its last {output.missing_bytes} bytes are missing"
    if len(output.sound) != len(streams.tracks):
        tracks = "sound track" if len(output.sound) == 1 else "sound tracks"
        return f"it has {len(output.sound)} {tracks}, a new one {len(streams.tracks)}"
    if streams.picture is None:
        return _length_fault(output.duration, _sound_end(source, streams, preset), _SOUND_SLACK)
    if output.picture is None:
        return "it has no picture"
    return _picture_fault(output, source, preset)


def differences(output: MediaInfo | SourceUnreadable, preset: Preset) -> tuple[JobWarning, ...]:
    """What tells an output that stands for a new one from what the preset makes."""
    if isinstance(output, SourceUnreadable) or output.picture is None or not preset.has_picture:
        return ()
    found = output.picture.codec
    made = _CODECS.get(preset.video_codec, preset.video_codec)
    if found == made:
        return ()
    message = f"the output that exists is {found}, {preset.name} makes {made}"
    return (JobWarning(code="other_codec", message=message),)


def _picture_fault(output: MediaInfo, source: MediaInfo, preset: Preset) -> str | None:
    made, given = output.picture, source.picture
    if made is None or given is None:
        return None
    expected, _ = expected_frames(given, preset)
    if expected is not None and made.frame_count is not None:
        if abs(made.frame_count - expected) <= 1:
            return None
        return f"it has {made.frame_count} frames, a new one {expected}"
    if made.duration is not None and given.duration is not None:
        lost = given.duration - made.duration
        if given.frame_count is None and 0 < lost <= min(_LOST_START, given.duration / 2):
            return None
        return _length_fault(made.duration, given.duration, _frame_seconds(made, given))
    return _length_fault(output.duration, source.duration, _SOUND_SLACK)


def _sound_end(source: MediaInfo, streams: StreamPlan, preset: Preset) -> Fraction | None:
    """Seconds of an output of sound only; None if the source does not say."""
    tracks = [track for joined in streams.tracks for track in joined.sources]
    ends = [track_end(track, source, preset) for track in tracks]
    known = [end for end in ends if end is not None]
    return max(known) if len(known) == len(ends) else source.duration


def _frame_seconds(*streams: VideoStream) -> Fraction:
    """Seconds of the longest frame, and a little: containers round."""
    rates = [rate for s in streams for rate in (s.frame_rate, s.average_rate) if rate]
    return (1 / min(rates) if rates else _SOUND_SLACK) + Fraction(1, 1000)


def _length_fault(output: Fraction | None, due: Fraction | None, slack: Fraction) -> str | None:
    if output is None or due is None or abs(output - due) <= slack:
        return None
    return f"it is {float(output):.2f} s long, a new one {float(due):.2f} s"
