"""One job from the queue to its output: the story of the worker."""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from proxima.batch import Batch
from proxima.broker import wire
from proxima.broker.endings import failure_of
from proxima.broker.lease import Claim, LeaseBook
from proxima.errors import FailureKind, JobFailed, WorkStopped
from proxima.job import Job, JobOutcome, JobState, Problem
from proxima.preset import Preset
from proxima.progress import Stage
from proxima.worker.encoding import Encoder, Step
from proxima.worker.faults import as_failure, naming
from proxima.worker.lease_keeper import HeldLease, LeaseKeeper
from proxima.worker.preset_check import require_valid
from proxima.worker.remedies import REMEDIES, Remedy
from proxima.worker.report import Reporter
from proxima.worker.retries import Retries, told
from proxima.worker.scratch import Scratch
from proxima.worker.self_test import Ailment
from proxima.worker.slot_board import Slot, SlotBoard
from proxima.worker.wellness import Wellness

#: Of a job whose batch cannot be read.
RETRIES = 2

log = logging.getLogger(__name__)


class HandedBack(WorkStopped):
    """The job waits again; its message must go back to the queue."""


class TriedAgain(WorkStopped):
    """The job failed, and will be sent again later."""


class NotOurs(WorkStopped):
    """Another worker has the job, or is to take it: this message has nothing to say."""


class Cancelled(WorkStopped):
    """Somebody cancelled the job."""


