"""Sound: every track stays a track, with its channels, its speakers, its name and its time.

- PCM: channels that the file names no speakers for stay nameless (one channel is mono).
- AAC: up to eight channels without speakers get some, none of them for low tones only (the usual
  ones have one, and AAC drops all but its lowest 120 Hz). Layouts that AAC does not know, and more
  than eight channels, become 16-bit PCM in QuickTime and Matroska; MP4 refuses them.
- MXF: 48 kHz, silence where a track begins late or ends before the picture.
- WAV has one track: several become the channels of one, in their order, silence where one is
  shorter.
"""

from dataclasses import dataclass
from fractions import Fraction

from proxima.errors import FailureKind, JobFailed
from proxima.ffmpeg.timing import origin
from proxima.media import MediaInfo, SoundStream
from proxima.preset import Preset, SoundCodec

#: What ffmpeg 9.0's encoder was seen to take and give back with as many channels.
_AAC_LAYOUTS = frozenset(
    {"mono", "stereo", "2.1", "3.0", "3.0(back)", "4.0", "quad", "quad(side)", "3.1", "5.0"}
    | {"5.0(side)", "4.1", "5.1", "5.1(side)", "6.0", "6.0(front)", "hexagonal", "6.1"}
    | {"6.1(back)", "6.1(front)", "7.0", "7.0(front)", "7.1", "7.1(wide)", "7.1(wide-side)"}
    | {"octagonal"}
)
_AAC_MOST_CHANNELS = 8
#: For channels of which the file says nothing: each is heard in full.
_AAC_NAMELESS = {3: "3.0", 4: "4.0", 5: "5.0", 6: "hexagonal", 7: "7.0", 8: "octagonal"}
#: ISO/IEC 14496-3, table 1.18.
_AAC_RATES = (8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000, 64000, 88200, 96000)
_MXF_RATE = 48_000
#: ffmpeg's MXF muxer cuts the picture where sound ends, and cuts sound where the picture ends.
_MXF_SPARE_SECONDS = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class SoundTrack:
    """One track of the output."""

    codec: SoundCodec
    sample_rate: int
    channels: int
    #: The tracks of the source that it is made of; only WAV has more than one.
    sources: tuple[SoundStream, ...]


def output_tracks(tracks: tuple[SoundStream, ...], preset: Preset) -> tuple[SoundTrack, ...]:
    """The tracks of the output. JobFailed if the container cannot hold them."""
    if preset.container == "wav" and len(tracks) > 1:
        return (_joined(tracks, preset),)
    return tuple(
        SoundTrack(
            codec=_codec(track, preset),
            sample_rate=_sample_rate(track, preset),
            channels=track.channels,
            sources=(track,),
        )
        for track in tracks
    )


def guess_arguments(preset: Preset) -> list[str]:
    """Input options: up to how many channels get the usual speakers if the file names none."""
    return ["-guess_layout_max", "2" if preset.sound_codec == "aac" else "1"]


def sound_arguments(media: MediaInfo, preset: Preset, tracks: tuple[SoundTrack, ...]) -> list[str]:
    """Output options of all tracks: which, how encoded, from when to when."""
    joined = [track for track in tracks if len(track.sources) > 1]
    graph = _joining(media, preset, joined[0]) if joined else []
    return graph + [a for n, track in enumerate(tracks) for a in _track(media, preset, n, track)]


def track_end(track: SoundStream, media: MediaInfo, preset: Preset) -> Fraction | None:
    """Seconds from the start of the output to the track's end; None if the file does not say."""
    if track.duration is None:
        return None
    begin = (track.start or media.start or 0) - (media.start or 0) - origin(media, preset)
    return begin + track.duration


def _track(media: MediaInfo, preset: Preset, number: int, track: SoundTrack) -> list[str]:
    source = track.sources[0]
    options = [f"-c:a:{number}", track.codec]
    if track.sample_rate != source.sample_rate:
        options += [f"-ar:a:{number}", str(track.sample_rate)]
    if track.codec == "aac" and preset.sound_kbps_per_channel:
        options += [f"-b:a:{number}", f"{preset.sound_kbps_per_channel * track.channels}k"]
    if len(track.sources) > 1:
        return options
    if track.codec == "aac" and source.layout is None and track.channels in _AAC_NAMELESS:
        options += [f"-filter:a:{number}", _heard_in_full(track.channels)]
    if preset.container in {"wav", "mxf"}:
        options += [f"-filter:a:{number}", _filled(_length(media, preset))]
    return options + _names(number, source)


