"""LeaseKeeper: renews the leases of all slots from one thread, and says when one is gone."""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from proxima.broker.address import BrokerAddress
from proxima.broker.lease import Lease, LeaseBook
from proxima.broker.trouble import translated
from proxima.errors import BrokerError
from proxima.job import JobState

#: Seconds between renewals. Much shorter than the lease, as an order to cancel comes back with
#: the renewal and must be carried out within 2 s.
RENEW_SECONDS = 1.0
#: A shorter lease is renewed more often: so many times, so that some may fail.
RENEWALS = 10
#: A worker that could not renew for this share of its lease must not go on: soon another has it.
FENCE_SHARE = 0.75


class HeldLease:
    """A lease as its slot sees it."""

    def __init__(self, lease: Lease, deadline: float, clock: Callable[[], float]) -> None:
        self.lease = lease
        self.deadline = deadline
        self._clock = clock
        self.cancelled = False
        self.lost = False
        #: Whether its encode has to stand still for now.
        self.suspended = False

    def must_stop(self) -> bool:
        """Whether the slot has to drop its work."""
        # By the clock, as a renewal may hang in a dead connection, or the whole worker be frozen.
        return self.cancelled or self.lost or self._clock() > self.deadline


class LeaseKeeper:
    """Give it a lease with `hold`; it is renewed until the block ends."""

    def __init__(
        self,
        book: LeaseBook,
        address: BrokerAddress,
        clock: Callable[[], float] = time.monotonic,
        suspended: Callable[[], frozenset[str]] = frozenset,
    ) -> None:
        """*suspended* gives the batches of which nothing may run."""
        self._book = book
        self._address = address
        self._clock = clock
        self._suspended = suspended
        #: Whether all work of this worker has to stand still.
        self.suspend_all = False
        self._held: dict[str, HeldLease] = {}
        self._ended = threading.Event()

    @property
    def job_ids(self) -> tuple[str, ...]:
        """The jobs whose leases are held."""
        return tuple(self._held)

    @contextmanager
    def hold(self, lease: Lease) -> Iterator[HeldLease]:
        """Renew *lease* while the block runs."""
        held = self._held[lease.job_id] = HeldLease(lease, self._deadline(), self._clock)
        try:
            yield held
        finally:
            self._held.pop(lease.job_id, None)

    def run(self) -> None:
        """Renew until `end`; for a thread of its own."""
        while not self._ended.wait(min(RENEW_SECONDS, self._book.seconds / RENEWALS)):
            self.renew_all()

    def end(self) -> None:
        """Stop renewing."""
        self._ended.set()

    def renew_all(self) -> None:
        """Renew every lease once; a broker that is away costs nothing until the fence."""
        held = list(self._held.values())
        if not held:
            return
        asked = self._deadline()
        with contextlib.suppress(BrokerError), translated(self._address):
            answers = self._book.renew([h.lease for h in held])
            for one, answer in zip(held, answers, strict=True):
                one.deadline = asked
                one.cancelled = one.cancelled or answer is JobState.CANCELLED
                one.lost = one.lost or answer is None
            standing_still = self._suspended()
            for one in held:
                batch_id = one.lease.job_id.partition("-")[0]
                one.suspended = self.suspend_all or batch_id in standing_still

    def _deadline(self) -> float:
        return self._clock() + self._book.seconds * FENCE_SHARE
