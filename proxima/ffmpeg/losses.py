"""Losses: what a transcode leaves out or changes, as warnings of its job."""

from collections.abc import Iterator

from proxima.ffmpeg.colour import is_tonemapped
from proxima.ffmpeg.encoders import video_encoder
from proxima.ffmpeg.fields import deinterlacing
from proxima.ffmpeg.sound import SoundTrack, track_end
from proxima.ffmpeg.tags import keeps_reel, output_timecode
from proxima.ffmpeg.timing import is_resampled, origin, output_rate
from proxima.job import JobWarning
from proxima.media import MediaInfo, VideoStream
from proxima.preset import Preset

_Warnings = Iterator[JobWarning]

#: What ffmpeg writes anew in the output.
_TIMECODE_TRACK = "tmcd"


def losses(media: MediaInfo, preset: Preset, tracks: tuple[SoundTrack, ...]) -> _Warnings:
    """Say everything that the output will not have, or will have otherwise, than its source."""
    yield from _streams_left_out(media)
    yield from _hidden(media)
    if media.is_rest_of_take:
        yield _warning("take_incomplete", "the take began in another file, which is not part of it")
    if preset.has_sound:
        yield from _sound_left_out(media)
        yield from _sound_changed(media, preset, tracks)
    if preset.has_picture and media.picture:
        yield from _pictures_left_out(media, media.picture)
        yield from _picture_changed(media.picture, preset)
        yield from _times_changed(media.picture, preset)
        yield from _labels_changed(media, preset)
    elif media.timecode and preset.container != "wav":
        yield _warning("timecode_dropped", f"sound alone has no place for {media.timecode}")


def _warning(code: str, message: str) -> JobWarning:
    return JobWarning(code=code, message=message)


def _streams_left_out(media: MediaInfo) -> _Warnings:
    for kind in ("data", "subtitle", "attachment"):
        names = [
            f"{s.index} ({s.codec})"
            for s in media.others
            if s.kind == kind and s.codec != _TIMECODE_TRACK
        ]
        if names:
            what = f"{kind} stream{'s' * (len(names) > 1)}"
            yield _warning(f"{kind}_dropped", f"left out: {what} {', '.join(names)}")


def _hidden(media: MediaInfo) -> _Warnings:
    """By an edit list, which cuts sound as it cuts the picture."""
    hidden = media.picture.hidden_frames if media.picture else 0
    if hidden:
        yield _warning("frames_hidden", f"{hidden} frames that the file itself hides are not in")


def _sound_left_out(media: MediaInfo) -> _Warnings:
    if media.clip_id and not media.sound:
        what = "its sound is in files of its own (OP-Atom); none with its package id was queued"
        yield _warning("sound_elsewhere", what)
    for track in media.sound:
        if not track.decodable:
            why = "no decoder" if track.channels else "nothing of it could be read"
            what = f"left out: sound stream {track.index} ({track.codec}), {why}"
            yield _warning("sound_dropped", what)


def _sound_changed(media: MediaInfo, preset: Preset, tracks: tuple[SoundTrack, ...]) -> _Warnings:
    for track in tracks:
        source = track.sources[0]
        which = f"sound stream {source.index}"
        if track.codec != preset.sound_codec:
            layout = source.layout or f"{source.channels} channels"
            yield _warning(
                "sound_codec_changed", f"{which} is {track.codec}: AAC does not know {layout}"
            )
        elif track.codec == "aac" and source.layout is None and source.channels > 1:
            yield _warning(
                "sound_layout_assumed",
                f"{which} names no speakers for its {source.channels} "
                "channels; the usual ones were assumed",
            )
        if track.sample_rate != source.sample_rate:
            yield _warning(
                "sound_resampled",
                f"{which} is resampled from {source.sample_rate} to {track.sample_rate} Hz",
            )
        if len(track.sources) > 1:
            yield _warning(
                "sound_joined",
                f"{len(track.sources)} sound tracks are {track.channels} channels of one",
            )
    yield from _sound_cut(media, preset, tracks)


