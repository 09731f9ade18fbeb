"""cli.md: every command with its arguments and options, from the application itself."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import typer

from reference.markdown import code, table

#: What stands for a value whose option names no word of its own.
WORDS = {int: "N", Path: "PATH"}


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
    shown = [(p, record) for p in command.params if (record := p.get_help_record(context))]
    arguments = [_argument(p) for p in command.params if p.param_type_name == "argument"]
    if hasattr(command, "commands"):
        arguments = ["COMMAND ..."]
    usage = " ".join([name, "[OPTIONS]", *arguments])
    rows = [[code(_spelt(parameter)), record[1]] for parameter, record in shown]
    described = f"## {name}\n\n```text\n{usage}\n```\n\n{_prose(command.help)}\n"
    return described + (f"\n{table(['', 'meaning'], rows)}" if rows else "")


def _spelt(parameter: Any) -> str:
    """As a person types it: ``--preset NAME``."""
    if parameter.param_type_name == "argument":
        return _argument(parameter)
    # A flag takes no value.
    return ", ".join(parameter.opts) + ("" if parameter.is_flag else f" {_value(parameter)}")


def _argument(parameter: Any) -> str:
    word = parameter.metavar or parameter.name.upper()
    word += "..." if parameter.nargs == -1 else ""
    return word if parameter.required or word.startswith("[") else f"[{word}]"


def _value(parameter: Any) -> str:
    """What stands for the value of an option."""
    kind = parameter.type_descriptor.annotation
    return parameter.metavar or "|".join(get_args(kind)) or WORDS.get(kind, "TEXT")


def _prose(text: str | None) -> str:
    return "\n\n".join(" ".join(part.split()) for part in (text or "").split("\n\n"))
