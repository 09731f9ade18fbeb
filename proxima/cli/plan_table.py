"""A plan drawn for a terminal, as plain lines, and for programs."""

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec
from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.text import Text

from proxima.cli.cells import cropped, fit, folded, one_line, shorten
from proxima.cli.plan_words import PlanRow, describe, plan_rows, totals
from proxima.cli.shell_text import shell_lines, shell_words
from proxima.printable import printable
from proxima.queuer.natural_order import natural_key
from proxima.queuer.plan import Plan
from proxima.queuer.planned_job import PlannedJob

#: Cells from which on a source takes one line.
_WIDE = 110
_ACTION = 9
_GAP = "  "
_STYLES = {"encode": "green", "skip": "dim", "refused": "bold red"}
_REMARK_STYLES = {"encode": "yellow", "skip": "dim", "refused": "red"}

#: Gives the ffmpeg command of a job.
Command = Callable[[PlannedJob], list[str]]


def plan_table(plan: Plan, width: int, command: Command | None = None) -> RenderableType:
    """Draw what would happen to each source, in at most *width* cells.

    With *command*, each job's command stands below it, to be pasted into a shell.
    """
    full = plan_rows(plan)
    rows, heads = _shortened(full)
    layout = _Columns if width >= _WIDE else _Stacked
    draw = layout.fitting(rows, width)
    commands = _commands(plan, command)
    lines = [Text(shorten(head, width), style="dim") for head in heads]
    for row, named in zip(rows, full, strict=True):
        lines += draw(row)
        lines += _remarks(row, width)
        lines += map(Text, shell_lines(commands.get(named.source, []), width))
    lines += [Text(line, style="bold") for line in folded(totals(plan), width, indent="")]
    return Group(*(cropped(line, width) for line in lines))


def plan_lines(plan: Plan, command: Command | None = None) -> Iterator[str]:
    """Tell the same in plain lines with full names; with *command*, each job's command below."""
    commands = _commands(plan, command)
    for row in plan_rows(plan):
        told = [f"{row.action} {printable(row.source)}"]
        told += [f"to {printable(row.output)}"] if row.output else []
        told += [f"({row.what})"] if row.what else []
        told += [row.size] if row.size else []
        yield " ".join(told)
        yield from (f"  {printable(remark)}" for remark in row.remarks)
        if row.source in commands:
            yield f"  {shell_words(commands[row.source])}"
    yield totals(plan)


def plan_json(plan: Plan, command: Command | None = None) -> dict[str, Any]:
    """Return the plan for programs; names are as the system has them, sizes are estimates.

    The list `jobs` has every source, as in `batch.finished`; its state is `planned`, `skipped` or
    `refused`.
    """
    jobs = [_job_fields(job, command) for job in plan.jobs]
    jobs += [msgspec.to_builtins(settled) for settled in plan.settled]
    for fields in jobs:
        fields["error"] = fields.pop("problem", None)
    jobs.sort(key=lambda fields: natural_key(Path(fields["source"])))
    return {"type": "plan", "preset": plan.preset.name, "jobs": jobs}


def _job_fields(job: PlannedJob, command: Command | None) -> dict[str, Any]:
    return {
        "source": str(job.source),
        "output": str(job.output),
        "state": "planned",
        "what": describe(job.media),
        "media_seconds": job.seconds,
        "frames": job.frames,
        "estimated_bytes": job.estimated_bytes,
        "replace": job.replace,
        "reason": job.reason,
        "warnings": msgspec.to_builtins(job.warnings),
        **({"command": command(job)} if command else {}),
    }


def _commands(plan: Plan, command: Command | None) -> dict[str, list[str]]:
    """The command of each job, by its source."""
    return {str(job.source): command(job) for job in plan.jobs} if command else {}


def _shortened(rows: list[PlanRow]) -> tuple[list[PlanRow], list[str]]:
    """Name files from their deepest common folder on, in one line each; and name that folder."""
    sources = _common_folder(row.source for row in rows)
    outputs = _common_folder(row.output for row in rows if row.output)
    short = [
        replace(
            row,
            source=_below(sources, row.source),
            output=_below(outputs, row.output) if row.output else None,
        )
        for row in rows
    ]
    folders = {"sources": sources, "outputs": outputs}
    return short, [f"{what} in {one_line(f)}" for what, f in folders.items() if f]


def _common_folder(names: Iterable[str]) -> str:
    """The deepest folder that holds all of *names* that are absolute; empty if that says little."""
    paths = [path for path in map(Path, names) if path.is_absolute()]
    try:
        common = Path(os.path.commonpath([path.parent for path in paths]))
    except ValueError:  # no path at all, or several drives
        return ""
    return str(common) if common != common.parent else ""


def _below(folder: str, name: str) -> str:
    inside = folder and name.startswith(folder + os.sep)
    return one_line(name[len(folder) + 1 :] if inside else name)


def _remarks(row: PlanRow, width: int) -> Iterator[Text]:
    for remark in row.remarks:
        for line in folded(one_line(remark), width, indent=" " * _ACTION):
            yield Text(line, style=_REMARK_STYLES[row.action])


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stacked:
    """Draws a source on several lines; for narrow terminals."""

    width: int
    size: int

    @classmethod
    def fitting(cls, rows: list[PlanRow], width: int) -> "_Stacked":
        return cls(width=width, size=_widest(row.size for row in rows))

    def __call__(self, row: PlanRow) -> Iterator[Text]:
        name = fit(row.source, self.width - _ACTION - len(_GAP) - self.size)
        action = (fit(row.action, _ACTION), _STYLES[row.action])
        yield Text.assemble(action, (name, "bold"), _GAP, fit(row.size, self.size, right=True))
        for line in folded(row.what, self.width, indent=" " * _ACTION):
            yield Text(line, style="dim")
        if row.output:
            yield Text(" " * _ACTION + shorten(f"to {row.output}", self.width - _ACTION))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Columns:
    """Draws a source on one line: action, source, what it is, output, size."""

    source: int
    what: int
    output: int
    size: int

    @classmethod
    def fitting(cls, rows: list[PlanRow], width: int) -> "_Columns":
        what = min(_widest(row.what for row in rows), 44)
        size = _widest(row.size for row in rows)
        room = width - _ACTION - what - size - 3 * len(_GAP)
        output = _widest(row.output or "" for row in rows)
        source = min(_widest(row.source for row in rows), max(room // 2, room - output))
        return cls(source=source, what=what, output=min(output, room - source), size=size)

    def __call__(self, row: PlanRow) -> Iterator[Text]:
        if not row.output:
            yield Text.assemble(
                (fit(row.action, _ACTION), _STYLES[row.action]), (row.source, "bold")
            )
            return
        yield Text.assemble(
            (fit(row.action, _ACTION), _STYLES[row.action]),
            (fit(row.source, self.source), "bold"),
            _GAP,
            (fit(row.what, self.what), "dim"),
            _GAP,
            fit(row.output or "", self.output),
            _GAP,
            fit(row.size, self.size, right=True),
        )


def _widest(texts: Iterable[str]) -> int:
    return max(map(cell_len, texts), default=0)
