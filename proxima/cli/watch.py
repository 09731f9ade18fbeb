"""`proxima watch`: show a batch again, from any machine of the farm."""

from typing import Annotated

import typer

from proxima.cli.options import BrokerOption, ConfigOption, JsonOption


def watch(
    batch: Annotated[
        str | None,
        typer.Argument(help="Id of the batch; without it the newest.", show_default=False),
    ] = None,
    broker: BrokerOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show a batch again until it is finished."""
    from proxima.cli.following import watch_to_end
    from proxima.cli.setup import Setup
    from proxima.cli.views import choose_view
    from proxima.client.door import Client

    setup = Setup(config, {"broker": broker})
    farm = Client(setup)
    found = farm.load(batch)
    view = choose_view(
        as_json=as_json,
        local=setup.local_path,
        start_worker=setup.work_line,
        from_the_start=False,
    )
    raise typer.Exit(watch_to_end(found, farm.farm, view, setup.watch_line(found.id)))
