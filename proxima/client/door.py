"""Client: a farm for Python programs, typed, without a terminal. The commands use it, too."""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property, partial
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from proxima.batch import Batch
from proxima.client.farm_setup import Farm, FarmSetup
from proxima.client.watching import watching
from proxima.config.schema import IfExists
from proxima.errors import UsageError
from proxima.event import Event, EventPattern, matches

if TYPE_CHECKING:
    from proxima.queuer.batch_record import BatchRecord
    from proxima.queuer.farm_standing import BatchLine, FarmStanding
    from proxima.queuer.farm_watch import FarmWatch
    from proxima.queuer.log_fetch import FetchedLog
    from proxima.queuer.plan import Plan
    from proxima.queuer.standing import BatchStanding

_LOG = logging.getLogger(__name__)

#: How outputs are verified.
Verify = Literal["quick", "full"]
#: What names a source: a file, a folder, or a pattern as of a shell.
Source = str | PathLike[str]


class Client:
    """One farm, as config, variables and options say; connected when first used."""

    def __init__(self, setup: FarmSetup, farm: Farm | None = None) -> None:
        """*farm* if it is connected already; else that of the setup."""
        self.setup = setup
        if farm:
            self.farm = farm

    @cached_property
    def farm(self) -> Farm:
        """The connected farm; UsageError without a broker, BrokerError if it cannot serve."""
        return Farm(self.setup.require_broker())

    def plan(
        self,
        sources: Sequence[Source],
        *,
        if_exists: IfExists | None = None,
        allow_damaged: bool = False,
        rate: str | None = None,
        on_progress: Callable[[int, int], None] = lambda _done, _total: None,
    ) -> "Plan":
        """What would be sent of *sources*, and why not the rest; changes nothing.

        *rate* is that of image sequences, in frames per second. *on_progress* is told how many
        files are probed, and how many are to be.
        """
        from proxima.ffmpeg.probe import probe_all
        from proxima.ffmpeg.probe_sequence import SequenceRate
        from proxima.queuer.discover import discover
        from proxima.queuer.plan import make_plan
        from proxima.queuer.plan_inputs import PlanOptions, PlanTools
        from proxima.queuer.spans import with_spans

        config = self.setup.config
        output = Path(config.output).absolute() if config.output else None
        arguments = [fspath(source) for source in sources]
        options = PlanOptions(
            preset=self.setup.presets.get(config.preset),
            output=output,
            layout=config.layout,
            if_exists=if_exists or config.jobs.if_exists,
            allow_damaged=allow_damaged,
        )
        found = with_spans(discover(arguments, config.sources.suffixes, Path.cwd(), output))
        rates = SequenceRate.of(rate, config.sources.rate)
        probing = partial(probe_all, rate=rates)
        return make_plan(found, options, PlanTools(probe_all=probing, on_progress=on_progress))

    def batch(
        self,
        plan: "Plan",
        *,
        label: str,
        priority: int | None = None,
        verify: Verify | None = None,
        start_at: float | None = None,
        tag: str = "",
    ) -> Batch:
        """The batch of *plan*, not sent yet.

        *start_at* is in seconds since the epoch; only workers with *tag* take it.
        """
        from msgspec import structs

        from proxima.queuer.submit import make_batch

        rules = self.setup.config.jobs
        rules = structs.replace(rules, verify=verify or rules.verify)
        return make_batch(
            plan,
            label=label,
            priority=rules.priority if priority is None else priority,
            rules=rules,
            to_portable=self.setup.path_maps.to_portable,
            start_at=start_at,
            tag=tag,
        )

    def send(self, batch: Batch) -> Batch:
        """Send *batch*; gives it as the farm keeps it."""
        from proxima.queuer.submit import submit

        with self._asking() as farm:
            return submit(batch, farm.client, farm.celery)

    def queue(  # noqa: PLR0913 - the options of `proxima queue`
        self,
        sources: Sequence[Source],
        *,
        name: str | None = None,
        priority: int | None = None,
        if_exists: IfExists | None = None,
        keep_going: bool = False,
        allow_damaged: bool = False,
        rate: str | None = None,
        verify: Verify | None = None,
        start_at: float | None = None,
        tag: str = "",
    ) -> Batch:
        """Plan *sources* and send what is to be made; without jobs if there is nothing to do.

        No job starts before *start_at*, in seconds since the epoch. PlanRefused if some sources
        cannot be sent, unless *keep_going* leaves those out.
        """
        from proxima.queuer.plan import refuse_unless

        # Before minutes go into reading files.
        self.farm  # noqa: B018 - connects
        made = self.plan(sources, if_exists=if_exists, allow_damaged=allow_damaged, rate=rate)
        refuse_unless(made, keep_going)
        label = name or label_of(sources)
        batch = self.batch(
            made, label=label, priority=priority, verify=verify, start_at=start_at, tag=tag
        )
        return self.send(batch) if batch.jobs else batch

    def watch(self, batch_id: str | None = None) -> Iterator["BatchStanding"]:
        """How a batch stands, four times a second until it is finished; without id the newest.

        While the broker is away, the standings say so and the last is kept. UnknownBatch if
        there is no such batch.
        """
        return self._standings(self.load(batch_id))

    def load(self, batch_id: str | None = None) -> Batch:
        """A batch with its jobs, without id the newest; UnknownBatch if there is none."""
        from proxima.broker import batches

        with self._asking() as farm:
            return batches.load(farm.client, batch_id or batches.newest(farm.client))

    def wait(self, batch_id: str | None = None) -> "BatchStanding":
        """How a batch stands when it is finished."""
        *_, last = self.watch(batch_id)
        return last

    def farm_watch(self) -> "FarmWatch":
        """Look at the whole farm with it, again and again."""
        from proxima.queuer.farm_watch import FarmWatch

        return FarmWatch(self.farm.client, self.farm.celery, self.farm.address)

    def status(self) -> "FarmStanding":
        """How the whole farm stands now."""
        return self.farm_watch().look()

    def history(self, count: int = 20) -> tuple["BatchLine", ...]:
        """The batches that were sent last, the newest first."""
        from proxima.broker.batches import recent_ids
        from proxima.queuer.batch_record import history

        with self._asking() as farm:
            return history(farm.client, farm.celery, recent_ids(farm.client, count))

    def record(self, name: str) -> "BatchRecord":
        """All that the farm remembers of a batch or job; UnknownBatch if nothing."""
        from proxima.queuer.batch_record import record_of

        with self._asking() as farm:
            return record_of(farm.client, farm.celery, name)

    def log(self, job_id: str, attempt: int | None = None) -> "FetchedLog":
        """What ffmpeg said in an attempt at a job, or the last; LogMissing if nobody has it."""
        from proxima.queuer.log_fetch import fetch_log

        (record,) = self.record(job_id).jobs
        with self._asking() as farm:
            return fetch_log(farm.client, record, attempt)

    def events(
        self,
        since: str | None = None,
        *,
        batch: str | None = None,
        types: Sequence[EventPattern] = (),
        tell: Callable[[str], None] = _LOG.warning,
    ) -> Iterator[Event]:
        """Every event as it comes, from now on or after *since*: an id, or ``15m`` ago; no end.

        Of one *batch* and its jobs; of some *types*, such as ``job.failed`` or ``batch.*``. After
        a cut it goes on where it was, and *tell* is told. UsageError if an argument makes no sense.
        """
        from proxima.queuer.event_follow import EventFollower

        unknown = [one for one in types if one not in get_args(EventPattern)]
        if unknown:
            known = ", ".join(get_args(EventPattern))
            raise UsageError(f"no events are called {unknown[0]!r} (there are: {known})")
        patterns = tuple(types) or ("*",)
        found = EventFollower(self.farm.client, self.farm.address, since, tell=tell)
        return (
            self._here(event)
            for event in found
            if matches(event.type, patterns) and (batch is None or event.concerns(batch))
        )

    def _here(self, event: Event) -> Event:
        """The same with the paths of this machine."""
        from msgspec import structs

        paths = {name: getattr(event, name) for name in ("source", "output")}
        here = {name: self.setup.path_here(path) for name, path in paths.items() if path}
        return structs.replace(event, **here)

    @contextmanager
    def _asking(self) -> Iterator[Farm]:
        """The farm, for a question; BrokerError if it does not answer."""
        from proxima.broker.trouble import translated

        with translated(self.farm.address):
            yield self.farm

    def _standings(self, batch: Batch) -> Iterator["BatchStanding"]:
        from proxima.queuer.follow import follow

        with watching(batch, self.farm) as follower:
            yield from follow(follower)


def connect(
    *,
    broker: str | None = None,
    config: Source | None = None,
    preset: str | None = None,
    output: Source | None = None,
    layout: str | None = None,
) -> Client:
    """A client with these options; the rest as config file and variables say.

    ConfigInvalid names everything that is wrong with them.
    """
    options = {
        "broker": broker,
        "preset": preset,
        "output": None if output is None else fspath(output),
        "layout": layout,
    }
    return Client(FarmSetup(None if config is None else Path(config), options))


def label_of(sources: Sequence[Source]) -> str:
    """What a batch is called if nobody says: its first source, and how many more."""
    if not sources:
        return "nothing"
    first = fspath(sources[0])
    name = Path(first).absolute().name or first
    return name if len(sources) == 1 else f"{name} and {len(sources) - 1} more"
