"""presets.md: the presets that come with Proxima, and the fields of a preset."""

from collections.abc import Iterator
from typing import get_args

import msgspec

from proxima.config.preset_book import PresetBook
from proxima.config.preset_tables import PresetTable
from proxima.config.schema import Config
from proxima.config.toml_text import toml_value
from proxima.preset import Preset
from reference.config_page import schema_text
from reference.markdown import code, table

HEAD = ["preset", "container", "picture", "size", "sound", "use"]


def text() -> str:
    """The page."""
    return f"""\
# Presets

## Those that come with Proxima

`{Config().preset}` is the default. `proxima presets NAME` shows one in full.

{table(HEAD, map(_row, PresetBook().presets()))}
## Fields

What a preset may say, in the [config](config.md) under `[presets.NAME]`. A field that
neither the preset nor the one that it extends sets has its default.

{table(["field", "default", "meaning"], _fields())}"""


def _row(preset: Preset) -> list[str]:
    picture = f"{preset.video_codec} {preset.profile}".strip() if preset.has_picture else "none"
    return [
        code(preset.name),
        preset.container,
        picture,
        _size(preset) if preset.has_picture else "",
        preset.sound_codec,
        preset.use,
    ]


def _size(preset: Preset) -> str:
    match preset.max_width, preset.max_height:
        case 0, 0:
            return preset.size
        case 0, height:
            return f"{preset.size}, at most {height} high"
        case width, 0:
            return f"{preset.size}, at most {width} wide"
        case width, height:
            return f"{preset.size}, at most {width} x {height}"


def _fields() -> Iterator[list[str]]:
    for field in msgspec.structs.fields(PresetTable):
        default = "not set" if field.default is None else code(toml_value(field.default))
        choices = [value for value in get_args(field.type.__origin__) if isinstance(value, str)]
        one_of = f"One of {', '.join(map(code, choices))}. " if choices else ""
        yield [code(field.name), default, one_of + schema_text(field)]
