"""The annotated config: every key with its default and a comment, made from the schema."""

import textwrap
from collections.abc import Iterator
from typing import Any, get_args

import msgspec

from proxima.config.hook_rules import HookRules
from proxima.config.preset_tables import PresetTable
from proxima.config.schema import SETTABLE, Config, variable
from proxima.config.toml_text import WIDTH, toml_line, toml_value
from proxima.paths import PathMap

_TOP = f"""\
# The config of Proxima: every key with its default.
#
# A line that begins with # and a blank is a comment. Where no blank follows, take the # away to use
# the line. What you do not change you may delete: the defaults stay.
#
# Proxima reads the file of --config, else that of PROXIMA_CONFIG, else proxima.toml in the current
# folder, else the one in your config folder. `proxima config show` tells which, and where each
# value came from. An option goes before a variable, and a variable before this file:
# {", ".join(map(variable, SETTABLE))}.
#
# A ~ in front of a path is your home folder. Paths with backslashes go in single quotes: 'M:\\New'.
"""

_PRESET_EXAMPLE: dict[str, object] = {
    "extends": "prores-proxy",
    "use": "Proxies a quarter as wide",
    "size": "quarter",
}


def annotated_text() -> str:
    """The text of ``config.toml`` and of what ``proxima config init`` writes."""
    return (
        "\n".join(
            [
                _TOP,
                *_settings(),
                *_entries("paths", PathMap),
                *_entries("hooks", HookRules),
                *_presets(),
            ]
        )
        + "\n"
    )


def _settings() -> Iterator[str]:
    """The keys that have a value, table by table."""
    default = Config()
    for field in msgspec.structs.fields(Config):
        value = getattr(default, field.name)
        if isinstance(value, msgspec.Struct):
            yield _comment(_description(field))
            yield f"[{field.name}]\n"
            for inner in msgspec.structs.fields(value):
                yield from _setting(inner, getattr(value, inner.name))
        elif not isinstance(value, tuple | dict):
            yield from _setting(field, value)


def _setting(field: msgspec.structs.FieldInfo, value: object) -> Iterator[str]:
    yield _comment(_description(field))
    yield f"{toml_line(field.name, value)}\n"


def _entries(name: str, kind: type[msgspec.Struct]) -> Iterator[str]:
    """One entry of a list of tables as an example."""
    yield _comment(_description(_field(Config, name)))
    yield f"#[[{name}]]"
    for field in msgspec.structs.fields(kind):
        yield _comment(_description(field))
        yield f"#{toml_line(field.name, _meta(field).examples[0])}"  # type: ignore[index]
    yield ""


def _presets() -> Iterator[str]:
    """A preset as an example, and all that it may say."""
    yield _comment(_description(_field(Config, "presets")))
    yield "#[presets.prores-quarter]"
    yield from (f"#{toml_line(key, value)}" for key, value in _PRESET_EXAMPLE.items())
    yield "#\n# What a preset may say, each with its default:"
    for field in msgspec.structs.fields(PresetTable):
        yield f"#\n# {field.name} = {_default_text(field)}"
        yield _comment(f"{_choices(field)}{_description(field)}", indent="    ")


def _default_text(field: msgspec.structs.FieldInfo) -> str:
    return "(not set)" if field.default is None else toml_value(field.default)


def _choices(field: msgspec.structs.FieldInfo) -> str:
    """The values that a field of few values may have."""
    values = get_args(field.type.__origin__)
    if not values or not all(isinstance(value, str) for value in values):
        return ""
    return f"One of {', '.join(values)}. "


def _comment(text: str, indent: str = "") -> str:
    return textwrap.fill(
        text,
        WIDTH,
        initial_indent=f"# {indent}",
        subsequent_indent=f"# {indent}",
        break_on_hyphens=False,
        break_long_words=False,
    )


def _field(struct: Any, name: str) -> msgspec.structs.FieldInfo:
    return next(field for field in msgspec.structs.fields(struct) if field.name == name)


def _description(field: msgspec.structs.FieldInfo) -> str:
    return _meta(field).description or ""


def _meta(field: msgspec.structs.FieldInfo) -> msgspec.Meta:
    """What the schema says about a field; those of type aliases inside it do not count."""
    notes = [note for note in field.type.__metadata__ if isinstance(note, msgspec.Meta)]
    return notes[-1]
