"""Findings: what only the encode tells of a source, as warnings of its job."""

from collections.abc import Iterator
from fractions import Fraction

from proxima.ffmpeg.damage import Damage
from proxima.ffmpeg.stream_plan import StreamPlan, plan_streams
from proxima.ffmpeg.timing import output_rate
from proxima.job import JobWarning
from proxima.media import MediaInfo
from proxima.preset import Preset
from proxima.worker.shortfall import lost_parts, undecodable_start

#: Seconds by which a source may be shorter than it claims.
_JUMP = Fraction(1)
#: Of these the length is but the difference of their first and last times.
_STREAMS = ("mpegts", "mpeg")


def findings(
    output: MediaInfo,
    *,
    media: MediaInfo,
    preset: Preset,
    frames_encoded: int | None,
    damage: Damage,
) -> tuple[JobWarning, ...]:
    """Everything to say of a verified *output* and the source (*media*) that it was made from."""
    lost = list(lost_parts(frames_encoded, output, media=media, preset=preset, damage=damage))
    warnings = [
        *_damaged(lost),
        *damage.warnings,
        *_late_start(output, media, preset),
        *(_time_jump(output, media) if not lost else ()),
        *_names(output, plan_streams(media, preset)),
    ]
    return tuple(warnings)


def _damaged(lost: list[str]) -> Iterator[JobWarning]:
    """Only where that was allowed: such jobs fail."""
    if lost:
        what = "; ".join(lost)
        yield JobWarning(code="source_damaged", message=f"made of a damaged source: {what}")


def _late_start(output: MediaInfo, media: MediaInfo, preset: Preset) -> Iterator[JobWarning]:
    late, picture = undecodable_start(output, media, preset), media.picture
    rate = output_rate(picture, preset) if picture else None
    if rate and late >= 1 / rate:
        yield JobWarning(
            code="start_undecodable",
            message=f"the first {float(late):.3f} s of the picture cannot be decoded; "
            "the output's begins as much later",
        )


def _time_jump(output: MediaInfo, media: MediaInfo) -> Iterator[JobWarning]:
    pictures = (stream.duration for stream in media.video)
    lengths = (*pictures, *(track.duration for track in media.decodable_sound))
    claimed = max((length for length in lengths if length), default=Fraction(0))
    real = output.duration
    if media.container.startswith(_STREAMS) and real and claimed - real > _JUMP:
        yield JobWarning(
            code="time_jump",
            message=f"the times of the source jump: it holds {float(real):.2f} s, "
            f"not {float(claimed):.2f} s",
        )


def _names(output: MediaInfo, plan: StreamPlan) -> Iterator[JobWarning]:
    """Languages and titles that the container has no place for."""
    for found, wanted in zip(output.sound, plan.tracks, strict=False):
        source = wanted.sources[0]
        if len(wanted.sources) > 1:
            continue
        lost = [
            f"{what} {name!r}"
            for what, name, kept in (
                ("language", source.language, found.language),
                ("title", source.title, found.title),
            )
            if name and name != kept
        ]
        if lost:
            yield JobWarning(
                code="sound_names_dropped",
                message=f"sound stream {source.index}: {' and '.join(lost)} not kept",
            )
