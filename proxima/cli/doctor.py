"""`proxima doctor`: whether everything is here that queueing and encoding need."""

import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import typer

from proxima.cli.json_text import json_text
from proxima.cli.options import BrokerOption, ConfigOption, JsonOption

if TYPE_CHECKING:
    from rich.table import Table

    from proxima.broker.health import Finding

_STYLES = {"ok": "green", "warning": "yellow", "fault": "bold red"}
_VERDICT_WIDTH = max(map(len, _STYLES))


def doctor(
    broker: BrokerOption = None, config: ConfigOption = None, as_json: JsonOption = False
) -> None:
    """Check broker, ffmpeg, presets and folders; exit 1 if something is wrong."""
    from proxima.cli.setup import Setup
    from proxima.queuer.checkup import checkup
    from proxima.worker.log_folder import log_folder

    setup = Setup(config, {"broker": broker})
    logs = log_folder(setup.config.worker.log_folder)
    found = checkup(setup.config, setup.presets.presets(), logs)
    counts = _show_all(found, _json_writer() if as_json else _writer())
    typer.echo(json_text({"type": "doctor.finished"} | counts) if as_json else _total(counts))
    if counts["faults"]:
        raise typer.Exit(1)


def _show_all(found: "Iterable[Finding]", show: "Callable[[Finding], None]") -> dict[str, int]:
    """Show each finding as it is made; how many faults and warnings there were."""
    verdicts = []
    for finding in found:
        show(finding)
        verdicts.append(finding.verdict.value)
    return {"faults": verdicts.count("fault"), "warnings": verdicts.count("warning")}


def plain(finding: "Finding") -> str:
    """One line: ``fault    broker: it may evict keys (give it the command ...)``."""
    from proxima.printable import printable

    remedy = f" ({finding.remedy})" if finding.remedy else ""
    line = f"{finding.subject}: {finding.text}{remedy}"
    return f"{finding.verdict:<{_VERDICT_WIDTH}}  {printable(line)}"


def _json_writer() -> "Callable[[Finding], None]":
    import msgspec

    def write(finding: "Finding") -> None:
        typer.echo(json_text({"type": "finding"} | msgspec.to_builtins(finding)))

    return write


def _writer() -> "Callable[[Finding], None]":
    """Colours on a terminal, plain lines without one."""
    if not sys.stdout.isatty():
        return lambda finding: typer.echo(plain(finding))
    from rich.console import Console

    console = Console()
    return lambda finding: console.print(drawn(finding))


def drawn(finding: "Finding") -> "Table":
    """For a terminal: the verdict, and beside it what was found and what to do."""
    from rich.table import Table
    from rich.text import Text

    from proxima.printable import printable, printable_lines

    body = Text(f"{printable(finding.subject)}: {printable_lines(finding.text)}")
    if finding.remedy:
        body.append(f"\n{printable(finding.remedy)}", "italic")
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(width=_VERDICT_WIDTH)
    grid.add_column(overflow="fold")
    grid.add_row(Text(finding.verdict, _STYLES[finding.verdict]), body)
    return grid


def _total(counts: dict[str, int]) -> str:
    if not any(counts.values()):
        return "Everything is well."
    return ", ".join(
        f"{count} {name if count != 1 else name.removesuffix('s')}"
        for name, count in counts.items()
        if count
    )
