"""An event as programs get it: JSON, and variables."""

import json
import os
from collections.abc import Callable, Mapping

import msgspec

from proxima.errors import ProximaError
from proxima.event import Event

#: Portable path -> path on this machine.
LocalPath = Callable[[str], str]


def localised(event: Event, local: LocalPath) -> Event:
    """The event with the paths of this machine; those that have none here stay as they are."""
    return msgspec.structs.replace(
        event, source=_local(event.source, local), output=_local(event.output, local)
    )


def json_text(event: Event) -> str:
    """One line of ASCII; a name's bytes that are no UTF-8 could not be written otherwise."""
    return json.dumps(msgspec.to_builtins(event), ensure_ascii=True, allow_nan=False)


def variables(event: Event, count: int) -> Mapping[str, str]:
    """``PROXIMA_EVENT_TYPE`` and so on, for each field that says something."""
    fields = {**msgspec.to_builtins(event), "delivery": count}
    return {
        f"PROXIMA_EVENT_{name.upper()}": _word(
            " ".join(value) if isinstance(value, list | tuple) else str(value)
        )
        for name, value in fields.items()
    }


def _word(text: str) -> str:
    """What an environment can hold."""
    try:
        os.fsencode(text)
    except UnicodeEncodeError:
        text = text.encode(errors="replace").decode()
    return text.replace("\0", "")


def _local(path: str, local: LocalPath) -> str:
    if not path:
        return path
    try:
        return local(path)
    except ProximaError:
        return path
