"""`proxima config`: what is set and where it came from; a new config file."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from proxima.cli.json_text import json_text
from proxima.cli.options import (
    BrokerOption,
    ConfigOption,
    JsonOption,
    OutputOption,
    PresetOption,
    SlotsOption,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from proxima.config.loaded import Loaded

#: Columns for values without a terminal; longer ones push their origin to the right.
_VALUE_WIDTH = 24

config_app = typer.Typer(name="config", help="Show or make the config.", no_args_is_help=True)


@config_app.command("show")
def show(
    config: ConfigOption = None,
    broker: BrokerOption = None,
    preset: PresetOption = None,
    output: OutputOption = None,
    slots: SlotsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print each value and where it came from; passwords are left out."""
    from proxima.config.loaded import load

    options = {"broker": broker, "preset": preset, "output": output, "slots": slots}
    loaded = load(config_file=config, options=options, environment=os.environ)
    values = _values(loaded)
    if as_json:
        keys = {key: {"value": values[key], "origin": loaded.origins[key]} for key in values}
        file = str(loaded.file) if loaded.file else None
        typer.echo(json_text({"type": "config", "file": file, "values": keys}))
    else:
        _print(values, loaded.origins)


@config_app.command("init")
def init(
    path: Annotated[
        Path | None,
        typer.Argument(help="The new file; else the one in your config folder.", metavar="[PATH]"),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
) -> None:
    """Write a config file with every key, its default and a comment."""
    from proxima.config.annotated import annotated_text
    from proxima.config.config_file import FILE_NAME, user_config_file, write_config_file
    from proxima.printable import printable

    file = (path or user_config_file()).expanduser().absolute()
    file = file / FILE_NAME if file.is_dir() else file
    write_config_file(file, annotated_text(), replace=force)
    typer.echo(f"wrote {printable(str(file))}")


def _values(loaded: "Loaded") -> dict[str, Any]:
    """Each value by its dotted key, as JSON has it, without passwords."""
    import msgspec

    from proxima.config.fault import dotted
    from proxima.config.schema import setting_keys
    from proxima.config.secret import masked

    tables = msgspec.to_builtins(loaded.config)
    values = {dotted(key): _at(tables, key) for key in setting_keys()}
    hooks = [{**hook, "webhook": masked(hook["webhook"])} for hook in values["hooks"]]
    return values | {"broker": masked(values["broker"]), "hooks": hooks}


def _at(tables: Any, key: tuple[str, ...]) -> Any:
    for part in key:
        tables = tables[part]
    return tables


def _print(values: "Mapping[str, Any]", origins: "Mapping[str, str]") -> None:
    rows = [row for key in values for row in _rows(key, values[key], origins[key])]
    if sys.stdout.isatty():
        from proxima.cli.columns import print_columns

        print_columns(("key", "value", "from"), rows)
        return
    longest = max(len(key) for key, _, _ in rows)
    for key, value, origin in rows:
        typer.echo(f"{key:{longest}} = {value:{_VALUE_WIDTH}}  # {origin}")


def _rows(key: str, value: Any, origin: str) -> "Iterator[tuple[str, str, str]]":
    """A value as text; path maps and presets have a row each."""
    from proxima.config.fault import dotted
    from proxima.config.toml_text import toml_value
    from proxima.printable import printable

    entries: dict[str, Any] = {key: value}
    if key == "paths" and value:
        said = [{name: item for name, item in entry.items() if item} for entry in value]
        entries = {dotted((key, entry.pop("name"))): entry for entry in said}
    elif key == "presets" and value:
        entries = {dotted((key, name)): entry for name, entry in value.items()}
    for name, entry in entries.items():
        yield name, toml_value(entry), printable(origin)
