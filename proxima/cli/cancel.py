"""`proxima cancel`: end jobs that nobody wants any more."""

from typing import Annotated

import typer

from proxima.cli.options import BrokerOption, ConfigOption


def cancel(
    name: Annotated[
        str, typer.Argument(metavar="BATCH|JOB", help="Id of a batch, or of one of its jobs.")
    ],
    broker: BrokerOption = None,
    config: ConfigOption = None,
) -> None:
    """Cancel a batch or a job.

    What waits ends at once, what runs within two seconds; what is done stays.
    """
    from proxima.broker import batches
    from proxima.broker.steering import cancel_jobs
    from proxima.cli.setup import Farm, Setup

    farm = Farm(Setup(config, {"broker": broker}).require_broker())
    batch, jobs = batches.find(farm.client, name)
    # What another batch had sent before is that one's to cancel.
    own = [job for job in jobs if job.batch == batch.id]
    typer.echo(f"cancelled {cancel_jobs(own, farm.client, farm.celery)} of {len(jobs)} jobs")
    for other in sorted({job.batch for job in jobs} - {batch.id}):
        typer.echo(f"jobs that batch {other} had sent before go on (proxima cancel {other})")
