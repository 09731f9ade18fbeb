"""Loaded: the config as file, variables and options give it, and where each value came from."""

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from proxima.config.config_file import ConfigFile, find_config_file, read_config_file
from proxima.config.fault import Fault, Key, did_you_mean, dotted, examine, shown
from proxima.config.home import at_home, home_faults
from proxima.config.hook_rules import HookRules, hook_faults
from proxima.config.key_lines import line_of
from proxima.config.path_rules import path_faults
from proxima.config.preset_tables import PresetTables, built_in_tables
from proxima.config.schema import SETTABLE, Config, setting_keys, variable
from proxima.errors import ConfigInvalid
from proxima.paths import PathMap
from proxima.printable import printable

DEFAULT = "default"

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """A config, and how it came about."""

    config: Config
    #: Of each key (``jobs.if_exists``): "default", the file, "PROXIMA_BROKER" or "--broker".
    origins: Mapping[str, str]
    file: Path | None


def load(
    *,
    config_file: Path | None,
    options: Mapping[str, str | int | None],
    environment: Mapping[str, str],
) -> Loaded:
    """The config; ConfigInvalid names everything that is wrong with it.

    An option goes before a variable, a variable before the file, the file before the default. An
    option that is None and a variable that is empty say nothing.
    """
    path = find_config_file(config_file, environment)
    file = read_config_file(path) if path else None
    said = _said(options, environment)
    tables, faults = _examined(file)
    faults += [fault for key, (who, value) in said.items() for fault in _misfits(key, who, value)]
    if "preset" in said:
        faults += _unknown_preset(*said["preset"], tables.get("presets", {}))
    if faults:
        raise ConfigInvalid("\n".join(faults))
    tables |= {key: value for key, (_, value) in said.items()}
    return Loaded(
        config=msgspec.convert(at_home(tables), Config),
        origins={dotted(key): _origin(key, file, said) for key in setting_keys()},
        file=path,
    )


def _said(
    options: Mapping[str, str | int | None], environment: Mapping[str, str]
) -> dict[str, tuple[str, Any]]:
    """What variables and options say: of each key, who and what."""
    said: dict[str, tuple[str, Any]] = {}
    for key in SETTABLE:
        if text := environment.get(variable(key)):
            said[key] = (variable(key), _number(text) if key == "slots" else text)
        if (value := options.get(key)) is not None:
            said[key] = (f"--{key}", value)
    return said


def _unknown_preset(who: str, name: object, own: Iterable[str]) -> list[str]:
    """A message if a variable or an option names a preset that there is not."""
    names = sorted({*built_in_tables(), *own})
    if not isinstance(name, str) or name in names or not name:
        return []
    return [f"{who}: {_no_preset(name, names)}"]


def _no_preset(name: str, names: Iterable[str]) -> str:
    return (
        f"found {shown(name)}; allowed: a preset, see: proxima presets{did_you_mean(name, names)}"
    )


def _number(text: str) -> str | int:
    """A whole number if it is one; otherwise the text, which is then refused."""
    stripped = text.strip()
    return int(stripped) if stripped.isascii() and stripped.isdigit() else text


def _misfits(key: str, who: str, value: object) -> list[str]:
    """A message if a variable or an option says what is not allowed."""
    faults: list[Fault] = []
    examine({key: value}, Config, (), faults)
    return [f"{who}: {fault.text}" for fault in faults]


def _examined(file: ConfigFile | None) -> tuple[dict[str, Any], list[str]]:
    """The good values of the file, and a message for each of the others."""
    if file is None:
        return {}, []
    faults: list[Fault] = []
    tables = examine(file.tables, Config, (), faults)
    faults += path_faults(_good(file.tables.get("paths"), PathMap))
    faults += hook_faults(_good(file.tables.get("hooks"), HookRules))
    if not any(fault.key[:2] == ("worker", "roots") for fault in faults):
        faults += home_faults(tables)
    presets = PresetTables(built_in_tables(), tables.get("presets", {}))
    faults += presets.faults()
    if "preset" in tables and tables["preset"] not in presets.names():
        faults.append(Fault(("preset",), _no_preset(tables["preset"], presets.names())))
    faults.sort(key=lambda fault: line_of(fault.key, file.lines) or 0)
    return tables, [_message(file, fault) for fault in faults]


def _good(found: object, kind: type[T]) -> Iterator[tuple[int, T]]:
    """The entries that are good in themselves, with their numbers in the file."""
    for number, entry in enumerate(found if isinstance(found, list) else ()):
        with contextlib.suppress(msgspec.ValidationError):
            yield number, msgspec.convert(entry, kind)


def _message(file: ConfigFile, fault: Fault) -> str:
    line = line_of(fault.key, file.lines)
    place = f"{printable(str(file.path))}:{line}" if line else printable(str(file.path))
    return f"{place}: {dotted(fault.key)}: {fault.text}"


def _origin(key: Key, file: ConfigFile | None, said: Mapping[str, tuple[str, Any]]) -> str:
    """Who had the last word on a key."""
    if key[0] in said:
        return said[str(key[0])][0]
    found: Any = file.tables if file else {}
    for part in key:
        if part not in found:
            return DEFAULT
        found = found[part]
    return str(file.path) if file else DEFAULT
