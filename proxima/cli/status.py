"""`proxima status`: the farm on one screen."""

import json
from typing import TYPE_CHECKING, Any

import typer

from proxima.cli.options import BrokerOption, ConfigOption, JsonOption

if TYPE_CHECKING:
    from proxima.broker.roster import WorkerInfo
    from proxima.queuer.farm_standing import FarmStanding


def status(
    broker: BrokerOption = None, config: ConfigOption = None, as_json: JsonOption = False
) -> None:
    """Show who works, on what, and what waits."""
    from proxima.cli.setup import Farm, Setup
    from proxima.queuer.farm_standing import look_at_farm

    setup = Setup(config, {"broker": broker})
    farm = Farm(setup.require_broker())
    standing = look_at_farm(farm.client, farm.celery)
    if as_json:
        typer.echo(json.dumps(_fields(standing)))
        return
    _show_workers(standing, setup.work_line)
    _show_batches(standing)
    typer.echo(f"\n{standing.waiting} messages wait", nl=not standing.set_aside)
    if standing.set_aside:
        typer.echo(f"; {standing.set_aside} made no sense and were set aside")


def _show_workers(standing: "FarmStanding", work_line: str) -> None:
    from proxima.cli.columns import print_columns
    from proxima.cli.labels import worker_label

    if not standing.workers:
        typer.echo(f"no worker is alive; start one with: {work_line}\n")
        return
    rows = [
        (worker_label(w.name), f"{len(w.jobs)}/{w.slots}", w.version, _condition(w))
        for w in standing.workers
    ]
    print_columns(("worker", "slots", "version", "condition"), rows)
    typer.echo()


def _show_batches(standing: "FarmStanding") -> None:
    from proxima.cli.columns import print_columns
    from proxima.job import JobState

    shown = (JobState.DONE, JobState.FAILED, JobState.CANCELLED, JobState.ENCODING, JobState.QUEUED)
    rows = [
        (batch.id, batch.label, f"{batch.user}@{batch.host}", *(str(n[state]) for state in shown))
        for batch, n in standing.batches
    ]
    if rows:
        print_columns(("batch", "label", "from", *(state.value for state in shown)), rows)


def _condition(worker: "WorkerInfo") -> str:
    if worker.unwell:
        return f"unwell: {worker.unwell}"
    return "drained" if worker.draining else "works" if worker.jobs else "waits"


def _fields(standing: "FarmStanding") -> dict[str, Any]:
    import msgspec

    return {
        "workers": [msgspec.to_builtins(worker) for worker in standing.workers],
        "batches": [
            {"id": b.id, "label": b.label, "user": b.user, "host": b.host, "created": b.created}
            | {"priority": b.priority, "jobs": {state.value: n for state, n in counts.items()}}
            for b, counts in standing.batches
        ],
        "waiting": standing.waiting,
        "set_aside": standing.set_aside,
    }
