"""The lease: the right to work on a job now. Lua on the server, by the server's clock.

Celery delivers a message at least once; a lease decides who works. The attempt number is the
fence: a worker that lost its lease can finish nothing, as a later attempt has a higher number.
"""

from collections.abc import Sequence
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import msgspec

from proxima.broker import keys, wire
from proxima.job import JobOutcome, JobState

if TYPE_CHECKING:
    from redis import Redis

#: How long a lease runs without being renewed.
LEASE_SECONDS = 30.0


class Lease(msgspec.Struct, frozen=True, kw_only=True):
    """What a worker holds while it works on a job."""

    job_id: str
    worker: str
    #: From 1; the fence.
    attempt: int


class Claim(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to a claim."""

    #: The state found; ENCODING with a lease means that it is ours now.
    state: JobState
    #: Ours, or None.
    lease: Lease | None = None
    #: The Job as it was sent, still encoded; only with a lease.
    job: bytes = b""
    #: How it ended, if it has.
    outcome: JobOutcome | None = None


class LeaseBook:
    """All leases of a farm. Every method is one round trip and atomic."""

    def __init__(self, client: "Redis", seconds: float = LEASE_SECONDS) -> None:
        self._client = client
        self.seconds = seconds
        self._script = {
            name: client.register_script(_source(name))
            for name in ("claim", "renew", "finish", "release", "cancel")
        }

    def claim(self, job_id: str, worker: str) -> Claim | None:
        """Ask for the job; None if the farm does not know it."""
        answer = self._run("claim", job_id, worker, self._milliseconds)
        if answer is None:
            return None
        state = JobState(answer[0].decode())
        if state is JobState.QUEUED:
            lease = Lease(job_id=job_id, worker=worker, attempt=int(answer[1]))
            return Claim(state=JobState.ENCODING, lease=lease, job=answer[2])
        outcome = wire.decode(answer[1], JobOutcome) if answer[1] else None
        return Claim(state=state, outcome=outcome)

    def renew(self, leases: Sequence[Lease]) -> list[JobState | None]:
        """Renew all in one trip: ENCODING = still ours, CANCELLED = stop, None = lost."""
        pipe = self._client.pipeline(transaction=False)
        for lease in leases:
            self._run("renew", *_held(lease), self._milliseconds, client=pipe)
        return [JobState(answer.decode()) if answer else None for answer in pipe.execute()]

    def finish(self, lease: Lease, outcome: JobOutcome) -> bool:
        """End the job as *outcome* says; False if the lease is lost or the job cancelled."""
        return bool(self._run("finish", *_held(lease), outcome.state.value, wire.encode(outcome)))

    def retract(self, lease: Lease, outcome: JobOutcome) -> bool:
        """Replace our own accepted DONE, as publishing failed."""
        return bool(
            self._run("finish", *_held(lease), outcome.state.value, wire.encode(outcome), "done")
        )

    def release(self, lease: Lease) -> bool:
        """Hand the job back: it waits again. False if the lease is lost."""
        return bool(self._run("release", *_held(lease)))

    def cancel(self, job_ids: Sequence[str]) -> list[JobState | None]:
        """Cancel jobs in one trip: the state in which each was found; None if unknown.

        A waiting job is cancelled at once, a running one when its worker renews.
        """
        outcome = wire.encode(JobOutcome(state=JobState.CANCELLED))
        pipe = self._client.pipeline(transaction=False)
        for job_id in job_ids:
            self._run("cancel", job_id, outcome, client=pipe)
        return [JobState(answer.decode()) if answer else None for answer in pipe.execute()]

    @property
    def _milliseconds(self) -> int:
        return int(self.seconds * 1000)

    def _run(self, name: str, job_id: str, *args: Any, client: Any = None) -> Any:
        return self._script[name](keys=[keys.job(job_id)], args=list(args), client=client)


def _held(lease: Lease) -> tuple[str, str, int]:
    return lease.job_id, lease.worker, lease.attempt


def _source(name: str) -> str:
    return (files("proxima.broker") / "scripts" / f"{name}.lua").read_text()
