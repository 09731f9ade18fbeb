"""Real encodes: from a clip to a verified output, and what PyAV sees in it."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import av
from camera_files import make_preset

from proxima.ffmpeg.binaries import find_ffmpeg
from proxima.ffmpeg.command import encode_command
from proxima.ffmpeg.damage import damage
from proxima.ffmpeg.encode import encode
from proxima.ffmpeg.probe import probe
from proxima.ffmpeg.similarity import compare_command
from proxima.ffmpeg.stall import StallWatch
from proxima.ffmpeg.stream_plan import plan_streams
from proxima.job import Ssim
from proxima.media import MediaInfo, VideoStream
from proxima.progress import Progress
from proxima.worker.comparison import compare
from proxima.worker.findings import findings
from proxima.worker.verify import verify

H264 = {"video_codec": "h264", "profile": "high"}
AAC_MP4 = {**H264, "container": "mp4", "sound_codec": "aac"}
WAV = {"container": "wav", "video_codec": "none", "sound_codec": "pcm_s24le"}


@dataclass(frozen=True, kw_only=True)
class Output:
    """What came out."""

    path: Path
    info: MediaInfo
    source: MediaInfo
    source_path: Path
    progress: list[Progress]
    #: Message by code.
    warnings: dict[str, str]

    @property
    def picture(self) -> VideoStream:
        assert self.info.picture
        return self.info.picture


def transcode(
    source: Path, *, keep: str = "output", allow_damaged: bool = False, **preset: Any
) -> Output:
    """Encode beside *source* and verify; the preset is full-size ProRes Proxy but for *preset*."""
    made = make_preset(**{"size": "full", **preset})
    scratch = source.with_name(f"{keep}_{source.stem}{made.extension}")
    media = probe(source)
    argv = encode_command(
        ffmpeg=find_ffmpeg(),
        source=source,
        scratch=scratch,
        media=media,
        preset=made,
        threads=1,
    )
    log = scratch.with_suffix(".log")
    progress = list(encode(argv, duration=None, log=log, should_stop=lambda: False))
    frames = progress[-1].frame if progress else None
    found = damage(log, media.codecs)
    info = verify(
        scratch,
        media=media,
        preset=made,
        frames_encoded=frames,
        damage=found,
        allow_damaged=allow_damaged,
    )
    told = findings(info, media=media, preset=made, frames_encoded=frames, damage=found)
    said = (*plan_streams(media, made).warnings, *told)
    warnings = {warning.code: warning.message for warning in said}
    return Output(
        path=scratch,
        info=info,
        source=media,
        source_path=source,
        progress=progress,
        warnings=warnings,
    )


def compared(source: Path, output: Path, **preset: Any) -> Ssim:
    """How like *source* the *output* looks."""
    made = probe(output)
    argv = compare_command(
        ffmpeg=find_ffmpeg(),
        source=source,
        output=output,
        media=probe(source),
        made=made,
        preset=make_preset(**{"size": "full", **preset}),
        threads=1,
    )
    expected = made.picture.frame_count if made.picture else None
    log = output.with_suffix(".compare")
    found = compare(
        argv,
        expected=expected,
        log=log,
        should_stop=lambda: False,
        nice=0,
        stall=StallWatch(60),
    )
    assert not log.exists()
    return found


def frame_times(path: Path) -> list[Fraction]:
    """Seconds of every decoded picture."""
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        assert stream.time_base
        return [Fraction(f.pts or 0) * stream.time_base for f in container.decode(stream)]


def even_times(count: int, rate: Fraction | int, start: Fraction | int = 0) -> list[Fraction]:
    """Seconds of *count* frames, *rate* a second."""
    return [start + Fraction(n) / rate for n in range(count)]


def frames(path: Path) -> list["av.VideoFrame"]:
    """Every decoded picture."""
    with av.open(str(path)) as container:
        return list(container.decode(video=0))


def flash_time(path: Path) -> float:
    """Seconds of the first bright picture."""
    for frame in frames(path):
        plane = frame.reformat(format="gray").planes[0]
        if bytes(plane)[plane.line_size * (frame.height // 2)] > 128:
            assert frame.time is not None
            return frame.time
    raise AssertionError("no flash")


def beep_time(path: Path, track: int = 0) -> float:
    """Seconds of the first loud sample."""
    for time, value in _samples(path, track):
        if abs(value) > 2**29:
            return time
    raise AssertionError("no beep")


def pitches(path: Path) -> list[list[int]]:
    """Hertz of each channel of each track, to the nearest 10."""
    with av.open(str(path)) as container:
        tracks = [(s.channels, s.rate) for s in container.streams.audio]
    found = []
    for number, (channels, rate) in enumerate(tracks):
        values = [value for _, value in _samples(path, number)]
        found.append([_pitch(values[channel::channels], rate) for channel in range(channels)])
    return found


def _samples(path: Path, track: int) -> Iterator[tuple[float, int]]:
    """Seconds and value of each sample, channels in turn."""
    with av.open(str(path)) as container:
        # Packed: PyAV knows the first eight planes only.
        resampler = av.AudioResampler(format="s32")
        for decoded in container.decode(audio=track):
            for frame in resampler.resample(decoded):
                begin, channels = float(frame.time or 0), frame.layout.nb_channels
                values = memoryview(frame.planes[0]).cast("i")[: frame.samples * channels]
                for number, value in enumerate(values):
                    yield begin + number // channels / frame.sample_rate, value


def _pitch(samples: list[int], rate: int) -> int:
    rises = sum(a < 0 <= b for a, b in pairwise(samples))
    return round(rises * rate / len(samples) / 10) * 10
