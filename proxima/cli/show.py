"""`proxima show`: all that the farm remembers of a batch or a job."""

import sys
import time
from typing import TYPE_CHECKING, Annotated

import typer

from proxima.cli.json_text import json_text
from proxima.cli.options import BrokerOption, ConfigOption, JsonOption

if TYPE_CHECKING:
    from proxima.cli.setup import Setup
    from proxima.client.door import Client
    from proxima.queuer.batch_record import BatchRecord


def show(
    name: Annotated[
        str, typer.Argument(metavar="BATCH|JOB", help="Id of a batch, or of one of its jobs.")
    ],
    log: Annotated[
        bool,
        typer.Option("--log", help="Print ffmpeg's log of a job, from the worker that has it."),
    ] = False,
    attempt: Annotated[
        int | None,
        typer.Option("--attempt", min=1, metavar="N", help="With --log: not the last attempt."),
    ] = None,
    all_jobs: Annotated[bool, typer.Option("--all", help="Every job of a long batch.")] = False,
    broker: BrokerOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show a batch with its jobs, or a job with every attempt at it."""
    from proxima.cli.setup import Setup
    from proxima.client.door import Client
    from proxima.errors import UsageError

    setup = Setup(config, {"broker": broker})
    farm = Client(setup)
    found = farm.record(name)
    if (log or attempt) and not found.is_job:
        raise UsageError(f"a log is of one job: proxima show {found.jobs[0].job.id} --log")
    if log or attempt:
        _print_log(farm, name, attempt)
    elif as_json:
        typer.echo(json_text(_fields(found, setup)))
    else:
        _draw(found, setup, all_jobs=all_jobs)


def _fields(found: "BatchRecord", setup: "Setup") -> dict[str, object]:
    from proxima.cli.record_fields import of_batch_record, of_job_record

    if found.is_job:
        return {"type": "job", **of_job_record(found.jobs[0], setup.local_path)}
    return of_batch_record(found, time.time(), setup.local_path)


def _draw(found: "BatchRecord", setup: "Setup", *, all_jobs: bool) -> None:
    from rich.console import Console, Group

    from proxima.cli.batch_card import MOST_ROWS, batch_lines
    from proxima.cli.job_card import job_lines
    from proxima.cli.live_screen import spelled_for

    console = Console()
    if found.is_job:
        lines = job_lines(found, console.width, setup.local_path)
    else:
        lines = batch_lines(
            found,
            console.width,
            now=time.time(),
            local=setup.local_path,
            most=None if all_jobs else MOST_ROWS,
        )
    console.print(spelled_for(console, Group(*lines)))


def _print_log(farm: "Client", name: str, attempt: int | None) -> None:
    from proxima.printable import printable_lines

    log = farm.log(name, attempt)
    if log.skipped:
        sys.stderr.write(f"the first {log.skipped} bytes of the log are left out\n")
    # Lines that overwrite one another on a terminal stand below one another.
    text = log.text.decode("utf-8", "surrogateescape").replace("\r\n", "\n").replace("\r", "\n")
    sys.stdout.write(printable_lines(text))
