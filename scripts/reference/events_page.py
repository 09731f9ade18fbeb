"""events.md: types and fields of events, from the comments of `proxima.event`."""

import ast
import inspect
import re
import typing

from proxima import event
from reference.markdown import code, table


def text() -> str:
    """The page."""
    meanings = _comments()
    types = [[code(one.value), meanings["EventType", one.name]] for one in event.EventType]
    hints = typing.get_type_hints(event.Event)
    fields = [
        [code(name), _kind(hints[name]), meanings["Event", name]]
        for name in event.Event.__struct_fields__
    ]
    return f"""\
# Events

What happens on a farm, told in one Redis stream, `proxima:events`, in the same step in which it
happens. Ids are the stream's. This is version {event.VERSION}: readers pass over types and fields
that they do not know. How to use them: [Events](../howto/events.md).

## Types

{table(["type", "meaning"], types)}
## Fields

In JSON, fields that say nothing are left out. Programs that are run get each as a variable
`PROXIMA_EVENT_` with the name in capitals, and `PROXIMA_EVENT_DELIVERY`: which delivery this is.

{table(["field", "type", "meaning"], fields)}"""


def _kind(hint: object) -> str:
    kinds = [one for one in typing.get_args(hint) or (hint,) if isinstance(one, type)]
    names = {str: "text", int: "whole number", float: "number", tuple: "list of texts"}
    is_list = typing.get_origin(hint) is tuple
    return "list of texts" if is_list else names[next(k for k in kinds if k is not type(None))]


def _comments() -> dict[tuple[str, str], str]:
    """Class and name of each member with the ``#:`` lines above it, which Python does not keep."""
    lines = inspect.getsource(event).splitlines()
    found = {}
    for node in ast.parse("\n".join(lines)).body:
        for member in node.body if isinstance(node, ast.ClassDef) else ():
            target = getattr(member, "target", None) or next(
                iter(getattr(member, "targets", [])), None
            )
            if not isinstance(target, ast.Name):
                continue
            above, at = [], member.lineno - 2
            while re.match(r"\s*#:", lines[at]):
                above.insert(0, lines[at].strip().removeprefix("#:").strip())
                at -= 1
            found[node.name, target.id] = " ".join(above)
    return found
