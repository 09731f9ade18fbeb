"""The scripts in Lua that run on the server, as text."""

import re
from importlib.resources import files

#: The first line of a script that needs another before it: ``--#tell``.
_NEEDS = re.compile(r"--#(\w+)\n")


def script(name: str) -> str:
    """The text of a script, with what it needs before it."""
    text = _read(name)
    needed = _NEEDS.match(text)
    return _read(needed[1]) + text[needed.end() :] if needed else text


def _read(name: str) -> str:
    return (files("proxima.broker") / "scripts" / f"{name}.lua").read_text(encoding="utf-8")
