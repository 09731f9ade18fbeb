"""`proxima batches`: what was sent to this farm, by whom, and what became of it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from proxima.cli.json_text import json_text
from proxima.cli.options import BrokerOption, ConfigOption, JsonOption

if TYPE_CHECKING:
    from proxima.queuer.farm_standing import BatchLine


def batches(
    count: Annotated[
        int, typer.Option("--count", min=1, metavar="N", help="How many: the newest.")
    ] = 20,
    broker: BrokerOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the batches of the last seven days, the newest first."""
    import time

    from proxima.cli.farm_fields import of_batch
    from proxima.cli.setup import Setup
    from proxima.client.door import Client

    found = Client(Setup(config, {"broker": broker})).history(count)
    if as_json:
        now = time.time()
        listed = [of_batch(line, now) for line in found]
        typer.echo(json_text({"type": "batches", "batches": listed}))
    elif found:
        _show(found)
    else:
        typer.echo("this farm has no batch yet (send one: proxima queue FILES)")


def _show(lines: "Sequence[BatchLine]") -> None:
    from rich.console import Console, Group

    from proxima.cli.history_rows import history_rows
    from proxima.cli.live_screen import spelled_for

    console = Console()
    if console.is_terminal:
        console.print(spelled_for(console, Group(*history_rows(lines, console.width))))
    else:
        # As wide as they need, for those who search in it.
        typer.echo("\n".join(row.plain for row in history_rows(lines, None)))
