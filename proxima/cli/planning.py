"""Making the plan of a batch, with a word on how far it is, and showing it."""

import json
import os
import sys
import zlib
from collections.abc import Sequence

from rich.console import Console

from proxima.cli.plan_table import plan_json, plan_lines, plan_table
from proxima.cli.setup import Setup
from proxima.client.door import Client
from proxima.config.schema import IfExists
from proxima.ffmpeg.binaries import find_ffmpeg
from proxima.ffmpeg.command import encode_command
from proxima.queuer.plan import Plan
from proxima.queuer.planned_job import PlannedJob
from proxima.worker.settings import cores

#: Fewer files are probed before anybody could read a line about it.
_SILENT_BELOW = 50


class Planning:
    """Plans batches as config and options say."""

    def __init__(
        self,
        setup: Setup,
        if_exists: IfExists,
        *,
        allow_damaged: bool = False,
        rate: str | None = None,
        quiet: bool,
    ) -> None:
        self._setup = setup
        self._preset = setup.presets.get(setup.config.preset)
        self._if_exists = if_exists
        self._allow_damaged = allow_damaged
        self._rate = rate
        self._told = not quiet and sys.stderr.isatty()

    def make(self, arguments: Sequence[str]) -> Plan:
        """The plan for what was named on the command line."""
        return Client(self._setup).plan(
            arguments,
            if_exists=self._if_exists,
            allow_damaged=self._allow_damaged,
            rate=self._rate,
            on_progress=self._on_progress,
        )

    def show(self, plan: Plan, *, as_json: bool, with_commands: bool) -> None:
        """Print what would happen."""
        command_of = self._command if with_commands else None
        console = Console()
        if as_json:
            sys.stdout.write(json.dumps(plan_json(plan, command_of)) + "\n")
        elif console.is_terminal:
            console.print(plan_table(plan, console.width, command_of))
        else:
            sys.stdout.writelines(f"{line}\n" for line in plan_lines(plan, command_of))

    def _command(self, job: PlannedJob) -> list[str]:
        config = self._setup.config
        return encode_command(
            ffmpeg=find_ffmpeg(config.worker.ffmpeg),
            source=job.source,
            # As a worker names it: pasted into a shell, it overwrites no output.
            scratch=job.output.with_name(f".plan-{_short(job)}.1.part{job.output.suffix}"),
            media=job.media,
            preset=self._preset,
            threads=max(1, cores() // config.slots_on(cores())),
            companions=job.companions,
            extra_args=self._preset.extra_args,
        )

    def _on_progress(self, done: int, total: int) -> None:
        if self._told and total >= _SILENT_BELOW:
            end = "\r\x1b[K" if done == total else ""
            sys.stderr.write(f"\rreading {done} of {total}{end}")
            sys.stderr.flush()


def _short(job: PlannedJob) -> str:
    """A few characters that tell one output from another in its folder."""
    return f"{zlib.crc32(os.fsencode(job.output.name)):08x}"
