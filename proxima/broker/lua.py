"""The scripts in Lua that run on the server, as text."""

from importlib.resources import files

#: The first line of a script that writes to the stream of events.
_TELLS = "--#tell\n"


def script(name: str) -> str:
    """The text of a script, with what it needs before it."""
    text = _read(name)
    return _read("tell") + text.removeprefix(_TELLS) if text.startswith(_TELLS) else text


def _read(name: str) -> str:
    return (files("proxima.broker") / "scripts" / f"{name}.lua").read_text(encoding="utf-8")