def _names(number: int, source: SoundStream) -> list[str]:
    """Not left to ffmpeg, which carries language and handler over, but no title to QuickTime."""
    names = {"title": source.title, "language": source.language, "handler_name": source.handler}
    return [a for k, v in names.items() if v for a in (f"-metadata:s:a:{number}", f"{k}={v}")]


def _filled(seconds: Fraction | None) -> str:
    """Silence before the first sample (or what comes too early cut), and up to *seconds*."""
    padding = [f"apad=whole_dur={float(seconds):.6f}"] if seconds is not None else []
    return ",".join(["aresample=first_pts=0", *padding])


def _heard_in_full(channels: int) -> str:
    """Speakers for nameless channels, in their order."""
    return "|".join([f"pan={_AAC_NAMELESS[channels]}", *(f"c{n}=c{n}" for n in range(channels))])


def _length(media: MediaInfo, preset: Preset) -> Fraction | None:
    """Seconds that each track must last at least, or None."""
    if preset.container != "mxf" or media.picture is None:
        return None
    seconds = media.picture.duration or media.duration
    if seconds is None:
        raise JobFailed(
            FailureKind.PRESET_UNSUITABLE,
            "MXF needs to know how long the source is, and the source does not say",
            "choose a preset that writes mov",
        )
    return seconds + _MXF_SPARE_SECONDS


def _joined(tracks: tuple[SoundStream, ...], preset: Preset) -> SoundTrack:
    """All tracks as the channels of one."""
    rates = sorted({track.sample_rate for track in tracks})
    if len(rates) > 1:
        raise JobFailed(
            FailureKind.PRESET_UNSUITABLE,
            f"a WAV has one sample rate, the tracks have {' and '.join(map(str, rates))} Hz",
            "choose a preset that writes mov",
        )
    channels = sum(track.channels for track in tracks)
    return SoundTrack(
        codec=preset.sound_codec, sample_rate=rates[0], channels=channels, sources=tracks
    )


def _joining(media: MediaInfo, preset: Preset, joined: SoundTrack) -> list[str]:
    """A filter graph that puts tracks side by side, none cut short by another."""
    ends = [track_end(track, media, preset) for track in joined.sources]
    longest = max((end for end in ends if end is not None), default=None)
    chains = [
        # Counted channels, so that no speaker is claimed twice and none is mixed.
        f"[{track.file}:{track.index}]{_filled(longest)},aformat=channel_layouts={track.channels}c[t{n}]"
        for n, track in enumerate(joined.sources)
    ]
    labels = "".join(f"[t{n}]" for n in range(len(chains)))
    merge = f"{labels}amerge=inputs={len(chains)}:layout_mode=reset[sound]"
    return ["-filter_complex", ";".join([*chains, merge])]


def _codec(track: SoundStream, preset: Preset) -> SoundCodec:
    if preset.sound_codec != "aac" or _fits_aac(track):
        return preset.sound_codec
    if preset.container == "mp4":
        raise JobFailed(
            FailureKind.PRESET_UNSUITABLE,
            f"AAC in MP4 holds no {track.layout or f'{track.channels} channels'} "
            f"(sound stream {track.index})",
            "choose a preset that writes mov",
        )
    return "pcm_s16le"


def _fits_aac(track: SoundStream) -> bool:
    if track.layout is None:
        return track.channels <= _AAC_MOST_CHANNELS
    return track.layout in _AAC_LAYOUTS


def _sample_rate(track: SoundStream, preset: Preset) -> int:
    if preset.container == "mxf":
        return _MXF_RATE
    if _codec(track, preset) != "aac" or track.sample_rate in _AAC_RATES:
        return track.sample_rate
    if track.sample_rate > _AAC_RATES[-1]:
        return 88_200 if track.sample_rate % 44_100 == 0 else 96_000
    return min(r for r in _AAC_RATES if r > track.sample_rate)
