"""`proxima retry`: send again what failed or was cancelled."""

from typing import Annotated

import typer

from proxima.cli.options import BrokerOption, ConfigOption


def retry(
    name: Annotated[
        str, typer.Argument(metavar="BATCH|JOB", help="Id of a batch, or of one of its jobs.")
    ],
    broker: BrokerOption = None,
    config: ConfigOption = None,
) -> None:
    """Send again what failed or was cancelled.

    Nothing else of the batch is touched. See it with: proxima watch BATCH
    """
    from proxima.broker import batches
    from proxima.broker.steering import retry_jobs
    from proxima.cli.setup import Farm, Setup

    farm = Farm(Setup(config, {"broker": broker}).require_broker())
    _, jobs = batches.find(farm.client, name)
    count = retry_jobs(jobs, farm.client, farm.celery)
    typer.echo(f"sent {count} of {len(jobs)} jobs again")
