"""cli.md: every command with its arguments and options, from the application itself."""

from collections.abc import Iterator
from typing import Any

import typer

from reference.markdown import code, table


def text() -> str:
    """The page."""
    # The application imports each command, so it is loaded only for this page.
    from proxima.cli.main import app

    root = typer.main.get_command(app)
    sections = [_section("proxima", root), *_below("proxima", root)]
    return "# Commands\n\n" + "\n".join(sections)


def _below(name: str, group: Any) -> Iterator[str]:
    for sub, command in getattr(group, "commands", {}).items():
        yield _section(f"{name} {sub}", command)
        yield from _below(f"{name} {sub}", command)


def _section(name: str, command: Any) -> str:
    """A heading, the usage, what the command does, and its parameters."""
    context = command.make_context(name, [], resilient_parsing=True)
    usage = " ".join([name, *command.collect_usage_pieces(context)])
    rows = [row for parameter in command.params if (row := _row(parameter, context))]
    described = f"## {name}\n\n```text\n{usage}\n```\n\n{_prose(command.help)}\n"
    return described + (f"\n{table(['', 'meaning'], rows)}" if rows else "")


def _row(parameter: Any, context: Any) -> list[str] | None:
    record = parameter.get_help_record(context)
    # Every command has --help.
    return None if record is None else [code(record[0]), record[1]]


def _prose(text: str | None) -> str:
    return "\n\n".join(" ".join(part.split()) for part in (text or "").split("\n\n"))
