"""Watching: following a batch, and looking after its farm meanwhile."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from proxima.batch import Batch
from proxima.client.farm_setup import Farm

if TYPE_CHECKING:
    from proxima.queuer.follow import Follower


@contextmanager
def watching(batch: Batch, farm: Farm) -> Iterator["Follower"]:
    """A follower of *batch*; while it is there, the farm is swept: its last worker may be lost."""
    from proxima.broker.lease import LeaseBook
    from proxima.broker.reconcile import Sweeper
    from proxima.queuer.follow import Follower

    sweeper = Sweeper(farm.celery, farm.client, farm.address, LeaseBook(farm.client))
    threading.Thread(target=sweeper.run, daemon=True).start()
    try:
        yield Follower(batch, farm.client, farm.celery, farm.address)
    finally:
        sweeper.end()
