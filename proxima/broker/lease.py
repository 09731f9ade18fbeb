"""The lease: the right to work on a job now. Lua on the server, by the server's clock.

Celery delivers a message at least once, and sometimes not at all; a lease decides who works. The
attempt number is the fence: a worker that lost its lease can finish nothing, as a later attempt
has a higher number. What a lost lease leaves behind is put right by `reconcile`.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from proxima.broker import keys, lua, wire
from proxima.broker.history import History, read_history
from proxima.job import JobOutcome, JobState, Problem

if TYPE_CHECKING:
    from redis import Redis

#: How long a lease runs without being renewed.
LEASE_SECONDS = 30.0

_SCRIPTS = (
    "claim",
    "renew",
    "finish",
    "published",
    "settle",
    "release",
    "cancel",
    "requeue",
    "reclaim",
    "retry",
    "decline",
    "wake",
    "hasten",
)


class Lease(msgspec.Struct, frozen=True, kw_only=True):
    """What a worker holds while it works on a job."""

    job_id: str
    worker: str
    #: From 1; the fence.
    attempt: int


class Claim(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to a claim."""

    #: The state found; of a job that waited it is ENCODING now.
    state: JobState
    #: Ours if `is_granted`, else that of the worker who has it or ended it.
    lease: Lease
    is_granted: bool = False
    #: The Job as it was sent, still encoded.
    job: bytes = b""
    #: How it ended, if it has.
    outcome: JobOutcome | None = None
    #: Whether the output of a done job has its name.
    is_published: bool = False
    #: Whether the job waits, but failed on this worker before.
    is_declined: bool = False
    #: Whether the job waits, as its batch is paused.
    is_held: bool = False
    history: History = History()


class Lapsed(msgspec.Struct, frozen=True, kw_only=True):
    """What the sweep found of a job that nobody looked after in time."""

    #: QUEUED: send it again. A final state: store its result. None: somebody was quicker.
    state: JobState | None
    outcome: JobOutcome | None = None
    is_published: bool = False
    #: The lease of a job that took too many workers down; it waits to be failed.
    poisoned: Lease | None = None
    #: The workers that were lost with it.
    lost_to: tuple[str, ...] = ()


