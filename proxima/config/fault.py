"""Faults: every value of a table that is not what the schema allows, found in one pass."""

import difflib
import types
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import msgspec

from proxima.config.secret import masked
from proxima.config.toml_text import toml_key, toml_value

#: The way to a value: names of tables and keys, numbers of entries in lists.
Key = tuple[str | int, ...]

_LONGEST_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong, and where."""

    key: Key
    #: What was found and what is allowed.
    text: str


def dotted(key: Key) -> str:
    """``jobs.if_exists``, ``paths[0].name``."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{toml_key(part)}" for part in key)
    return text.removeprefix(".")


def near(word: str, words: Iterable[str]) -> str:
    """The one of *words* that was most likely meant; empty if none is near."""
    known = list(words)
    longer = [other for other in known if word and other.lower().startswith(word.lower())]
    return next(iter(longer or difflib.get_close_matches(word, known, n=1)), "")


def examine(found: Any, wanted: Any, key: Key, faults: list[Fault]) -> Any:
    """The good parts of *found*; what is not a *wanted* is left out and added to *faults*.

    UNSET if nothing is good.
    """
    kind, parts = _plain(wanted)
    if _is_struct(kind) and isinstance(found, dict):
        return _table(found, msgspec.structs.fields(kind), key, faults)
    if kind is dict and isinstance(found, dict):
        pairs = {
            name: examine(item, parts[1], (*key, name), faults) for name, item in found.items()
        }
        return {name: item for name, item in pairs.items() if item is not msgspec.UNSET}
    if kind is tuple and isinstance(found, list):
        items = [examine(item, parts[0], (*key, n), faults) for n, item in enumerate(found)]
        return [item for item in items if item is not msgspec.UNSET]
    try:
        msgspec.convert(found, wanted)
    except msgspec.ValidationError:
        faults.append(Fault(key, f"found {shown(found)}; allowed: {allowed(wanted, found)}"))
        return msgspec.UNSET
    return found


def _table(
    found: dict[str, Any],
    fields: Sequence[msgspec.structs.FieldInfo],
    key: Key,
    faults: list[Fault],
) -> dict[str, Any]:
    known = {field.encode_name: field for field in fields}
    good: dict[str, Any] = {}
    for name, item in found.items():
        if name in known:
            good[name] = examine(item, known[name].type, (*key, name), faults)
        else:
            faults.append(Fault((*key, name), unknown("key", name, known)))
    for name, field in known.items():
        if field.required and name not in found:
            faults.append(Fault((*key, name), f"found nothing; allowed: {allowed(field.type)}"))
    return {name: item for name, item in good.items() if item is not msgspec.UNSET}


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    """The text of a fault about a name that nobody knows."""
    names = list(known)
    return f"unknown {what}; allowed: {', '.join(names)}{did_you_mean(name, names)}"


def did_you_mean(word: str, words: Iterable[str]) -> str:
    """A question in brackets after a blank; empty if nothing is near."""
    meant = near(word, words)
    return f" (did you mean {meant}?)" if meant else ""


def shown(found: object) -> str:
    """A value as its file has it, without passwords and not too long."""
    if isinstance(found, list | dict):
        return "a list" if isinstance(found, list) else "a table"
    text = toml_value(masked(found) if isinstance(found, str) else found)
    return text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 1]}…"


def allowed(wanted: Any, found: object = None) -> str:
    """What a type allows, in words."""
    kind, parts = _plain(wanted)
    if kind is Literal:
        return ", ".join(map(toml_value, parts)) + (
            did_you_mean(found, parts) if isinstance(found, str) else ""
        )
    if kind in {Union, types.UnionType}:
        return allowed(next(part for part in parts if part is not type(None)))
    if kind is tuple:
        return f"a list, each item {allowed(parts[0])}"
    if _is_struct(kind) or kind is dict:
        return "a table"
    meta = _metas(wanted)
    title = next((m.title for m in meta if m.title), "")
    return title or _scalar(kind, meta)


def _scalar(kind: Any, metas: Sequence[msgspec.Meta]) -> str:
    if kind is bool:
        return "true or false"
    if kind is str:
        empty = any(meta.min_length for meta in metas)
        return "a string that is not empty" if empty else "a string"
    limits = next(((meta.ge, meta.le) for meta in metas if meta.ge is not None), None)
    return f"a whole number from {limits[0]} to {limits[1]}" if limits else "a whole number"


def _plain(wanted: Any) -> tuple[Any, tuple[Any, ...]]:
    """A type without its annotations: its origin and its arguments."""
    if get_origin(wanted) is Annotated:
        return _plain(wanted.__origin__)
    return get_origin(wanted) or wanted, get_args(wanted)


def _metas(wanted: Any) -> list[msgspec.Meta]:
    notes = getattr(wanted, "__metadata__", ())
    return [note for note in notes if isinstance(note, msgspec.Meta)]


def _is_struct(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)
