"""`proxima presets`: the recipes that can be asked for."""

import os
from typing import TYPE_CHECKING, Annotated

import typer

from proxima.cli.json_text import json_text
from proxima.cli.options import ConfigOption, JsonOption

if TYPE_CHECKING:
    from proxima.preset import Preset


def presets(
    name: Annotated[
        str | None, typer.Argument(help="Show this one in full.", show_default=False)
    ] = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the presets, or show one in full."""
    from proxima.config.loaded import load
    from proxima.config.preset_book import PresetBook

    loaded = load(config_file=config, options={}, environment=os.environ)
    book = PresetBook(loaded.config.presets)
    chosen = (book.get(name),) if name else book.presets()
    if as_json:
        typer.echo(_json(chosen))
    elif name:
        typer.echo(_toml(chosen[0]))
    else:
        _print(chosen)


def _json(chosen: "tuple[Preset, ...]") -> str:
    import msgspec

    return json_text({"type": "presets", "presets": msgspec.to_builtins(chosen)})


def _toml(preset: "Preset") -> str:
    """As it would stand in a config file, defaults and all."""
    from proxima.config.toml_text import toml_key, toml_line

    lines = [f"[presets.{toml_key(preset.name)}]"]
    for field in preset.__struct_fields__[1:]:
        value = getattr(preset, field)
        # TOML has no word for nothing.
        lines.append(f"# {field} is not set" if value is None else toml_line(field, value))
    return "\n".join(lines)


def _print(chosen: "tuple[Preset, ...]") -> None:
    from proxima.cli.columns import print_columns
    from proxima.printable import printable

    rows = [
        (preset.name, preset.container, _codec(preset), _size(preset), printable(preset.use))
        for preset in chosen
    ]
    print_columns(("preset", "container", "codec", "size", "use"), rows)


def _codec(preset: "Preset") -> str:
    if not preset.has_picture:
        return preset.sound_codec
    return f"{preset.video_codec} {preset.profile}".strip()


def _size(preset: "Preset") -> str:
    """The share of the source, and the box into which it fits: ``half, to 1080 high``."""
    if not preset.has_picture:
        return "-"
    wide, high = preset.max_width, preset.max_height
    box = f"{wide}x{high}" if wide and high else f"{wide} wide" if wide else f"{high} high"
    return f"{preset.size}, to {box}" if wide or high else preset.size
