"""The last words on a batch: what was dropped, what failed and what to do, what was done."""

import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from rich.console import Group, RenderableType
from rich.filesize import decimal
from rich.text import Text

from proxima.cli.cells import cropped, flowed, folded, one_line
from proxima.cli.durations import clock, counted, realtime
from proxima.cli.labels import FileNames, worker_label
from proxima.cli.local_path import LocalPath, here
from proxima.cli.overview import counts
from proxima.job import JobState, JobWarning, Problem
from proxima.queuer.standing import BatchStanding, JobStanding

#: How many failures get a card, how many files a warning names, how many folders are listed.
MOST_CARDS, MOST_FILES, MOST_FOLDERS = 30, 3, 4


def summary(standing: BatchStanding, width: int, *, local: LocalPath = str) -> RenderableType:
    """Sum up a batch that has ended; *local* turns portable paths into those of this machine."""
    return Group(*summary_lines(standing, width, local=local))


def summary_lines(standing: BatchStanding, width: int, *, local: LocalPath = str) -> list[Text]:
    """Return the summary as lines of at most *width* cells."""
    names = FileNames.of(standing.batch)
    lines = [
        *_warnings(standing, names, width),
        *_failures(standing, names, width),
        *_result(standing, width),
        *_outputs(standing, width, local),
    ]
    return [cropped(line, width) for line in lines]


def _warnings(standing: BatchStanding, names: FileNames, width: int) -> Iterator[Text]:
    """Group all warnings by their code."""
    groups: dict[str, list[tuple[str, JobWarning]]] = defaultdict(list)
    for job in standing.jobs:
        for warning in job.outcome.warnings if job.outcome else ():
            groups[warning.code].append((names(job.job), warning))
    for settled in standing.batch.settled:
        for warning in settled.warnings:
            groups[warning.code].append((names(settled.source), warning))
    for code, warnings in sorted(groups.items()):
        files = counted(len(warnings), "file")
        yield Text.assemble(("warning", "yellow"), f"  {one_line(code)}, {files}")
        for name, warning in warnings[:MOST_FILES]:
            yield from _indented(_about(name, warning.message), width)
        if len(warnings) > MOST_FILES:
            yield Text(f"    and {len(warnings) - MOST_FILES} more", style="dim")
        yield Text()


def _failures(standing: BatchStanding, names: FileNames, width: int) -> Iterator[Text]:
    """Draw a card for each failure: file, worker, what, hint."""
    cards: list[tuple[JobState, str, str | None, Problem | None]] = [
        (settled.state, names(settled.source), None, settled.problem)
        for settled in standing.batch.settled
        if settled.state is JobState.REFUSED
    ]
    for job in standing.jobs:
        if job.state is JobState.FAILED:
            problem = job.outcome.problem if job.outcome else None
            cards.append((job.state, names(job.job), job.worker, problem))
    for state, name, worker, problem in cards[:MOST_CARDS]:
        where = f"  on {worker_label(worker)}" if worker else ""
        yield Text.assemble((state, "bold red"), "  ", (name, "bold"), (where, "dim"))
        yield from _indented(problem.message if problem else "no reason is known", width)
        if problem and problem.hint:
            yield from _indented(problem.hint, width, style="cyan")
        yield Text()
    if len(cards) > MOST_CARDS:
        yield from _more_failures([problem for *_, problem in cards[MOST_CARDS:]])


def _more_failures(problems: list[Problem | None]) -> Iterator[Text]:
    kinds = Counter(problem.kind if problem else "unknown" for problem in problems)
    told = ", ".join(f"{number} {kind}" for kind, number in kinds.most_common())
    yield Text(f"and {len(problems)} more: {told}", style="red")
    yield Text()


def _result(standing: BatchStanding, width: int) -> Iterator[Text]:
    yield Text(one_line(standing.batch.label), style="bold")
    yield from flowed(counts(standing), width)
    spent = standing.spent or 0.0
    done = [job for job in standing.jobs if job.state is JobState.DONE]
    media = sum(job.job.seconds or 0.0 for job in done)
    size = sum(job.outcome.output_bytes or 0 for job in done if job.outcome)
    pieces = [(f"in {clock(spent)}", "")] if spent > 0 else []
    pieces += [(realtime(media / spent), "")] if spent > 0 and media else []
    pieces += [(decimal(size), "")] if size else []
    yield from flowed(pieces, width)
    yield from _likeness(done, FileNames.of(standing.batch))


def _likeness(done: list[JobStanding], names: FileNames) -> Iterator[Text]:
    """How like their sources the outputs look, where that was measured."""
    found = [(job.outcome.ssim, job) for job in done if job.outcome and job.outcome.ssim]
    if found:
        worst, job = min(found, key=lambda pair: pair[0].worst)
        average = sum(ssim.average for ssim, _ in found) / len(found)
        where = f"{worst.worst:.3f} in frame {worst.worst_frame} of {names(job.job)}"
        yield Text(f"every picture compared: SSIM {average:.3f}, at worst {where}")


def _outputs(standing: BatchStanding, width: int, local: LocalPath) -> Iterator[Text]:
    """Say in which folders the outputs are."""
    done = [job.job.output for job in standing.jobs if job.state is JobState.DONE]
    folders = Counter(_folder(here(output, local)) for output in done)
    if not folders:
        return
    common = "" if len(folders) <= MOST_FOLDERS else _common(folders)
    yield Text(f"outputs in {len(folders)} folders below" if common else "outputs in")
    for folder in [common] if common else list(folders)[:MOST_FOLDERS]:
        yield from _indented(folder, width)
    if not common and len(folders) > MOST_FOLDERS:
        yield Text(f"    and {len(folders) - MOST_FOLDERS} more", style="dim")


def _common(folders: Iterable[str]) -> str:
    try:
        return os.path.commonpath(folders)
    except ValueError:
        # On several drives, or under roots that this machine does not know.
        return ""


def _folder(path: str) -> str:
    """Cut the last component off *path*, whichever its slashes are."""
    return re.split(r"[/\\](?=[^/\\]*$)", path, maxsplit=1)[0] or "/"


def _about(name: str, message: str) -> str:
    return message if name in message else f"{name}: {message}"


def _indented(text: str, width: int, *, style: str = "") -> Iterator[Text]:
    for line in folded(one_line(text), width, indent="    "):
        yield Text(line, style=style)
