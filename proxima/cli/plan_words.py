"""A plan in words: for each source what it is and what happens to it, and the totals."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from pathlib import Path

from rich.filesize import decimal

from proxima.batch import Settled
from proxima.cli.durations import clock, counted
from proxima.ffmpeg.estimate import is_exact
from proxima.job import JobState
from proxima.media import FieldOrder, MediaInfo, VideoStream
from proxima.printable import printable
from proxima.queuer.natural_order import natural_key
from proxima.queuer.plan import Plan
from proxima.queuer.planned_job import PlannedJob

_INTERLACED = frozenset({FieldOrder.TOP, FieldOrder.BOTTOM})


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRow:
    """One source of a plan, in words; names are as the system has them."""

    #: "encode", "skip" or "refused".
    action: str
    source: str
    output: str | None
    #: What the source is, or why it is skipped.
    what: str = ""
    size: str = ""
    #: Why it is refused, what gets lost, why an output is made again.
    remarks: tuple[str, ...] = ()


def plan_rows(plan: Plan) -> list[PlanRow]:
    """All sources in natural order."""
    rows = [_planned(job, plan) for job in plan.jobs] + [_settled(s) for s in plan.settled]
    return sorted(rows, key=lambda row: natural_key(Path(row.source)))


def totals(plan: Plan) -> str:
    """``40 sources: 36 to encode (1:02:03 of media, ~14.2 GB), 3 skipped, 1 refused``."""
    counts = [f"{len(plan.jobs)} to encode{_amount(plan)}"]
    counts += [f"{len(plan.skipped)} skipped"] if plan.skipped else []
    counts += [f"{len(plan.refused)} refused"] if plan.refused else []
    return f"{counted(len(plan.jobs) + len(plan.settled), 'source')}: {', '.join(counts)}"


def describe(media: MediaInfo) -> str:
    """``h264 1920x1080 25 fps 0:41 4x1ch``."""
    return " ".join([*_kind(media), _length(media.duration), _sound(media)])


def size_in_words(job: PlannedJob, plan: Plan) -> str:
    """``~1.2 GB``; without the mark if it is no rough figure, ``?`` if nobody knows."""
    if job.estimated_bytes is None:
        return "?"
    return f"{'' if is_exact(plan.preset) else '~'}{decimal(job.estimated_bytes)}"


def _planned(job: PlannedJob, plan: Plan) -> PlanRow:
    again = (f"made again: {job.reason}",) if job.reason else ()
    return PlanRow(
        action="encode",
        source=str(job.source),
        output=str(job.output),
        what=describe(job.media),
        size=size_in_words(job, plan),
        remarks=(*again, *(warning.message for warning in job.warnings)),
    )


def _settled(settled: Settled) -> PlanRow:
    skipped = settled.state is JobState.SKIPPED
    return PlanRow(
        action="skip" if skipped else "refused",
        source=settled.source,
        output=settled.output if skipped else None,
        what="its output is complete and newer" if skipped and settled.output else "",
        remarks=tuple(_remarks(settled)),
    )


def _remarks(settled: Settled) -> Iterator[str]:
    if problem := settled.problem:
        # The row names the file already.
        why = problem.message.removeprefix(f"{printable(Path(settled.source))}: ")
        yield f"{why} ({problem.hint})" if problem.hint else why
    yield from (warning.message for warning in settled.warnings)


def _amount(plan: Plan) -> str:
    if not plan.jobs:
        return ""
    sizes = [job.estimated_bytes for job in plan.jobs]
    seconds = sum(job.seconds or 0.0 for job in plan.jobs)
    mark = "" if is_exact(plan.preset) and None not in sizes else "~"
    return f" ({clock(seconds)} of media, {mark}{decimal(sum(size or 0 for size in sizes))})"


def _kind(media: MediaInfo) -> Iterator[str]:
    picture = media.picture
    if picture is None:
        tracks = media.decodable_sound
        yield from (tracks[0].codec, f"{tracks[0].sample_rate / 1000:g} kHz") if tracks else ()
        return
    width, height = picture.display_size
    yield picture.codec
    yield f"{width}x{height}{'i' if picture.field_order in _INTERLACED else ''}"
    yield _rate(picture)


def _rate(picture: VideoStream) -> str:
    rate = picture.average_rate if picture.variable_rate else picture.frame_rate
    if rate is None:
        return "? fps"
    mark = "~" if picture.variable_rate else ""
    return f"{mark}{float(rate):.3f}".rstrip("0").rstrip(".") + " fps"


def _length(seconds: Fraction | None) -> str:
    if seconds is None:
        return "unknown length"
    return clock(float(seconds)) if seconds >= 10 else f"{float(seconds):.2f}s"


def _sound(media: MediaInfo) -> str:
    tracks = groupby(track.channels for track in media.decodable_sound)
    told = [f"{len(list(alike))}x{channels}ch" for channels, alike in tracks]
    return "+".join(told) or "no sound"
