"""`proxima events`: follow what happens, let programs handle it, look after their groups."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from proxima.cli.json_text import json_text
from proxima.cli.options import BrokerOption, ConfigOption, JsonOption

if TYPE_CHECKING:
    from proxima.broker.event_dead import DeadLetter
    from proxima.cli.setup import Farm

events_app = typer.Typer(
    help="Follow what happens on the farm, or let programs handle it.", no_args_is_help=True
)
dead_app = typer.Typer(help="Events that a group could not handle.", no_args_is_help=True)
events_app.add_typer(dead_app, name="dead")

SinceOption = Annotated[
    str | None,
    typer.Option(
        "--since",
        metavar="ID|15m",
        help="Begin after this event, or so long ago; else with what happens now.",
        show_default=False,
    ),
]
LetterArgument = Annotated[
    list[str] | None,
    typer.Argument(metavar="[ID]...", help="Ids of entries; all, if none is named."),
]


@events_app.command()
def follow(
    since: SinceOption = None,
    batch: Annotated[
        str | None, typer.Option("--batch", metavar="BATCH", help="Only of this batch.")
    ] = None,
    kind: Annotated[
        str | None,
        typer.Option("--type", metavar="TYPE", help='Only of a type: job.failed, "batch.*".'),
    ] = None,
    broker: BrokerOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show every event as it happens, until Ctrl-C; nobody else is held up."""
    from typing import cast

    from proxima.cli.event_lines import event_line
    from proxima.cli.notes import note
    from proxima.cli.setup import Setup
    from proxima.client.door import Client
    from proxima.event import EventPattern
    from proxima.hooks.event_text import json_text as event_text

    farm = Client(Setup(config, {"broker": broker}))
    # Any word is let through here: what is no pattern is refused with those that are.
    types = [cast("EventPattern", kind)] if kind else []
    for event in farm.events(since, batch=batch, types=types, tell=note):
        sys.stdout.write((event_text(event) if as_json else event_line(event)) + "\n")
        sys.stdout.flush()


@events_app.command(context_settings={"ignore_unknown_options": True})
def consume(
    command: Annotated[
        list[str], typer.Argument(metavar="-- COMMAND [ARGS]...", help="Run for each event.")
    ],
    group: Annotated[
        str, typer.Option("--group", metavar="NAME", help="Each event goes to one of a group.")
    ],
    consumer: Annotated[
        str | None,
        typer.Option("--consumer", metavar="NAME", help="Name of this one; else a new one."),
    ] = None,
    since: SinceOption = None,
    timeout: Annotated[
        float, typer.Option("--timeout", min=1, help="Seconds that the command may take.")
    ] = 3600,
    broker: BrokerOption = None,
    config: ConfigOption = None,
) -> None:
    """Run a command for each event that comes to this one of a group.

    It gets the event as JSON on its standard input, and in PROXIMA_EVENT_* variables. With exit
    code 0 the event is done; else it is tried again, five times in all.
    """
    from proxima.broker.event_care import EventCare
    from proxima.broker.event_group import EventGroup
    from proxima.cli.consuming import consume_all, consumer_name
    from proxima.cli.notes import note
    from proxima.cli.setup import Farm, Setup
    from proxima.hooks.consumer import Consumer
    from proxima.hooks.event_command import EventCommand

    setup = Setup(config, {"broker": broker})
    farm = Farm(setup.require_broker())
    handle = EventCommand(command, timeout, setup.local_path)
    member = EventGroup(farm.client, group, consumer_name(consumer))
    consume_all([Consumer(member, farm.address, EventCare(farm.client), handle, tell=note)], since)


@events_app.command()
def groups(
    broker: BrokerOption = None, config: ConfigOption = None, as_json: JsonOption = False
) -> None:
    """Show each group: how far it is behind, what it has, its consumers."""
    from msgspec import to_builtins

    from proxima.broker import event_group
    from proxima.cli.event_lines import group_lines

    found = event_group.groups(_farm(broker, config).client)
    if as_json:
        typer.echo(json_text({"type": "groups", "groups": to_builtins(found)}))
    else:
        sys.stdout.writelines(f"{line}\n" for line in group_lines(found))


@events_app.command()
def forget(
    group: Annotated[str, typer.Argument(metavar="GROUP", help="Name of a group.")],
    broker: BrokerOption = None,
    config: ConfigOption = None,
) -> None:
    """Forget a group that nobody needs: no event is kept for it any more."""
    from proxima.broker.event_group import drop_group

    drop_group(_farm(broker, config).client, group)
    typer.echo(f"group {group} is forgotten")


@dead_app.command("list")
def list_dead(
    group: Annotated[
        str | None, typer.Option("--group", metavar="NAME", help="Only of this group.")
    ] = None,
    broker: BrokerOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """List events that were delivered five times and never handled, with the reason."""
    from msgspec import to_builtins

    from proxima.broker.event_dead import dead_letters
    from proxima.cli.event_lines import letter_line

    found = dead_letters(_farm(broker, config).client, group)
    if as_json:
        typer.echo(json_text({"type": "dead", "events": to_builtins(found)}))
    else:
        sys.stdout.writelines(f"{letter_line(letter)}\n" for letter in found)


@dead_app.command("retry")
def retry_dead(
    ids: LetterArgument = None, broker: BrokerOption = None, config: ConfigOption = None
) -> None:
    """Deliver events again, each to its group."""
    from proxima.broker.event_dead import retry_letters

    farm = _farm(broker, config)
    done, gone = retry_letters(farm.client, _letters(farm, ids))
    more = f"; {gone} are gone from the stream, or their group is" if gone else ""
    typer.echo(f"{done} events are delivered again{more}")


@dead_app.command("drop")
def drop_dead(
    ids: LetterArgument = None, broker: BrokerOption = None, config: ConfigOption = None
) -> None:
    """Forget events that were set aside."""
    from proxima.broker.event_dead import drop_letters

    farm = _farm(broker, config)
    typer.echo(f"{drop_letters(farm.client, _letters(farm, ids))} events are forgotten")


def _letters(farm: "Farm", ids: list[str] | None) -> "list[DeadLetter]":
    """Those of *ids*, or all; UsageError if one is unknown."""
    from proxima.broker.event_dead import dead_letters
    from proxima.errors import UsageError

    found = {letter.id: letter for letter in dead_letters(farm.client)}
    if unknown := [one for one in ids or () if one not in found]:
        names = ", ".join(unknown)
        raise UsageError(f"nothing was set aside as {names} (see: proxima events dead list)")
    return [found[one] for one in ids] if ids else list(found.values())


def _farm(broker: BrokerOption, config: ConfigOption) -> "Farm":
    from proxima.cli.setup import Farm, Setup

    return Farm(Setup(config, {"broker": broker}).require_broker())