def _sound_cut(media: MediaInfo, preset: Preset, tracks: tuple[SoundTrack, ...]) -> _Warnings:
    """Sound outside of the picture, in containers whose tracks begin and end together."""
    before = float(origin(media, preset))
    if tracks and before >= 0.001:
        yield _warning("sound_cut", f"the {before:.3f} s before the first frame are left out")
    picture = media.picture
    if preset.container != "mxf" or picture is None or picture.duration is None:
        return
    ends = [track_end(s, media, preset) for track in tracks for s in track.sources]
    after = float(max((e for e in ends if e is not None), default=0) - picture.duration)
    if after >= 0.001:
        yield _warning("sound_cut", f"the {after:.3f} s after the last frame are left out")


def _pictures_left_out(media: MediaInfo, picture: VideoStream) -> _Warnings:
    for other in media.video:
        if other.is_attached_picture:
            yield _warning("cover_dropped", f"left out: cover picture, stream {other.index}")
        elif other is not picture:
            yield _warning(
                "picture_dropped", f"left out: video stream {other.index} ({other.codec})"
            )
    if picture.missing_frames:
        yield _warning(
            "source_cut_short", f"{picture.missing_frames} frames lie past the end of the file"
        )


def _picture_changed(picture: VideoStream, preset: Preset) -> _Warnings:
    encoder = video_encoder(preset, picture)
    if picture.has_alpha and not encoder.has_alpha:
        yield _warning("alpha_dropped", "the alpha channel is left out")
    if is_tonemapped(picture, preset):
        yield _warning("tonemapped", f"HDR ({picture.colour.transfer}) is made BT.709")
    elif picture.colour.is_hdr:
        yield from _hdr_changed(picture, preset, encoder.bit_depth)
    if picture.codec == "exr":
        yield _warning("linear_light", "OpenEXR holds linear light; the output holds it as it is")
    yield from _fields_changed(picture, preset)


def _fields_changed(picture: VideoStream, preset: Preset) -> _Warnings:
    mode = deinterlacing(picture, preset)
    if mode != "no" and preset.deinterlace == "no":
        yield _warning("fields_merged", "the preset cannot keep fields: two are made one frame")
    elif mode != "no":
        made = "two are made one frame" if mode == "frames" else "each is made a frame"
        yield _warning("deinterlaced", f"the preset deinterlaces: of the fields, {made}")


def _hdr_changed(picture: VideoStream, preset: Preset, bits: int) -> _Warnings:
    if bits < 10:
        yield _warning(
            "hdr_in_8_bit", f"HDR ({picture.colour.transfer}) in 8 bits shows steps in gradients"
        )
    if picture.colour.transfer == "smpte2084" and preset.video_codec not in {"hevc", "h264"}:
        yield _warning(
            "hdr_mastering_dropped", f"{preset.video_codec} carries no HDR10 mastering data"
        )


def _times_changed(picture: VideoStream, preset: Preset) -> _Warnings:
    if is_resampled(picture, preset):
        rate = output_rate(picture, preset)
        yield _warning("frames_resampled", f"frames are repeated or dropped to reach {rate} fps")
    elif picture.variable_rate:
        yield _warning(
            "variable_rate",
            "the frame rate varies; each frame keeps its time, which some editing programs do not",
        )


def _labels_changed(media: MediaInfo, preset: Preset) -> _Warnings:
    label = output_timecode(media, preset)
    if media.has_unreadable_timecode:
        yield _warning("timecode_unreadable", "the source's timecode cannot be read")
    elif media.timecode and label is None:
        yield _warning(
            "timecode_dropped", f"the output's frame rate cannot count timecode {media.timecode}"
        )
    elif media.timecode and label != media.timecode:
        yield _warning(
            "timecode_recounted", f"timecode {media.timecode} is {label} at the output's frame rate"
        )
    if media.reel_name and not keeps_reel(media, preset):
        yield _warning("reel_dropped", f"reel {media.reel_name} has no place in the output")