@dataclass(frozen=True, kw_only=True)
class Transcoder:
    """Carries jobs; one for all slots of a worker."""

    worker: str
    leases: LeaseBook
    retries: Retries
    wellness: Wellness
    keeper: LeaseKeeper
    board: SlotBoard
    reporter: Reporter
    encoder: Encoder
    #: Told of each job that was done: how many seconds it took.
    done: Callable[[Job, Preset, float], None]
    #: Whether everything has to stop now.
    stopping: Callable[[], bool]
    #: Gives the batch of an id, without its jobs.
    batch_of: Callable[[str], Batch]

    def transcode(self, job_id: str, protocol: object) -> JobOutcome:
        """Carry one job to its end.

        JobFailed if it failed; TriedAgain, HandedBack, NotOurs or Cancelled if it is not ours to
        end.
        """
        claim = self._claim(job_id)
        if claim.state is JobState.DONE and not claim.is_published:
            self._recover(claim)
            claim = self._claim(job_id)
        if not claim.is_granted:
            return _already_ended(claim)
        with self.keeper.hold(claim.lease) as held, self.board.slot(job_id) as slot:
            try:
                return self._work(claim, protocol, held, slot)
            except TriedAgain:
                raise
            except WorkStopped:
                self._let_go(held)
            finally:
                # Before the task ends: a late reading must not overwrite its final state.
                self.reporter.forget(job_id)

    def _claim(self, job_id: str) -> Claim:
        claim = self.retries.claim(job_id, self.worker)
        if claim is None:
            raise JobFailed(FailureKind.MESSAGE_INVALID, f"the farm has no record of job {job_id}")
        if claim.is_declined or claim.is_held:
            raise NotOurs
        return claim

    def _recover(self, claim: Claim) -> None:
        """A worker was lost after its output was accepted, perhaps before it had its name."""
        job = _job_of(claim)
        scratch = Scratch(self.encoder.access.output(job.output), claim.lease)
        size = claim.outcome.output_bytes if claim.outcome else None
        if scratch.recover(size, replace=job.replace):
            self.leases.published(claim.lease)
        else:
            log.warning("job %s was done, but its output is gone: again", job.id)
            self.leases.release(claim.lease, instead_of_done=True)

    def _work(self, claim: Claim, protocol: object, held: HeldLease, slot: Slot) -> JobOutcome:
        started = time.monotonic()
        job = batch = None
        try:
            wire.check_protocol(protocol, f"worker {self.worker}")
            job = _job_of(claim)
            slot.show_file(Path(job.source).name)
            batch = self.batch_of(job.batch)
            require_valid(batch.preset)
            outcome = self._make(job, batch, held, slot, started)
        except WorkStopped:
            raise
        except Exception as error:
            failure = as_failure(error)
            if job:
                failure = naming(failure, job.source)
            if failure.kind is FailureKind.UNKNOWN:
                log.exception("job %s", held.lease.job_id)
            if job and batch:
                self._blame(failure, job, batch)
            if self.retries.hand_back(claim, failure, batch.retries if batch else RETRIES):
                raise TriedAgain(str(failure)) from error
            ended = told(failure, claim.history, self.worker)
            self._fail(held, ended, time.monotonic() - started)
            raise ended from error
        self.wellness.worked()
        return outcome

    def _blame(self, failure: JobFailed, job: Job, batch: Batch) -> None:
        """Tell of a failure that was this worker's own."""
        if REMEDIES[failure.kind] is Remedy.ELSEWHERE:
            self.wellness.failed(
                Ailment(kind=failure.kind, message=failure.message, job=job, preset=batch.preset)
            )

    def _make(
        self, job: Job, batch: Batch, held: HeldLease, slot: Slot, started: float
    ) -> JobOutcome:
        """Encode, verify, and publish if the job is still ours to finish."""
        scratch = Scratch(self.encoder.access.output(job.output), held.lease)
        step = Step(
            *(held, slot, self.reporter, self.stopping, batch.stall_seconds),
            is_thorough=batch.verify == "full",
        )
        try:
            encoded = self.encoder.encode(job, batch.preset, scratch, step)
            outcome = JobOutcome(
                state=JobState.DONE,
                worker=self.worker,
                seconds=time.monotonic() - started,
                warnings=encoded.warnings,
                output_bytes=scratch.settle(),
                ssim=encoded.ssim,
            )
            step.tell(Stage.PUBLISHING)
            if not self.leases.finish(held.lease, outcome):
                raise WorkStopped  # noqa: TRY301 - the scratch goes as for any other stop
            scratch.publish(replace=job.replace)
            self.leases.published(held.lease)
            if not step.has_rested:
                self.done(job, batch.preset, outcome.seconds or 0.0)
        except BaseException:
            scratch.remove()
            raise
        return outcome

    def _fail(self, held: HeldLease, failure: JobFailed, seconds: float) -> None:
        problem = Problem(kind=failure.kind, message=failure.message, hint=failure.hint)
        outcome = JobOutcome(
            state=JobState.FAILED, worker=self.worker, seconds=seconds, problem=problem
        )
        # The second, if it was accepted as done and could not be published.
        if not any(
            self.leases.finish(held.lease, outcome, instead_of_done=d) for d in (False, True)
        ):
            raise WorkStopped

    def _let_go(self, held: HeldLease) -> NoReturn:
        """End work that was stopped, as the farm says now."""
        state = self.leases.renew([held.lease])[0]
        if state is JobState.CANCELLED:
            cancelled = JobOutcome(state=JobState.CANCELLED, worker=self.worker)
            self.leases.finish(held.lease, cancelled)
            raise Cancelled
        if state is None or not self.leases.release(held.lease):
            raise NotOurs
        raise HandedBack


def _job_of(claim: Claim) -> Job:
    """The job as it was sent; JobFailed unless it is the one that was claimed."""
    job = wire.decode(claim.job, Job)
    if job.id != claim.lease.job_id:
        raise JobFailed(
            FailureKind.MESSAGE_INVALID, f"the record of job {claim.lease.job_id} is of another"
        )
    return job


def _already_ended(claim: Claim) -> JobOutcome:
    """A message for a job that needs no work: its stored end, so that a lost result heals."""
    if claim.state is JobState.CANCELLED:
        raise Cancelled
    if claim.state is JobState.ENCODING or claim.outcome is None:
        raise NotOurs
    if claim.outcome.problem:
        raise failure_of(claim.outcome)
    return claim.outcome
