"""PlainLines: a batch told where there is no terminal, one plain line a change."""

from collections.abc import Callable, Iterator
from functools import partial

from proxima.cli.batch_summary import summary_lines
from proxima.cli.cells import one_line
from proxima.cli.durations import clock, ready_by, realtime, time_of_day
from proxima.cli.labels import FileNames, worker_label
from proxima.cli.local_path import LocalPath
from proxima.cli.overview import (
    counts,
    farm_size,
    has_no_worker,
    no_worker,
    reason,
    unwell,
    waits_for_word,
)
from proxima.queuer.changes import Change, changes, waiting
from proxima.queuer.standing import BatchStanding, EventKind, JobStanding

#: Takes one line, without its line feed.
Write = Callable[[str], object]
write_at_once: Write = partial(print, flush=True)

#: Columns of the summary: a log file has no width.
_SUMMARY_WIDTH = 100


class PlainLines:
    """Compares each standing of a batch with the last, and writes what changed."""

    def __init__(
        self,
        write: Write = write_at_once,
        *,
        start_worker: str = "proxima work",
        from_the_start: bool = True,
    ) -> None:
        """Unless *from_the_start*, what happened before the first standing is not told."""
        self._write, self._start_worker = write, start_worker
        self._from_the_start = from_the_start
        self._last: BatchStanding | None = None
        self._names: FileNames | None = None
        self._tenths = 0
        self._notice = ""

    def show(self, standing: BatchStanding, notice: str = "") -> None:
        """Write a line for each thing that changed since the last call, and a new *notice*."""
        lines = list(self._lines(standing))
        if notice and notice != self._notice:
            lines.append(notice)
        for line in lines:
            self._write(f"{time_of_day(standing.now)} {line}")
        self._last, self._notice = standing, notice

    def finish(self, standing: BatchStanding, *, local: LocalPath = str) -> None:
        """Write the summary of a batch that has ended."""
        for line in summary_lines(standing, _SUMMARY_WIDTH, local=local):
            self._write(line.plain)

    def _lines(self, standing: BatchStanding) -> Iterator[str]:
        names = self._names = self._names or FileNames.of(standing.batch)
        last = self._last
        if last is None:
            yield _begin(standing)
            self._tenths = 0 if self._from_the_start else _tenths(standing)
        before = last.jobs if last else self._baseline(standing)
        yield from _farm(last, standing, self._start_worker)
        for change in changes(before, standing.jobs):
            yield _told(change, names)
        if _tenths(standing) > self._tenths:
            self._tenths = _tenths(standing)
            yield _progress(standing, self._tenths)

    def _baseline(self, standing: BatchStanding) -> tuple[JobStanding, ...]:
        return waiting(standing.jobs) if self._from_the_start else standing.jobs


def _begin(standing: BatchStanding) -> str:
    batch = standing.batch
    told = ", ".join(text for text, _ in counts(standing))
    return f'batch {batch.id} "{one_line(batch.label)}" to {one_line(batch.preset.name)}: {told}'


def _farm(last: BatchStanding | None, standing: BatchStanding, start_worker: str) -> Iterator[str]:
    """Tell how workers and broker come and go."""
    trouble = standing.broker_trouble
    if trouble != (last.broker_trouble if last else None):
        yield one_line(trouble) if trouble is not None else "the broker answers again"
    if standing.workers and (last is None or farm_size(last) != farm_size(standing)):
        yield farm_size(standing)
    if (waits := waits_for_word(standing)) != (waits_for_word(last) if last else ""):
        yield waits or "it goes on"
    known = {name for name, _ in last.unwell} if last else set()
    yield from unwell(one for one in standing.unwell if one[0] not in known)
    if has_no_worker(standing) and not (last and has_no_worker(last)):
        advice = f"{no_worker(standing).lower()}; start one with: {start_worker}"
        yield advice if start_worker else "the worker on this machine is starting"


def _told(change: Change, names: FileNames) -> str:
    job = change.now.job
    where = f" on {worker_label(change.worker)}" if change.worker else ""
    match change.kind:
        case EventKind.FINISHED:
            return f"finished {names(job)}{where}{_time_and_speed(change)}"
        case EventKind.FAILED:
            why = reason(job, change.now.outcome, names)
            return f"failed {names(job)}{where}: {why}{_hint(change)}"
        case EventKind.REQUEUED:
            return f"requeued {names(job)}{where and f', was{where}'}"
        case kind:
            return f"{kind} {names(job)}{where}"


def _time_and_speed(change: Change) -> str:
    outcome, media = change.now.outcome, change.now.job.seconds
    if not outcome or not outcome.seconds:
        return ""
    speed = f", {realtime(media / outcome.seconds)}" if media else ""
    return f" in {clock(outcome.seconds)}{speed}"


def _hint(change: Change) -> str:
    problem = change.now.outcome.problem if change.now.outcome else None
    return f" ({one_line(problem.hint)})" if problem and problem.hint else ""


def _tenths(standing: BatchStanding) -> int:
    return int(standing.fraction * 10)


def _progress(standing: BatchStanding, tenths: int) -> str:
    eta = standing.eta_seconds
    at = ready_by(standing.now, eta) if eta is not None and standing.workers else None
    told = ", ".join(text for text, _ in counts(standing))
    return f"{tenths * 10}% of the media, {told}{f', ready by {at}' if at else ''}"
