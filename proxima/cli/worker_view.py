"""The screen of `proxima work`: what each slot does; and the same in plain lines."""

from collections.abc import Iterator

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.text import Text

from proxima.cli.bars import bar, percent, pulse
from proxima.cli.cells import cropped, fit, flowed, one_line
from proxima.cli.durations import clock, counted
from proxima.cli.labels import worker_label
from proxima.progress import Stage
from proxima.worker.slot_board import SlotLine, WorkerStanding

#: Cells: the slot's number, ``62%``, and ``142 fps`` or what it does instead.
_SLOT, _PERCENT, _DOING = 2, 4, 10


def render(standing: WorkerStanding, *, width: int, height: int) -> RenderableType:
    """Draw *standing* in at most *height* lines of at most *width* cells, none of them wrapped."""
    above = [_header(standing, width), *_state(standing, width)]
    slots = [_slot_line(slot, width, _name_cells(standing, width)) for slot in standing.slots]
    room = height - len(above)
    if len(slots) > room:
        hidden = len(slots) - room + 1
        slots[room - 1 :] = [cropped(Text(f"and {hidden} slots more", style="dim"), width)]
    recent = [cropped(Text(one_line(line), style="dim"), width) for line in standing.recent]
    # A blank line and at least one event, or neither.
    below = [Text(), *recent][: room - len(slots)] if recent and room - len(slots) > 1 else []
    return Group(*[*above, *slots, *below][:height])


def _header(standing: WorkerStanding, width: int) -> Text:
    label = worker_label(standing.name)
    where = f"  worker of {one_line(standing.broker_shown)}"
    return cropped(Text.assemble((label, "bold"), (where, "dim")), width)


def _state(standing: WorkerStanding, width: int) -> list[Text]:
    """Say how many are done, and what is out of the ordinary."""
    pieces = [(f"{standing.done} done", "bold")]
    if standing.failed:
        pieces.append((f"{standing.failed} failed", "bold red"))
    if standing.draining:
        pieces.append(("finishing what runs", "yellow"))
        pieces.append(("Ctrl-C again stops now", "dim"))
    trouble = [Text(one_line(standing.trouble), style="yellow")] if standing.trouble else []
    return [*flowed(pieces, width), *(cropped(line, width) for line in trouble)]


def _name_cells(standing: WorkerStanding, width: int) -> int:
    widest = max((cell_len(one_line(slot.file)) for slot in standing.slots), default=0)
    return max(min(widest, width // 2), 8)


def _slot_line(slot: SlotLine, width: int, name_cells: int) -> Text:
    number = (f"{slot.slot + 1:>{_SLOT}}", "dim")
    if slot.job is None:
        return cropped(Text.assemble(number, "  ", ("waits for work", "dim")), width)
    cells = max(width - _SLOT - name_cells - _PERCENT - _DOING - 8, 0)
    share, drawn = _share(slot, cells)
    line = Text.assemble(number, "  ", fit(one_line(slot.file), name_cells), "  ")
    line.append_text(drawn).append("  ").append(share, "bold")
    return cropped(line.append("  ").append(fit(_doing(slot), _DOING, right=True), "dim"), width)


def _share(slot: SlotLine, cells: int) -> tuple[str, Text]:
    if slot.percent is None and slot.stage == Stage.ENCODING:
        return " " * _PERCENT, pulse(slot.position, cells, style="cyan")
    fraction = min(max((slot.percent or 0.0) / 100, 0.0), 0.999)
    return f"{percent(fraction):>{_PERCENT}}", bar(fraction, cells, style="cyan")


def _doing(slot: SlotLine) -> str:
    if slot.stage != Stage.ENCODING:
        return one_line(slot.stage)
    if slot.percent is None:
        return f"{clock(slot.position)} done"
    return f"{slot.fps:.0f} fps" if slot.fps else ""


def changed_lines(last: WorkerStanding | None, standing: WorkerStanding) -> Iterator[str]:
    """Yield one plain line for each thing that changed since *last*."""
    if last is None:
        slots = counted(len(standing.slots), "slot")
        yield f"worker {one_line(standing.name)} of {one_line(standing.broker_shown)}, {slots}"
    before = {slot.slot: slot for slot in last.slots} if last else {}
    for slot in standing.slots:
        old = before.get(slot.slot)
        if slot.job and (old is None or old.job != slot.job):
            yield f"started {one_line(slot.file)} in slot {slot.slot + 1}"
    yield from _new_lines(last.recent if last else (), standing.recent)
    if standing.trouble != (last.trouble if last else None):
        yield one_line(standing.trouble) if standing.trouble else "the trouble is over"
    if standing.draining and not (last and last.draining):
        yield "finishing what runs, taking nothing new"


def _new_lines(old: tuple[str, ...], new: tuple[str, ...]) -> Iterator[str]:
    """Yield the lines that *new* has before those of *old*, the oldest first."""
    fresh = next((n for n in range(len(new)) if new[n:] == old[: len(new) - n]), len(new))
    for line in reversed(new[:fresh]):
        yield one_line(line)
