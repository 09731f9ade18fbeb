"""Sending a plan: to the farm, or to a local farm made for it."""

import json
import sys
from dataclasses import dataclass

from proxima.batch import Batch
from proxima.cli.following import exit_code, watch_to_end
from proxima.cli.local_farm import LocalFarm
from proxima.cli.setup import Farm, Setup
from proxima.cli.views import View, choose_view
from proxima.errors import UsageError
from proxima.ffmpeg.binaries import find_ffmpeg
from proxima.queuer.plan import Plan
from proxima.queuer.standing import BatchStanding
from proxima.queuer.submit import make_batch, submit


@dataclass(frozen=True, kw_only=True)
class Sending:
    """Sends plans as batches."""

    setup: Setup
    label: str
    priority: int
    as_json: bool

    def send(self, plan: Plan, *, detach: bool) -> int:
        """Send *plan* and show the batch to its end; the exit code."""
        batch = make_batch(
            plan,
            label=self.label,
            priority=self.priority,
            rules=self.setup.config.jobs,
            to_portable=self.setup.path_maps.to_portable,
        )
        if not batch.jobs:
            return self._nothing_to_do(batch)
        if self.setup.config.broker:
            return self._to_farm(batch, detach=detach)
        if detach:
            raise UsageError(
                "--detach needs a farm: without a broker this command does the work itself "
                "(start one: proxima broker --lan)"
            )
        return self._on_local_farm(batch)

    def _to_farm(self, batch: Batch, *, detach: bool) -> int:
        farm = Farm(self.setup.require_broker())
        submit(batch, farm.client, farm.celery)
        again = self.setup.watch_line(batch.id)
        if not detach:
            return watch_to_end(batch, farm, self._view(self.setup.work_line), again)
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
            _say(
                f"encoding on this machine, {local.slots} at a time "
                "(for a farm: proxima broker --lan, then --broker URL)"
            )
            farm = Farm(local.url)
            submit(batch, farm.client, farm.celery)
            view = self._view(start_worker="")
            return watch_to_end(batch, farm, view, reattach="", check=local.check)

    def _nothing_to_do(self, batch: Batch) -> int:
        standing = BatchStanding(batch=batch, jobs=(), now=batch.created)
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


def _say(line: str) -> None:
    sys.stderr.write(line + "\n")
