"""Tags: the start timecode, the reel, and when a clip was recorded, as ffmpeg's options."""

from fractions import Fraction

from proxima.ffmpeg.timing import output_rate, source_rate
from proxima.media import MediaInfo, SoundStream
from proxima.preset import Preset
from proxima.timecode import Timecode

#: Below this, ffmpeg writes frames with one digit, which is no timecode.
_LOWEST_RATE = 10


def output_timecode(media: MediaInfo, preset: Preset) -> Timecode | None:
    """The label of the output's first frame; None if there is none that its rate can count.

    The same label, unless the output counts at another rate than the source: then the label of
    the same moment.
    """
    label, picture = media.timecode, media.picture
    if label is None or picture is None or not preset.has_picture:
        return None
    rate = output_rate(picture, preset)
    if rate is None or round(rate) < _LOWEST_RATE:
        return None
    counted_at = media.timecode_rate or source_rate(picture) or rate
    label = _at_rate(label, round(counted_at), round(rate))
    # ffmpeg drops or shifts labels that the rate cannot count, and says nothing.
    counts = not label.drop_frame or round(rate) % 30 == 0
    number = label.frame_number(rate)
    is_valid = Timecode.at_frame(number, rate, drop_frame=label.drop_frame) == label
    return label if counts and is_valid else None


def keeps_reel(media: MediaInfo, preset: Preset) -> bool:
    """Whether the output can name the source's reel."""
    # QuickTime keeps it with the timecode.
    has_place = preset.container == "mov" and output_timecode(media, preset) is not None
    return has_place or preset.container in {"mxf", "mkv"}


def time_reference(media: MediaInfo, preset: Preset, sample_rate: int) -> int | None:
    """Samples from midnight to a WAV's first one (EBU Tech 3285), by the source's own or label."""
    if preset.container != "wav":
        return None
    picture = media.picture
    if media.time_reference is not None or media.timecode is None or picture is None:
        return media.time_reference
    rate = media.timecode_rate or source_rate(picture)
    return round(media.timecode.frame_number(rate) / rate * sample_rate) if rate else None


def tag_arguments(media: MediaInfo, preset: Preset, sound: tuple[SoundStream, ...]) -> list[str]:
    """Output options for all that names or dates the whole file."""
    arguments = _picture_tags(media, preset) if preset.has_picture else []
    if media.creation_time:
        # ffmpeg drops this one of all tags.
        arguments += ["-metadata", f"creation_time={media.creation_time}"]
    reference = time_reference(media, preset, sound[0].sample_rate) if sound else None
    if reference is not None:
        arguments += ["-metadata", f"time_reference={reference}", "-write_bext", "1"]
    return arguments


def _picture_tags(media: MediaInfo, preset: Preset) -> list[str]:
    # Also where there is no label: ffmpeg would carry the source's over by itself.
    label = output_timecode(media, preset) or ""
    arguments = ["-metadata", f"timecode={label}", "-metadata:s:v:0", f"timecode={label}"]
    if media.reel_name and keeps_reel(media, preset):
        place = "-metadata" if preset.container == "mxf" else "-metadata:s:v:0"
        arguments += [place, f"reel_name={media.reel_name}"]
    return arguments


def _at_rate(label: Timecode, old: int, new: int) -> Timecode:
    """The label of the same moment where so many frames are counted a second."""
    if old == new:
        return label
    frames = int(Fraction(label.frames, old) * new)
    return Timecode(label.hours, label.minutes, label.seconds, frames, label.drop_frame)
