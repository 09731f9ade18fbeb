"""config.md: every key of the config, with its default and meaning."""

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec.structs import FieldInfo

from proxima.config.schema import SETTABLE, Config, variable
from proxima.config.toml_text import toml_value
from proxima.paths import PathMap
from reference.markdown import code, table


def text() -> str:
    """The page."""
    return f"""\
# Config

Proxima reads one file: that of `--config`, else that of the variable `PROXIMA_CONFIG`, else
`proxima.toml` in the current folder, else the one in your config folder. `proxima config init`
writes one with every key, its default and a comment; `proxima config show` prints each value and
where it came from.

An option wins over a variable, a variable over the file. Unknown keys, wrong types and bad values
are refused, all at once, with file, key, what was found and what is allowed.

## At the top

{table(["key", "variable", "default", "meaning"], _top())}
{"".join(_tables())}## `[[paths]]`

{schema_text(_field(Config, "paths"))} How paths are translated: [Path maps](../howto/path-maps.md).

{table(["key", "example", "meaning"], _path_keys())}
## `[presets.NAME]`

{schema_text(_field(Config, "presets"))} What a preset may say: [Presets](presets.md#fields).
"""


def schema_text(field: FieldInfo) -> str:
    """What the schema says about a field."""
    return _meta(field).description or ""


def _top() -> Iterator[list[str]]:
    for field in msgspec.structs.fields(Config):
        value = getattr(Config(), field.name)
        if not isinstance(value, msgspec.Struct | tuple | dict):
            name = code(variable(field.name)) if field.name in SETTABLE else ""
            yield [code(field.name), name, code(toml_value(value)), schema_text(field)]


def _tables() -> Iterator[str]:
    for field in msgspec.structs.fields(Config):
        value = getattr(Config(), field.name)
        if isinstance(value, msgspec.Struct):
            rows = [
                [code(inner.name), code(toml_value(getattr(value, inner.name))), schema_text(inner)]
                for inner in msgspec.structs.fields(value)
            ]
            yield f"## `[{field.name}]`\n\n{schema_text(field)}\n\n"
            yield table(["key", "default", "meaning"], rows) + "\n"


def _path_keys() -> Iterator[list[str]]:
    for field in msgspec.structs.fields(PathMap):
        example = (_meta(field).examples or [""])[0]
        yield [code(field.name), code(toml_value(example)), schema_text(field)]


def _field(struct: Any, name: str) -> FieldInfo:
    return next(field for field in msgspec.structs.fields(struct) if field.name == name)


def _meta(field: FieldInfo) -> msgspec.Meta:
    """The field's own note; those of type aliases inside it come first."""
    return [note for note in field.type.__metadata__ if isinstance(note, msgspec.Meta)][-1]
