"""A SoundStream from a sound track that PyAV has opened."""

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from proxima.ffmpeg.probe_atoms import Movie
from proxima.ffmpeg.unsupported import ENCRYPTED
from proxima.media import SoundStream

if TYPE_CHECKING:
    from av.audio.codeccontext import AudioCodecContext
    from av.audio.stream import AudioStream

_PCM = re.compile(r"pcm_[a-z]+(\d+)")
#: Codecs that keep every sample, so that bits mean something; 24 is what a 32-bit format holds.
_LOSSLESS = {"flac": 24, "alac": 24, "wavpack": 24, "ape": 24, "tta": 24, "truehd": 24}
#: Written by ffmpeg where nobody gave a name.
_NO_NAME = {"SoundHandler", ""}


def sound_stream(stream: "AudioStream", tags: Mapping[str, str], movie: Movie) -> SoundStream:
    """What the header says of one track; *tags* by their names in small letters."""
    track = movie.track(stream.id)
    codec = None if track.codec in ENCRYPTED else _codec_context(stream)
    base = stream.time_base or Fraction(0)
    handler = tags.get("handler_name", "")
    language = tags.get("language")
    return SoundStream(
        index=stream.index,
        codec=codec.codec.canonical_name if codec else track.codec or "unknown",
        sample_rate=codec.sample_rate if codec else track.sample_rate,
        channels=codec.layout.nb_channels if codec else track.channels,
        layout=_layout(codec.layout.name) if codec else None,
        language=None if language == "und" else language,
        title=tags.get("title") or tags.get("name"),
        handler=None if handler in _NO_NAME else handler,
        bit_depth=_bit_depth(codec) if codec else 0,
        start=None if stream.start_time is None else stream.start_time * base,
        duration=None if stream.duration is None else stream.duration * base,
        # Without packets, no codec says how many channels it has.
        decodable=codec is not None and codec.layout.nb_channels > 0,
    )


def _codec_context(stream: "AudioStream") -> "AudioCodecContext | None":
    """None where there is no decoder, which PyAV's types do not tell."""
    return stream.codec_context


def _layout(name: str) -> str | None:
    """None where ffmpeg only counts: "16 channels"."""
    return None if not name or name.endswith("channels") else name


def _bit_depth(codec: "AudioCodecContext") -> int:
    name = codec.codec.canonical_name
    if match := _PCM.match(name):
        return int(match[1])
    return min(codec.format.bits, _LOSSLESS[name]) if name in _LOSSLESS else 0
