"""`proxima workers`: steer the workers of a farm."""

from typing import Annotated

import typer

from proxima.cli.options import BrokerOption, ConfigOption

workers_app = typer.Typer(help="Steer the workers of the farm.", no_args_is_help=True)

WorkerArgument = Annotated[
    str,
    typer.Argument(
        metavar="WORKER", help="Name of a worker, the beginning of it, or a host for all on it."
    ),
]


@workers_app.command()
def drain(worker: WorkerArgument, broker: BrokerOption = None, config: ConfigOption = None) -> None:
    """Let a worker finish what runs and take nothing new."""
    from proxima.broker import roster
    from proxima.cli.setup import Farm, Setup

    farm = Farm(Setup(config, {"broker": broker}).require_broker())
    for found in roster.find(farm.client, worker):
        roster.give(farm.client, found.name, roster.Order.DRAIN)
        typer.echo(f"{found.name} takes nothing new; {len(found.jobs)} jobs run on it")


@workers_app.command()
def undrain(
    worker: WorkerArgument, broker: BrokerOption = None, config: ConfigOption = None
) -> None:
    """Let a drained worker take jobs again."""
    from proxima.broker import roster
    from proxima.cli.setup import Farm, Setup

    farm = Farm(Setup(config, {"broker": broker}).require_broker())
    for found in roster.find(farm.client, worker):
        roster.take_back(farm.client, found.name)
        typer.echo(f"{found.name} takes jobs")


@workers_app.command()
def slots(
    worker: WorkerArgument,
    number: Annotated[int, typer.Argument(metavar="N", min=1, max=64, help="Jobs at a time.")],
    broker: BrokerOption = None,
    config: ConfigOption = None,
) -> None:
    """Let a worker have so many slots, until it is restarted."""
    from proxima.broker import roster
    from proxima.cli.setup import Farm, Setup

    farm = Farm(Setup(config, {"broker": broker}).require_broker())
    for found in roster.find(farm.client, worker):
        roster.set_slots(farm.client, found.name, number)
        typer.echo(f"{found.name} takes {number} jobs at a time; it had {found.slots} slots")
