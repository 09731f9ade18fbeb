"""`proxima status`: the farm on one screen."""

import time
from typing import TYPE_CHECKING, Annotated

import typer

from proxima.cli.json_text import json_text
from proxima.cli.options import BrokerOption, ConfigOption, JsonOption

if TYPE_CHECKING:
    from collections.abc import Iterator

    from proxima.client.door import Client
    from proxima.queuer.farm_standing import FarmStanding


def status(
    watch: Annotated[bool, typer.Option("--watch", help="Show it until Ctrl-C.")] = False,
    broker: BrokerOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show who works, on what, what waits, and when it will be ready."""
    from proxima.cli.farm_fields import of_farm
    from proxima.cli.setup import Setup
    from proxima.client.door import Client

    setup = Setup(config, {"broker": broker})
    farm = Client(setup)
    if as_json:
        for standing, _ in _looks(farm, again=watch):
            typer.echo(json_text(of_farm(standing, setup.local_path)))
    else:
        _draw(farm, setup.work_line, again=watch)


def _looks(farm: "Client", *, again: bool) -> "Iterator[tuple[FarmStanding, str]]":
    """Yield how the farm stands, and what the broker says while it does not answer."""
    from proxima.errors import BrokerError
    from proxima.queuer.farm_watch import TICK_SECONDS

    looking = farm.farm_watch()
    standing = looking.look()
    yield standing, ""
    while again:
        time.sleep(TICK_SECONDS)
        try:
            standing = looking.look()
        except BrokerError as error:
            yield standing, str(error)
        else:
            yield standing, ""


def _draw(farm: "Client", start_worker: str, *, again: bool) -> None:
    from rich.console import Console

    from proxima.cli.farm_screen import render_farm
    from proxima.cli.live_screen import LiveScreen, can_draw, spelled_for
    from proxima.errors import UsageError

    console = Console()
    if again and not can_draw(console):
        raise UsageError("--watch draws on a terminal; without one: --watch --json")
    if not again:
        ((standing, _),) = _looks(farm, again=False)
        drawn = render_farm(standing, width=console.width, start_worker=start_worker)
        console.print(spelled_for(console, drawn))
        return
    with LiveScreen(console) as screen:
        for standing, trouble in _looks(farm, again=True):
            screen.draw(
                lambda width, height, standing=standing, trouble=trouble: render_farm(  # type: ignore[misc]
                    standing,
                    width=width,
                    height=height,
                    start_worker=start_worker,
                    trouble=trouble,
                )
            )
