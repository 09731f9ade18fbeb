"""The plan: what would be sent, what would not, and why. Every fault is found, none is the first.

What ``--if-exists`` does with an output that exists: *skip* it if it is complete and newer than its
source (see existing_output), else make it again in its place; *replace* it; *rename* the new one
(``C001_1.mov``); or *fail*: refuse the source.
"""

from dataclasses import dataclass

from proxima.batch import Settled
from proxima.errors import PlanRefused
from proxima.job import JobState
from proxima.preset import Preset
from proxima.queuer.discover import Discovery
from proxima.queuer.plan_inputs import PlanOptions, PlanTools
from proxima.queuer.planned_job import PlannedJob
from proxima.queuer.planner import Planner

#: Refusals that a message lists; the others are counted.
_LISTED = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a batch will be: jobs to send, and sources that are settled without."""

    preset: Preset
    jobs: tuple[PlannedJob, ...]
    #: Skipped and refused, in the order of the sources.
    settled: tuple[Settled, ...] = ()

    @property
    def refused(self) -> tuple[Settled, ...]:
        """The sources with a fault."""
        return tuple(s for s in self.settled if s.state is JobState.REFUSED)

    @property
    def skipped(self) -> tuple[Settled, ...]:
        """The sources that need no job."""
        return tuple(s for s in self.settled if s.state is JobState.SKIPPED)


def make_plan(discovery: Discovery, options: PlanOptions, tools: PlanTools) -> Plan:
    """Decide for every source; reads files, changes none."""
    planner = Planner(discovery, options, tools)
    planner.name_outputs()
    planner.probe()
    planner.join_clips()
    planner.read_sources()
    planner.keep_outputs_apart()
    planner.look_at_existing()
    planner.require_writable_folders()
    planner.refuse_growing()
    return Plan(preset=options.preset, jobs=planner.jobs(), settled=planner.settled())


def refuse_unless(plan: Plan, keep_going: bool) -> None:
    """PlanRefused with a line for each refusal, unless the others are to be sent without them."""
    refused = plan.refused
    if not refused or keep_going:
        return
    total = len(plan.jobs) + len(plan.settled)
    lines = [f"{len(refused)} of {total} sources cannot be sent, so nothing was sent:"]
    lines += [f"  {_why(settled)}" for settled in refused[:_LISTED]]
    if len(refused) > _LISTED:
        lines.append(f"  and {len(refused) - _LISTED} more (--plan lists them all)")
    if plan.jobs:
        lines.append(f"--keep-going sends the other {len(plan.jobs)}")
    raise PlanRefused("\n".join(lines))


def _why(settled: Settled) -> str:
    problem = settled.problem
    if problem is None:
        return settled.source
    return f"{problem.message} ({problem.hint})" if problem.hint else problem.message
