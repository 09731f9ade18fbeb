"""`proxima pause`, `resume`, `start` and `priority`: steer what waits and what runs."""

from typing import TYPE_CHECKING, Annotated

import typer

from proxima.cli.options import BrokerOption, ConfigOption

if TYPE_CHECKING:
    from proxima.broker.roster import WorkerInfo
    from proxima.cli.setup import Farm

BatchOrWorker = Annotated[
    str,
    typer.Argument(
        metavar="BATCH|WORKER",
        help="Id of a batch; or a worker's name, the beginning of it, or a host.",
    ),
]
BatchArgument = Annotated[str, typer.Argument(metavar="BATCH", help="Id of a batch.")]


def pause(
    name: BatchOrWorker,
    now: Annotated[
        bool, typer.Option("--now", help="What runs stands still, too, and loses nothing.")
    ] = False,
    broker: BrokerOption = None,
    config: ConfigOption = None,
) -> None:
    """Let a batch start no more jobs, or a worker take none.

    It goes on with: proxima resume
    """
    from proxima.broker import pauses, roster

    farm = _farm(broker, config)
    if workers := _workers(farm, name):
        order = roster.Order.SUSPEND if now else roster.Order.PAUSE
        for worker in workers:
            roster.give(farm.client, worker.name, order)
            typer.echo(f"{worker.name} is paused; {_fate(len(worker.jobs), now)}")
        return
    pauses.pause(farm.client, name, suspend=now)
    typer.echo(f"batch {name} is paused; what runs of it {'stands still' if now else 'goes on'}")


def resume(name: BatchOrWorker, broker: BrokerOption = None, config: ConfigOption = None) -> None:
    """Let a paused batch or worker go on."""
    from proxima.broker import batches, pauses, roster

    farm = _farm(broker, config)
    if workers := _workers(farm, name):
        for worker in workers:
            roster.take_back(farm.client, worker.name)
            typer.echo(f"{worker.name} takes jobs")
        return
    batch = batches.load(farm.client, name)
    count = pauses.resume(batch.id, batch.own_jobs, farm.client, farm.celery)
    typer.echo(f"batch {name} goes on; {count} jobs that were held wait for a slot")


def start(name: BatchArgument, broker: BrokerOption = None, config: ConfigOption = None) -> None:
    """Start a batch now that was to start later (queue --start-at)."""
    from proxima.broker import batches, pauses

    farm = _farm(broker, config)
    batch = batches.load(farm.client, name)
    count = pauses.hasten(batch.own_jobs, farm.client, farm.celery)
    typer.echo(f"started {count} of {len(batch.jobs)} jobs")


def priority(
    name: BatchArgument,
    number: Annotated[int, typer.Argument(metavar="N", min=0, max=9, help="0 runs first, 9 last.")],
    broker: BrokerOption = None,
    config: ConfigOption = None,
) -> None:
    """Let a batch run before or after others; what waits moves at once."""
    from proxima.broker import batches
    from proxima.broker.steering import prioritise

    farm = _farm(broker, config)
    batch = batches.load(farm.client, name)
    count = prioritise(batch, number, farm.client, farm.celery)
    typer.echo(f"batch {name} has priority {number} now; {count} waiting jobs were moved")


def _farm(broker: BrokerOption, config: ConfigOption) -> "Farm":
    from proxima.cli.setup import Farm, Setup

    return Farm(Setup(config, {"broker": broker}).require_broker())


def _workers(farm: "Farm", name: str) -> "list[WorkerInfo]":
    """The workers of that name; none if it is a batch. UnknownWorker if it is neither."""
    from proxima.broker import batches, roster
    from proxima.errors import UnknownBatch

    try:
        batches.header(farm.client, name)
    except UnknownBatch:
        return roster.find(farm.client, name)
    return []


def _fate(count: int, now: bool) -> str:
    jobs = f"{count} job{'s' * (count != 1)}"
    return f"{jobs} on it {'stand still' if now else 'go on'}" if count else "nothing runs on it"
