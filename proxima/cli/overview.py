"""The upper part of the live view: how the batch as a whole stands."""

from collections.abc import Iterable, Iterator

from rich.text import Text

from proxima.cli.bars import bar, percent
from proxima.cli.cells import cropped, flowed, folded, one_line, shorten
from proxima.cli.durations import clock, counted, ready_by, realtime, time_of_day
from proxima.cli.labels import FileNames, worker_label
from proxima.job import Job, JobOutcome, JobState
from proxima.queuer.standing import BatchStanding, EventKind, JobEvent

#: Seconds in which a worker that was just started may sign on before its absence is told.
WORKERS_GRACE = 3.0
#: Lines on workers that are unwell.
_MOST_UNWELL = 2

_STYLES = {
    EventKind.STARTED: "",
    EventKind.FINISHED: "green",
    EventKind.FAILED: "red",
    EventKind.CANCELLED: "yellow",
    EventKind.REQUEUED: "yellow",
}


def header(standing: BatchStanding, width: int) -> Text:
    """Name the batch: label, preset, id."""
    batch = standing.batch
    tail = f"  {one_line(batch.preset.name)}  batch {batch.id}"
    label = shorten(one_line(batch.label), max(width - len(tail), 12))
    return cropped(Text.assemble((label, "bold"), (tail, "dim")), width)


def aggregate(standing: BatchStanding, width: int) -> Text:
    """Draw the bar of the whole batch, weighted by media."""
    ended = standing.is_finished
    line = bar(standing.fraction, width - 6, style="green", lost=standing.lost_fraction)
    return line.append(f"{percent(standing.fraction, is_done=ended):>6}", "bold")


def count(standing: BatchStanding, width: int) -> list[Text]:
    """``12/40 done, 1 failed, 2 skipped, 3 slots on 2 workers``."""
    farm = ("no worker", "dim")
    if standing.workers:
        farm = (farm_size(standing), "")
    return flowed([*counts(standing), farm], width)


def farm_size(standing: BatchStanding) -> str:
    """``3 slots on 2 workers``."""
    return f"{counted(standing.slots, 'slot')} on {counted(standing.workers, 'worker')}"


def counts(standing: BatchStanding) -> Iterator[tuple[str, str]]:
    """Yield (text, style) of each count that is not nought; the first is always there."""
    done, jobs = standing.count(JobState.DONE), len(standing.jobs)
    yield (
        f"{done}/{jobs} done" if jobs else "nothing to do",
        "bold green" if done == jobs else "bold",
    )
    settled = [settled.state for settled in standing.batch.settled]
    for state, style in (
        (JobState.FAILED, "bold red"),
        (JobState.CANCELLED, "yellow"),
        (JobState.SKIPPED, ""),
        (JobState.REFUSED, "red"),
    ):
        if number := standing.count(state) + settled.count(state):
            yield f"{number} {state}", style


def pace(standing: BatchStanding, width: int) -> list[Text]:
    """Say how fast it goes and when it will be ready; nothing while nobody knows."""
    if standing.broker_trouble is not None or not standing.workers:
        return []
    pieces: list[tuple[str, str]] = []
    if standing.speed:
        pieces.append((realtime(standing.speed), "cyan"))
    eta = standing.eta_seconds
    if eta is not None:
        pieces.append((f"{clock(eta)} left", ""))
        if at := ready_by(standing.now, eta):
            pieces.append((f"ready by {at}", "bold"))
    if not standing.running and not standing.is_finished:
        pieces.insert(0, ("waiting for a free slot", "dim"))
    return flowed(pieces, width)


def troubles(standing: BatchStanding, width: int, start_worker: str) -> list[Text]:
    """Say what keeps the batch from going on, and what to do."""
    if standing.broker_trouble is not None:
        rest = "Workers encode on; the broker is asked again and again."
        return [
            cropped(Text(one_line(standing.broker_trouble), style="yellow"), width),
            cropped(Text(rest, style="dim"), width),
        ]
    if waits := waits_for_word(standing):
        return [cropped(Text(waits, style="yellow"), width)]
    if standing.workers and not standing.is_finished:
        told = unwell(standing.unwell[:_MOST_UNWELL])
        return [cropped(Text(line, style="yellow"), width) for line in told]
    if not has_no_worker(standing):
        return []
    if not start_worker:
        return [cropped(Text("The worker on this machine is starting.", style="dim"), width)]
    lines = [cropped(Text(f"{no_worker(standing)}. Start one with:", style="yellow"), width)]
    return lines + [Text(line, style="bold") for line in folded(start_worker, width)]


def waits_for_word(standing: BatchStanding) -> str:
    """Why it starts no jobs though it could; empty if it does."""
    batch = standing.batch
    if standing.is_finished:
        return ""
    if standing.is_paused:
        return f"paused; it goes on with: proxima resume {batch.id}"
    if batch.start_at is None or batch.start_at <= standing.now or standing.has_begun:
        return ""
    at = ready_by(standing.now, batch.start_at - standing.now) or "a later time"
    return f"starts at {at}; now with: proxima start {batch.id}"


def unwell(workers: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Say of each worker that it takes no jobs until it is well again, and why."""
    for name, why in workers:
        yield f"{worker_label(name)} takes no jobs until it is well: {one_line(why)}"


def has_no_worker(standing: BatchStanding) -> bool:
    """Whether nobody is there to go on, and should be by now."""
    waited = standing.now - standing.batch.created > WORKERS_GRACE
    return waited and not standing.workers and not standing.is_finished


def no_worker(standing: BatchStanding) -> str:
    """Say that nobody is there, and of what kind."""
    tag = standing.batch.tag
    return (
        f'No worker with "{tag}" among its [worker] tags is alive' if tag else "No worker is alive"
    )


def newest(standing: BatchStanding, names: FileNames, width: int) -> list[Text]:
    """Tell the most recent event, and why the last failure failed."""
    lines = [_event(event, names, width) for event in standing.events[:1]]
    failed = next((e.job for e in standing.events if e.kind is EventKind.FAILED), None)
    if failed:
        outcome = next((s.outcome for s in standing.jobs if s.job.id == failed.id), None)
        text = f"last failure: {names(failed)}: {reason(failed, outcome, names)}"
        lines.append(cropped(Text(text, style="red"), width))
    return lines


def reason(job: Job, outcome: JobOutcome | None, names: FileNames) -> str:
    """Say in one line why *job* failed, without the name that is said before it."""
    problem = outcome.problem if outcome else None
    if not problem or not problem.message:
        return "no reason is known"
    name = names(job)
    return one_line(problem.message).replace(one_line(job.source), name).removeprefix(f"{name}: ")


def _event(event: JobEvent, names: FileNames, width: int) -> Text:
    where = f"on {worker_label(event.worker)}" if event.worker else ""
    if event.kind is EventKind.REQUEUED and where:
        where = f"(was {where})"
    start = f"{time_of_day(event.at)} "
    room = width - len(start) - len(event.kind) - len(where) - 2
    return cropped(
        Text.assemble(
            (start, "dim"),
            (event.kind, _STYLES[event.kind]),
            f" {shorten(names(event.job), max(room, 12))} ",
            (where, "dim"),
        ),
        width,
    )