class LeaseBook:
    """All leases of a farm. Every method is one round trip and atomic."""

    def __init__(self, client: "Redis", seconds: float = LEASE_SECONDS) -> None:
        self._client = client
        self.seconds = seconds
        self._script = {name: client.register_script(lua.script(name)) for name in _SCRIPTS}

    def claim(self, job_id: str, worker: str, declines: int = 0) -> Claim | None:
        """Ask for the job; None if the farm does not know it.

        One that failed on *worker* before is not given if it was declined fewer than *declines*
        times since.
        """
        answer = self._run("claim", job_id, worker, self._milliseconds, declines)
        if answer is None:
            return None
        if answer[0] == b"held":
            lease = Lease(job_id=job_id, worker=worker, attempt=0)
            return Claim(state=JobState.QUEUED, lease=lease, is_held=True)
        if answer[0] in {b"queued", b"declined"}:
            is_granted = answer[0] == b"queued"
            return Claim(
                state=JobState.ENCODING if is_granted else JobState.QUEUED,
                lease=Lease(job_id=job_id, worker=worker, attempt=int(answer[1])),
                is_granted=is_granted,
                is_declined=not is_granted,
                job=answer[2],
                history=read_history(*answer[3:]),
            )
        return Claim(
            state=JobState(answer[0].decode()),
            lease=Lease(job_id=job_id, worker=answer[3].decode(), attempt=int(answer[2])),
            job=answer[5],
            outcome=_outcome(answer[1]),
            is_published=bool(answer[4]),
        )

    def renew(self, leases: Sequence[Lease]) -> list[JobState | None]:
        """Renew all in one trip: ENCODING = still ours, CANCELLED = stop, None = lost."""
        pipe = self._client.pipeline(transaction=False)
        for lease in leases:
            self._run("renew", *_held(lease), self._milliseconds, client=pipe)
        return [JobState(answer.decode()) if answer else None for answer in pipe.execute()]

    def finish(self, lease: Lease, outcome: JobOutcome, *, instead_of_done: bool = False) -> bool:
        """End the job as *outcome* says; False if the lease is lost or the job cancelled.

        *instead_of_done* takes back our own DONE, as its output could not be published.
        """
        state = outcome.state.value
        args = (state, wire.encode(outcome), self._milliseconds, *["done"] * instead_of_done)
        return bool(self._run("finish", *_held(lease), *args))

    def published(self, lease: Lease) -> bool:
        """Note that the output has its name."""
        return bool(self._run("published", *_held(lease)))

    def settle(self, job_id: str, state: JobState | None = None) -> bool:
        """Note that the result of an ended job is stored; False if it did not end as *state*."""
        return bool(self._run("settle", job_id, *([state.value] if state else [])))

    def release(self, lease: Lease, *, instead_of_done: bool = False) -> bool:
        """Hand the job back: it waits again. False if the lease is lost.

        *instead_of_done* takes back a DONE whose output is gone.
        """
        return bool(self._run("release", *_held(lease), *["done"] * instead_of_done))

    def retry(
        self, lease: Lease, problem: Problem, *, seconds: float, counts: bool, done: bool = False
    ) -> bool:
        """Hand a failed job back, to be sent again in *seconds*; False if lost or cancelled.

        *counts* says whether it counts against the job's retries; *done* takes back our own DONE,
        as its output could not be published.
        """
        counter = "failures" if counts else "returned"
        args = (int(seconds * 1000), counter, wire.encode(problem), *["done"] * done)
        return bool(self._run("retry", *_held(lease), *args))

    def decline(self, job_id: str, seconds: float) -> bool:
        """Let a job that waits be sent again in *seconds*; False if it does not wait."""
        return bool(self._run("decline", job_id, int(seconds * 1000)))

    def wake(self, job_id: str) -> bool:
        """Let a delayed job wait for a worker, if it is due; True if it must be sent."""
        return bool(self._run("wake", job_id))

    def hasten(self, job_ids: Sequence[str]) -> list[bool]:
        """Let delayed jobs be due now, in one trip: which of them were delayed."""
        pipe = self._client.pipeline(transaction=False)
        for job_id in job_ids:
            self._run("hasten", job_id, client=pipe)
        return [bool(answer) for answer in pipe.execute()]

    def failed_on(self, job_id: str) -> tuple[str, ...]:
        """The workers on which a job failed and was tried again."""
        names: Any = self._client.hget(keys.job(job_id), "failed_on")
        return tuple((names or b"").decode().split())

    def cancel(self, job_ids: Sequence[str]) -> list[JobState | None]:
        """Cancel jobs in one trip: the state in which each was found; None if unknown.

        A waiting job is cancelled at once, a running one when its worker renews.
        """
        pipe = self._client.pipeline(transaction=False)
        for job_id in job_ids:
            self._run("cancel", job_id, _CANCELLED, self._milliseconds, client=pipe)
        return [JobState(answer.decode()) if answer else None for answer in pipe.execute()]

    def requeue(self, job_ids: Sequence[str]) -> list[bool]:
        """Let jobs that failed or were cancelled wait again, in one trip: which of them do."""
        pipe = self._client.pipeline(transaction=False)
        for job_id in job_ids:
            self._run("requeue", job_id, client=pipe)
        return [bool(answer) for answer in pipe.execute()]

    def reclaim(self, job_id: str, limit: int) -> Lapsed:
        """Put right a job whose time ran out; at the *limit* of lost attempts it is poisonous."""
        answer = self._run("reclaim", job_id, limit, _CANCELLED, self._milliseconds)
        match answer[0]:
            case b"early":
                return Lapsed(state=None)
            case b"queued":
                return Lapsed(state=JobState.QUEUED)
            case b"poisonous":
                owner, attempt, lost_to = (part.decode() for part in answer[1:])
                poisoned = Lease(job_id=job_id, worker=owner, attempt=int(attempt))
                workers = tuple(lost_to.split())
                return Lapsed(state=JobState.ENCODING, poisoned=poisoned, lost_to=workers)
        state = JobState(answer[0].decode())
        outcome = _outcome(answer[1])
        return Lapsed(state=state, outcome=outcome, is_published=bool(answer[2]))

    @property
    def _milliseconds(self) -> int:
        return int(self.seconds * 1000)

    def _run(self, name: str, job_id: str, *args: Any, client: Any = None) -> Any:
        names = [keys.job(job_id), keys.WAITING, keys.LEASED, keys.DELAYED, keys.PAUSED]
        return self._script[name](keys=names, args=list(args), client=client)


_CANCELLED = wire.encode(JobOutcome(state=JobState.CANCELLED))


def _outcome(text: bytes) -> JobOutcome | None:
    return wire.decode(text, JobOutcome) if text else None


def _held(lease: Lease) -> tuple[str, str, int]:
    return lease.job_id, lease.worker, lease.attempt
