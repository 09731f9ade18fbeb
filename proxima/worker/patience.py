"""Patience: while the broker is away, a slot waits for it rather than fail a job."""

import logging
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from proxima.broker.address import BrokerAddress
from proxima.broker.lease import Lease, LeaseBook
from proxima.broker.trouble import translated
from proxima.errors import BrokerError
from proxima.job import JobState

if TYPE_CHECKING:
    from redis import Redis

#: Seconds between two tries.
AGAIN_SECONDS = 0.5
#: Seconds that a worker waits which is to leave: by then its leases are over.
LEAVING_SECONDS = 60.0

T = TypeVar("T")

log = logging.getLogger(__name__)


class Patience:
    """Call it with what asks the broker something; it asks until there is an answer."""

    def __init__(
        self,
        address: BrokerAddress,
        stopping: Callable[[], bool],
        sleep: Callable[[float], None] = time.sleep,
        *,
        leaving: Callable[[], bool] = lambda: False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """A worker that is *leaving* waits for a while only, one that is *stopping* not at all."""
        self._address, self._stopping, self._sleep = address, stopping, sleep
        self._leaving, self._clock = leaving, clock

    def __call__(self, ask: Callable[[], T]) -> T:
        """The answer to *ask*, which may be asked twice; BrokerError once the worker stops."""
        since = self._clock()
        while True:
            try:
                with translated(self._address):
                    return ask()
            except BrokerError as error:
                is_over = self._leaving() and self._clock() - since > LEAVING_SECONDS
                if self._stopping() or is_over:
                    raise
                log.debug("asking again: %s", error)
            self._sleep(AGAIN_SECONDS)


class PatientLeases(LeaseBook):
    """The leases as the slots of a worker see them."""

    def __init__(self, client: "Redis", seconds: float, patience: Patience) -> None:
        super().__init__(client, seconds)
        self._patience = patience

    def renew(self, leases: Sequence[Lease]) -> list[JobState | None]:
        """As LeaseBook.renew, when the broker is there."""
        return self._patience(lambda: super(PatientLeases, self).renew(leases))

    def _run(self, name: str, job_id: str, *args: Any, client: Any = None) -> Any:
        run = super()._run
        if client is not None:
            return run(name, job_id, *args, client=client)
        return self._patience(lambda: run(name, job_id, *args))
