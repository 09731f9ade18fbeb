"""Sending a plan: to the farm, or to a local farm made for it."""

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from proxima.batch import Batch, Settled
from proxima.cli.following import exit_code, watch_to_end
from proxima.cli.local_farm import LocalFarm
from proxima.cli.notes import note
from proxima.cli.setup import Farm, Setup
from proxima.cli.views import View, choose_view
from proxima.client.door import Client
from proxima.errors import FailureKind, PlanRefused, UsageError
from proxima.ffmpeg.binaries import find_ffmpeg
from proxima.job import JobState, Problem
from proxima.queuer.plan import Plan
from proxima.queuer.standing import BatchStanding


@dataclass(frozen=True, kw_only=True)
class Sending:
    """Sends plans as batches."""

    setup: Setup
    label: str
    priority: int
    verify: Literal["quick", "full"]
    as_json: bool
    #: Seconds since the epoch; None: at once.
    start_at: float | None = None
    #: Of the workers that are to take it; empty: any.
    tag: str = ""

    def send(self, plan: Plan, *, detach: bool) -> int:
        """Send *plan* and show the batch to its end; the exit code."""
        batch = self._batch(plan)
        if not batch.jobs:
            return self._nothing_to_do(batch)
        if self.setup.config.broker:
            return self._to_farm(batch, detach=detach)
        if self.start_at is not None or self.tag:
            option = "--on" if self.tag else "--start-at"
            raise UsageError(f"{option} needs a farm (start one: proxima broker --lan)")
        if detach:
            raise UsageError(
                "--detach needs a farm: without a broker this command does the work itself "
                "(start one: proxima broker --lan)"
            )
        return self._on_local_farm(batch)

    def report_refusal(self, plan: Plan) -> None:
        """Tell programs of a plan of which nothing is sent; people get the error alone."""
        if self.as_json:
            batch = self._batch(replace(plan, jobs=(), settled=(*plan.settled, *_unsent(plan))))
            with self._view("") as view:
                view.finish(_standing(batch), PlanRefused.exit_code)

    def _batch(self, plan: Plan) -> Batch:
        return Client(self.setup).batch(
            plan,
            label=self.label,
            priority=self.priority,
            verify=self.verify,
            start_at=self.start_at,
            tag=self.tag,
        )

    def _to_farm(self, batch: Batch, *, detach: bool) -> int:
        farm = Client(self.setup)
        batch = farm.send(batch)
        if not self.as_json:
            _tell_of_shared(batch)
        again = self.setup.watch_line(batch.id)
        if not detach:
            return watch_to_end(batch, farm.farm, self._view(self.setup.work_line), again)
        if self.as_json:
            sent = {"type": "batch.queued", "batch": batch.id, "jobs": len(batch.jobs)}
            sys.stdout.write(json.dumps(sent) + "\n")
        else:
            sys.stdout.write(f"sent {len(batch.jobs)} jobs as batch {batch.id}; watch: {again}\n")
        return 0

    def _on_local_farm(self, batch: Batch) -> int:
        # Here rather than in the worker: one message, and nothing is started in vain.
        find_ffmpeg(self.setup.config.worker.ffmpeg)
        with LocalFarm(self.setup.config) as local:
            note(
                f"encoding on this machine, {local.slots} at a time "
                "(for a farm: proxima broker --lan, then --broker URL)"
            )
            farm = Client(self.setup, Farm(local.url))
            batch = farm.send(batch)
            view = self._view(start_worker="")
            return watch_to_end(batch, farm.farm, view, reattach="", check=local.check)

    def _nothing_to_do(self, batch: Batch) -> int:
        standing = _standing(batch)
        code = exit_code(standing)
        with self._view("") as view:
            view.finish(standing, code)
        return code

    def _view(self, start_worker: str) -> View:
        return choose_view(
            as_json=self.as_json,
            local=self.setup.local_path,
            start_worker=start_worker,
            from_the_start=True,
        )


def _standing(batch: Batch) -> BatchStanding:
    """How a batch without jobs stands."""
    return BatchStanding(batch=batch, jobs=(), now=batch.created)


def _unsent(plan: Plan) -> Iterator[Settled]:
    """The good sources of a plan of which nothing is sent."""
    problem = Problem(
        kind=FailureKind.PLAN_REFUSED,
        message="not sent, as other sources were refused",
        hint="--keep-going sends it",
    )
    for job in plan.jobs:
        yield Settled(
            source=str(job.source),
            output=str(job.output),
            state=JobState.REFUSED,
            problem=problem,
            warnings=job.warnings,
        )


def _tell_of_shared(batch: Batch) -> None:
    """Tell of jobs that the farm had already."""
    others = sorted({job.batch for job in batch.jobs} - {batch.id})
    if others:
        count = len(batch.jobs) - len(batch.own_jobs)
        note(
            f"{count} of {len(batch.jobs)} outputs are being made already, "
            f"by batch {', '.join(others)}; they count here, too"
        )
