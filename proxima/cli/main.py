"""The `proxima` command: assembles the commands; errors become messages and exit codes."""

import io
import sys
from typing import Annotated

import typer

import proxima
from proxima.cli.batch_list import batches
from proxima.cli.broker import broker
from proxima.cli.cancel import cancel
from proxima.cli.config import config_app
from proxima.cli.doctor import doctor
from proxima.cli.events import events_app
from proxima.cli.pause import pause, priority, resume, start
from proxima.cli.presets import presets
from proxima.cli.queue import queue
from proxima.cli.retry import retry
from proxima.cli.run_hooks import hooks
from proxima.cli.show import show
from proxima.cli.status import status
from proxima.cli.watch import watch
from proxima.cli.work import work
from proxima.cli.workers import workers_app
from proxima.errors import Interrupted, ProximaError
from proxima.printable import printable_lines

app = typer.Typer(
    name="proxima",
    help="Turns the machines of a post house into one transcode farm.",
    no_args_is_help=True,
    # Plain help: drawing it with rich would take longer than all the rest of it.
    rich_markup_mode=None,
    # A traceback is for developers: Python's own is enough for them, and holds no values.
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (
    queue,
    work,
    watch,
    status,
    batches,
    show,
    cancel,
    pause,
    resume,
    start,
    priority,
    retry,
    broker,
    hooks,
    presets,
    doctor,
):
    app.command()(command)
app.add_typer(workers_app, name="workers")
app.add_typer(events_app, name="events")
app.add_typer(config_app, name="config")


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"proxima {proxima.__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option("--version", help="Show the version.", callback=_show_version, is_eager=True),
    ] = False,
) -> None:
    """Take the options of all commands."""


def main() -> None:
    """Run the command line; the only place where errors of Proxima are caught."""
    for stream in (sys.stdout, sys.stderr):
        # Names may hold what the terminal's encoding lacks; that must never end the command.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        app()
    except ProximaError as error:
        mark = "" if isinstance(error, Interrupted) else "proxima: "
        sys.stderr.write(f"{mark}{printable_lines(str(error))}\n")
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        sys.exit(Interrupted.exit_code)
    except BrokenPipeError:
        # Whoever read our output has gone (`| head`); Python would complain at exit.
        sys.stdout = None
        sys.exit(0)
    except OSError as error:
        sys.stderr.write(f"proxima: {printable_lines(str(error))}\n")
        sys.stdout = None
        sys.exit(1)
