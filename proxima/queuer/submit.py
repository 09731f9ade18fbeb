"""From a plan to a batch on the farm: record first, then one Celery group."""

import getpass
import secrets
import socket
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec

from proxima.batch import Batch, Settled
from proxima.broker import batches, dispatch, keys
from proxima.config.schema import JobRules
from proxima.job import Job
from proxima.queuer.plan import Plan

if TYPE_CHECKING:
    from celery import Celery
    from redis import Redis

#: No letters that are read for one another.
_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"


def make_batch(  # noqa: PLR0913 - what a batch is made of, all by name
    plan: Plan,
    *,
    label: str,
    priority: int,
    rules: JobRules,
    to_portable: Callable[[str], str],
    start_at: float | None = None,
    tag: str = "",
) -> Batch:
    """The batch of *plan*, with new ids, portable paths and a copy of the rules.

    *start_at* is in seconds since the epoch.
    """
    batch_id = "".join(secrets.choice(_LETTERS) for _ in range(8))
    jobs = tuple(
        Job(
            id=keys.job_id(batch_id, number),
            batch=batch_id,
            source=to_portable(str(planned.source)),
            output=to_portable(str(planned.output)),
            seconds=planned.seconds,
            frames=planned.frames,
            size=planned.size,
            replace=planned.replace,
            allow_damaged=planned.allow_damaged,
            rate=planned.rate,
            companions=tuple(to_portable(str(file)) for file in planned.companions),
        )
        for number, planned in enumerate(plan.jobs, start=1)
    )
    return Batch(
        id=batch_id,
        label=label,
        user=_user(),
        host=socket.gethostname(),
        created=time.time(),
        priority=priority,
        preset=plan.preset,
        retries=rules.retries,
        stall_seconds=rules.stall_seconds,
        verify=rules.verify,
        start_at=start_at,
        tag=tag,
        jobs=jobs,
        settled=tuple(_portable(settled, to_portable) for settled in plan.settled),
    )


def submit(batch: Batch, client: "Redis", celery: "Celery") -> Batch:
    """Save the batch, then send its own jobs as one group; gives the batch as it was saved."""
    # What is to start later is sent by the sweep. Saved first: a worker may start on a job before
    saved = batches.save(client, batch)
    if saved.own_jobs and batch.start_at is None:
        dispatch.send_batch(celery, saved)
    return saved


def _portable(settled: Settled, to_portable: Callable[[str], str]) -> Settled:
    output = settled.output and to_portable(settled.output)
    return msgspec.structs.replace(settled, source=to_portable(settled.source), output=output)


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        # A container's user may have no name.
        return "unknown"
