"""`proxima queue`: plan a batch, send it, and show it until it is finished."""

import re
from typing import Annotated, Literal

import typer

from proxima.cli.options import (
    BrokerOption,
    ConfigOption,
    JsonOption,
    LayoutOption,
    OutputOption,
    PresetOption,
    SlotsOption,
)


def queue(
    sources: Annotated[
        list[str], typer.Argument(help="Files, folders or patterns.", show_default=False)
    ],
    preset: PresetOption = None,
    output: OutputOption = None,
    layout: LayoutOption = None,
    name: Annotated[
        str | None, typer.Option("--name", metavar="LABEL", help="What to call the batch.")
    ] = None,
    priority: Annotated[
        int | None,
        typer.Option("--priority", min=0, max=9, help="0 runs first, 9 last.", show_default=False),
    ] = None,
    if_exists: Annotated[
        Literal["skip", "replace", "rename", "fail"] | None,
        typer.Option(
            "--if-exists",
            help="What to do where the output exists; skip counts only complete, newer ones.",
            show_default=False,
        ),
    ] = None,
    tag: Annotated[
        str,
        typer.Option(
            "--on", metavar="TAG", help="Only workers with this tag take it.", show_default=False
        ),
    ] = "",
    start_at: Annotated[
        str | None,
        typer.Option(
            "--start-at",
            metavar="TIME",
            help="Start none of it before 19:00, or 2026-12-01 19:00, here (needs a farm).",
            show_default=False,
        ),
    ] = None,
    keep_going: Annotated[
        bool, typer.Option("--keep-going", help="Send the others where some are refused.")
    ] = False,
    allow_damaged: Annotated[
        bool,
        typer.Option(
            "--allow-damaged",
            help="Make what can be made of damaged sources, and say how much is missing.",
        ),
    ] = False,
    rate: Annotated[
        str | None,
        typer.Option(
            "--rate",
            metavar="FPS",
            help="Frames per second of image sequences: 24, 23.976, 24000/1001.",
            show_default=False,
        ),
    ] = None,
    verify: Annotated[
        Literal["quick", "full"] | None,
        typer.Option(
            "--verify",
            help="full decodes each output and compares every picture with its source.",
            show_default=False,
        ),
    ] = None,
    plan: Annotated[
        bool, typer.Option("--plan", help="Show what would happen, and send nothing.")
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="With --plan: the ffmpeg command of each job.")
    ] = False,
    detach: Annotated[
        bool, typer.Option("--detach", help="Send to the farm and return at once.")
    ] = False,
    slots: SlotsOption = None,
    broker: BrokerOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Transcode files on the farm, or here if none.

    Without a broker, this machine encodes them itself.
    """
    from datetime import datetime

    from proxima.cli.planning import Planning
    from proxima.cli.sending import Sending
    from proxima.cli.setup import Setup
    from proxima.cli.start_time import start_time
    from proxima.client.door import label_of
    from proxima.errors import UsageError
    from proxima.queuer.plan import refuse_unless

    if verbose and not plan:
        raise UsageError("-v shows the ffmpeg commands of a plan: add --plan")
    options = {
        "preset": preset,
        "output": output,
        "layout": layout,
        "slots": slots,
        "broker": broker,
    }
    setup = Setup(config, options)
    planning = Planning(
        setup,
        if_exists or setup.config.jobs.if_exists,
        allow_damaged=allow_damaged,
        rate=rate,
        quiet=as_json,
    )
    made = planning.make(sources)
    if plan:
        planning.show(made, as_json=as_json, with_commands=verbose)
        raise typer.Exit(2 if made.refused and not keep_going else 0)
    sending = Sending(
        setup=setup,
        label=name or label_of(sources),
        priority=setup.config.jobs.priority if priority is None else priority,
        verify=verify or setup.config.jobs.verify,
        start_at=start_time(start_at, datetime.now().astimezone()).timestamp()
        if start_at
        else None,
        tag=_checked_tag(tag),
        as_json=as_json,
    )
    if made.refused and not keep_going:
        sending.report_refusal(made)
    refuse_unless(made, keep_going)
    raise typer.Exit(sending.send(made, detach=detach))


def _checked_tag(tag: str) -> str:
    from proxima.errors import UsageError

    if tag and not re.fullmatch(r"[a-z0-9_-]{1,32}", tag):
        raise UsageError(f"--on {tag!r} is no tag: small letters, digits, - and _, at most 32")
    return tag
