"""Retries: whether a job that failed is tried again, when, and whether it counts."""

from collections.abc import Callable
from dataclasses import dataclass

from proxima.broker.history import History
from proxima.broker.lease import LEASE_SECONDS, Claim, LeaseBook
from proxima.errors import JobFailed
from proxima.job import Problem
from proxima.worker.remedies import REMEDIES, Remedy, back_off

#: A worker leaves a job on which it failed so many times to others before it takes it again.
MOST_DECLINES = 3
#: Seconds until a job that was left to others is sent again.
DECLINE_SECONDS = 2.0
#: Seconds until a job that failed through a worker's own fault is sent again.
ELSEWHERE_SECONDS = 1.0
#: However many workers there are, a job is not handed round more often than that.
MOST_RETURNS = 10


@dataclass(frozen=True, kw_only=True)
class Retries:
    """Hands failed jobs back; one for all slots of a worker."""

    leases: LeaseBook
    #: The names of other workers that could do it.
    peers: Callable[[], frozenset[str]]

    def claim(self, job_id: str, worker: str) -> Claim | None:
        """Ask for a job, unless it failed here before and others could take it."""
        claim = self.leases.claim(job_id, worker, MOST_DECLINES)
        if claim is None or not claim.is_declined:
            return claim
        fresh = self.peers() - set(claim.history.failed_on)
        if fresh and self.leases.decline(job_id, DECLINE_SECONDS * self._pace):
            return claim
        return self.leases.claim(job_id, worker)

    def hand_back(self, claim: Claim, failure: JobFailed, retries: int) -> bool:
        """Let the job be tried again if its failure and its *retries* allow it; whether it is."""
        remedy, history = REMEDIES[failure.kind], claim.history
        if remedy is Remedy.NONE:
            return False
        counts = remedy is Remedy.AGAIN or not self._can_go_elsewhere(claim)
        if counts and history.failures >= retries:
            return False
        seconds = back_off(history.failures) if counts else ELSEWHERE_SECONDS
        problem = Problem(kind=failure.kind, message=failure.message, hint=failure.hint)
        # Accepted as done already, if it could not be published.
        return any(
            self.leases.retry(
                claim.lease, problem, seconds=seconds * self._pace, counts=counts, done=done
            )
            for done in (False, True)
        )

    def _can_go_elsewhere(self, claim: Claim) -> bool:
        fresh = self.peers() - set(claim.history.failed_on)
        return bool(fresh) and claim.history.returned < MOST_RETURNS

    @property
    def _pace(self) -> float:
        # A farm with short leases waits as much shorter.
        return self.leases.seconds / LEASE_SECONDS


def told(failure: JobFailed, history: History, worker: str) -> JobFailed:
    """The failure that ends a job, with how often and where it was tried."""
    if not history.failed_on:
        return failure
    tried = history.and_on(worker).tried
    return JobFailed(failure.kind, f"{failure.message} ({tried})", failure.hint)
