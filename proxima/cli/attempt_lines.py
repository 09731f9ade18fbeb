"""What became of each attempt at a job, in lines."""

from collections.abc import Iterator

from rich.text import Text

from proxima.broker.attempts import Attempt, AttemptEnd
from proxima.cli.cells import folded, one_line
from proxima.cli.durations import clock, moment, time_of_day
from proxima.cli.labels import worker_label

_STYLES = {
    AttemptEnd.DONE: "bold green",
    AttemptEnd.FAILED: "bold red",
    AttemptEnd.CANCELLED: "yellow",
    AttemptEnd.RETRIED: "red",
    AttemptEnd.RETURNED: "yellow",
    AttemptEnd.LOST: "red",
}
_WORDS = {
    AttemptEnd.RETRIED: "failed, tried again",
    AttemptEnd.RETURNED: "handed back",
    AttemptEnd.LOST: "worker lost",
}


def attempt_lines(attempt: Attempt, width: int) -> Iterator[Text]:
    """Yield the lines on one attempt: where and when, its end, failure and warnings."""
    start = (f"attempt {attempt.number}", "bold")
    where = f"  on {worker_label(attempt.worker)}  {moment(attempt.started)}"
    if attempt.ended is None or attempt.how is None:
        yield Text.assemble(start, (where, "dim"), "  ", ("under way", "cyan"))
        return
    took = clock(attempt.ended - attempt.started)
    until = f" to {time_of_day(attempt.ended)} ({took})"
    end = (_WORDS.get(attempt.how, attempt.how.value), _STYLES[attempt.how])
    yield Text.assemble(start, (where + until, "dim"), "  ", end)
    if problem := attempt.problem:
        yield from _indented(f"{problem.kind}: {problem.message}", width)
        yield from _indented(problem.hint, width, "cyan")
    for warning in attempt.warnings:
        yield from _indented(f"{warning.code}: {warning.message}", width, "yellow")


def _indented(text: str, width: int, style: str = "") -> Iterator[Text]:
    for line in folded(one_line(text), width, indent="    "):
        yield Text(line, style=style)
