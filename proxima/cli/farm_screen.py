"""The farm on one screen: a function of its standing."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from proxima.broker.health import BrokerHealth, Verdict, findings
from proxima.cli.batch_rows import batch_rows
from proxima.cli.cells import cropped, flowed, folded, one_line
from proxima.cli.durations import counted
from proxima.cli.worker_rows import worker_rows
from proxima.queuer.farm_standing import FarmStanding

#: Cells: on wider terminals the eye would lose the row between its name and its numbers.
MOST_WIDTH = 200
#: Lines that the workers get at least, however many batches there are, and the other way round.
_LEAST_ROWS = 4


def render_farm(
    standing: FarmStanding,
    *,
    width: int,
    height: int | None = None,
    start_worker: str = "proxima work",
    trouble: str = "",
) -> RenderableType:
    """Draw *standing* in lines of at most *width* cells, at most *height* of them if given.

    *start_worker* is the command to show when no worker is alive, *trouble* what the broker said
    last if it does not answer.
    """
    width = min(width, MOST_WIDTH)
    # Where lines are few, remedies are left to `proxima status` without --watch.
    troubles = _troubles(standing, trouble, width, with_remedies=height is None)
    above = [*troubles, *_sums(standing, width)]
    if not standing.workers:
        above.append(cropped(Text("No worker is alive. Start one with:", style="yellow"), width))
        above += [Text(line, style="bold") for line in folded(start_worker, width)]
    workers = worker_rows(standing, width)
    batches = batch_rows(standing, width)
    if height is not None:
        # A blank line and the titles before each of the two tables.
        room = max(height - len(above) - 4, 2)
        for_batches = min(len(batches), max(room - len(workers), room // 2, _LEAST_ROWS))
        workers = _most(workers, room - for_batches, "workers", width)
        batches = _most(batches, room - min(len(workers), room), "batches", width)
    lines = above + _table(workers) + _table(batches)
    return Group(*lines[:height])


def _table(rows: list[Text]) -> list[Text]:
    """*rows*, of which the first is the titles, after a blank line; nothing without any."""
    return [Text(), *rows] if len(rows) > 1 else []


def _most(rows: list[Text], room: int, what: str, width: int) -> list[Text]:
    """The titles and at most *room* rows; the last says how many there are more."""
    room = max(room, 1)
    if len(rows) - 1 <= room:
        return rows
    hidden = len(rows) - room
    more = cropped(Text(f"and {hidden} {what} more", style="dim"), width)
    return [*rows[:room], more]


def _troubles(
    standing: FarmStanding, trouble: str, width: int, *, with_remedies: bool
) -> Iterator[Text]:
    if trouble:
        yield cropped(Text(one_line(trouble), style="yellow"), width)
    for found in findings(standing.health) if standing.health else ():
        if found.verdict is not Verdict.OK:
            style = "red" if found.verdict is Verdict.FAULT else "yellow"
            told = one_line(f"broker: {found.text}")
            if with_remedies:
                told = f"{told}; {one_line(found.remedy)}"
                yield from (Text(line, style=style) for line in folded(told, width, indent=""))
            else:
                yield cropped(Text(told, style=style), width)


def _sums(standing: FarmStanding, width: int) -> Iterator[Text]:
    if standing.health:
        address = (one_line(standing.health.address), "bold")
        yield from flowed([address, (_health(standing.health), "dim")], width)
    farm = [
        (counted(len(standing.workers), "worker"), "bold"),
        (f"{standing.busy}/{standing.slots} slots busy", ""),
    ]
    if standing.fps:
        farm.append((f"{standing.fps:.0f} fps", "cyan"))
    yield from flowed([*farm, *_queue(standing)], width, rows=3)


def _queue(standing: FarmStanding) -> Iterator[tuple[str, str]]:
    """``1204 queued (200 at priority 2, 1004 at 5), 3 delayed``."""
    yield queue_depth(standing), "bold" if standing.queued else ""
    if standing.delayed:
        yield f"{standing.delayed} held for later", "yellow"
    if standing.set_aside:
        told = counted(standing.set_aside, "message")
        yield f"{told} made no sense and were set aside", "yellow"


def queue_depth(standing: FarmStanding) -> str:
    """How many jobs wait, by priority."""
    depths = sorted(standing.queued.items())
    if not depths:
        return "nothing queued"
    if len(depths) == 1:
        return f"{depths[0][1]} queued at priority {depths[0][0]}"
    (first, count), *rest = depths
    told = [f"{count} at priority {first}", *(f"{count} at {level}" for level, count in rest)]
    return f"{standing.queued.total()} queued ({', '.join(told)})"


def _health(health: BrokerHealth) -> str:
    disk = "on disk" if health.has_aof else "not on disk"
    return (
        f"{health.server} {health.version}, {disk}, {health.memory_bytes / 2**20:.0f} MiB, "
        f"{health.latency * 1000:.1f} ms away, {health.clients} connections"
    )
