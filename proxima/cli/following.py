"""Following a batch on screen until it is finished, and what Ctrl-C means meanwhile."""

import time
from collections.abc import Callable

from proxima.batch import Batch
from proxima.broker.steering import cancel_jobs
from proxima.cli.setup import Farm
from proxima.cli.views import View
from proxima.client.watching import watching
from proxima.errors import Interrupted
from proxima.job import JobState
from proxima.queuer.follow import TICK_SECONDS, Follower, follow
from proxima.queuer.standing import BatchStanding

#: Seconds in which a second Ctrl-C cancels the batch.
CANCEL_SECONDS = 2.0


def watch_to_end(
    batch: Batch,
    farm: Farm,
    view: View,
    reattach: str,
    check: Callable[[], None] = lambda: None,
) -> int:
    """Show *batch* until it is finished; the exit code. Interrupted when the user leaves it.

    *reattach* is the line that shows it again; empty if the farm ends with this command. *check*
    raises what makes waiting vain.
    """
    with watching(batch, farm) as follower, view:
        try:
            for standing in follow(follower):
                view.show(standing)
                check()
        except KeyboardInterrupt:
            if reattach:
                _leave(batch, farm, view, follower, reattach)
            raise Interrupted(_left(batch, reattach)) from None
        code = exit_code(standing)
        view.finish(standing, code)
    return code


def exit_code(standing: BatchStanding) -> int:
    """0 if every source has its output, else 1."""
    refused = any(settled.state is JobState.REFUSED for settled in standing.batch.settled)
    return int(refused or standing.count(JobState.DONE) < len(standing.jobs))


def _leave(batch: Batch, farm: Farm, view: View, follower: Follower, reattach: str) -> None:
    """Give the user 2 s for a second Ctrl-C, which cancels the batch."""
    notice = f"The batch goes on. Again: {reattach}   Ctrl-C now cancels it."
    deadline = time.monotonic() + CANCEL_SECONDS
    try:
        while time.monotonic() < deadline:
            view.show(follower.poll(), notice)
            time.sleep(TICK_SECONDS)
    except KeyboardInterrupt:
        count = cancel_jobs(batch.own_jobs, farm.client, farm.celery)
        raise Interrupted(f"cancelled {count} of {len(batch.jobs)} jobs of {batch.id}") from None


def _left(batch: Batch, reattach: str) -> str:
    if reattach:
        return f"batch {batch.id} goes on; to see it again: {reattach}"
    return f"stopped; what batch {batch.id} has finished stays"
