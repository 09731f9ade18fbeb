"""The config file: where it is, what it says, and a new one."""

import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from proxima.config.fault import Key
from proxima.config.key_lines import key_lines
from proxima.errors import ConfigInvalid, UsageError
from proxima.printable import printable

FILE_NAME = "proxima.toml"
FILE_VARIABLE = "PROXIMA_CONFIG"

#: The keys of a table ``[output]``, and what they are called at the top.
_OUTPUT_TABLE = {"folder": "output", "layout": "layout"}
_PLACE = re.compile(r" \(at line (\d+), column (\d+)\)$")


class ConfigFile(NamedTuple):
    """A config file as it was read."""

    path: Path
    tables: dict[str, Any]
    #: Where each key is, for messages.
    lines: dict[Key, int]


def user_config_file() -> Path:
    """The file in the user's config folder, whether it exists or not."""
    import platformdirs

    return platformdirs.user_config_path("proxima", appauthor=False) / FILE_NAME


def find_config_file(named: Path | None, environment: Mapping[str, str]) -> Path | None:
    """The named file, else that of PROXIMA_CONFIG, ``./proxima.toml``, or the user's own.

    ConfigInvalid if the first or second is named and does not exist.
    """
    variable = environment.get(FILE_VARIABLE)
    if named is None and not variable:
        for place in (Path(FILE_NAME), user_config_file()):
            # A folder that is gone or closed to us is one without the file; Path.exists raises.
            if os.path.exists(place):  # noqa: PTH110
                return place.absolute()
        return None
    path = (named or Path(str(variable))).expanduser().absolute()
    if not path.exists():
        who = FILE_VARIABLE if named is None else "--config"
        raise ConfigInvalid(
            f"{who}: there is no file {printable(str(path))} "
            f"(make one: proxima config init {printable(str(path))})"
        )
    return path


def read_config_file(path: Path) -> ConfigFile:
    """The file's tables; ConfigInvalid if it cannot be read or is not TOML."""
    name = printable(str(path))
    try:
        # Editors on Windows put a byte order mark in front.
        text = path.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise ConfigInvalid(f"{name}:{line}: not UTF-8: save it with that encoding") from error
    except OSError as error:
        raise ConfigInvalid(f"{name}: cannot be read: {error.strerror}") from error
    try:
        return _flattened(ConfigFile(path, tomllib.loads(text), key_lines(text)))
    except tomllib.TOMLDecodeError as error:
        raise ConfigInvalid(_syntax_fault(name, text, str(error))) from error


def write_config_file(path: Path, text: str, *, replace: bool) -> None:
    """Write a new file, readable by its owner alone; UsageError if it exists or cannot be made."""
    name = printable(str(path))
    flags = os.O_WRONLY | os.O_CREAT | (os.O_TRUNC if replace else os.O_EXCL)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # It may come to hold the broker's password.
        with os.fdopen(os.open(path, flags, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        if path.is_file() and isinstance(error, FileExistsError):
            raise UsageError(f"{name} exists (replace it with --force)") from error
        raise UsageError(f"{name} cannot be written: {error.strerror}") from error


def _flattened(file: ConfigFile) -> ConfigFile:
    """A table ``[output]`` with ``folder`` and ``layout`` says the same as the keys."""
    table = file.tables.get("output")
    if not isinstance(table, dict) or not table.keys() <= _OUTPUT_TABLE.keys():
        return file
    tables = {name: value for name, value in file.tables.items() if name != "output"}
    lines = dict(file.lines)
    for name, value in table.items():
        key = _OUTPUT_TABLE[name]
        tables[key] = value
        lines[key,] = lines.get(("output", name), lines.get(("output",), 1))
    return ConfigFile(file.path, tables, lines)


def _syntax_fault(name: str, text: str, message: str) -> str:
    """``FILE:LINE:COLUMN: what``, with the way out of the commonest trap."""
    place = _PLACE.search(message)
    lines = text.splitlines()
    line, column = (int(place[1]), int(place[2])) if place else (max(len(lines), 1), 1)
    what = _PLACE.sub("", message).replace(" (at end of document)", "; the file ends here")
    found = lines[line - 1] if line <= len(lines) else ""
    hint = "; write paths with backslashes in single quotes: 'M:\\'" if "\\" in found else ""
    return f"{name}:{line}:{column}: not TOML: {what}{hint}"
