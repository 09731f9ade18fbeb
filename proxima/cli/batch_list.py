"""`proxima batches`: what was sent to this farm, by whom, and what became of it."""

import json
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from proxima.cli.options import BrokerOption, ConfigOption, JsonOption

if TYPE_CHECKING:
    from proxima.queuer.farm_standing import BatchLine


def batches(
    count: Annotated[
        int, typer.Option("--count", min=1, metavar="N", help="How many: the newest.")
    ] = 20,
    broker: BrokerOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the batches of the last seven days, the newest first."""
    import time

    from proxima.cli.farm_fields import of_batch
    from proxima.cli.setup import Setup
    from proxima.client.door import Client

    found = Client(Setup(config, {"broker": broker})).history(count)
    if as_json:
        now = time.time()
        listed = [of_batch(line, now) for line in found]
        typer.echo(json.dumps({"type": "batches", "batches": listed}))
    elif found:
        _show(found)
    else:
        typer.echo("this farm has no batch yet (send one: proxima queue FILES)")


def _show(lines: "Sequence[BatchLine]") -> None:
    from proxima.cli.columns import print_columns

    titles = ("batch", "label", "from", "sent", "done", "took", "media", "speed", "on")
    print_columns(titles, [_row(line) for line in lines])


def _row(line: "BatchLine") -> tuple[str, ...]:
    from proxima.cli.cells import one_line
    from proxima.cli.durations import clock, hours, moment, realtime

    one = line.batch
    return (
        one.id,
        one_line(one.label),
        one_line(f"{one.user}@{one.host}"),
        moment(line.sent),
        done_of(line),
        clock(line.seconds) if line.seconds is not None else "",
        hours(line.media_done),
        realtime(line.speed).removesuffix(" realtime") if line.speed else "",
        hosts_of(line),
    )


def done_of(line: "BatchLine") -> str:
    """``9/10, 1 failed``."""
    from proxima.job import JobState

    pieces = [f"{line.counts[JobState.DONE]}/{line.jobs}"]
    states = (JobState.FAILED, JobState.CANCELLED, JobState.ENCODING)
    pieces += [f"{line.counts[state]} {state}" for state in states if line.counts[state]]
    return ", ".join(pieces)


def hosts_of(line: "BatchLine") -> str:
    """The hosts that worked on it, the busiest first."""
    from proxima.cli.cells import one_line

    return ", ".join(one_line(host) for host, _ in Counter(line.hosts).most_common())
