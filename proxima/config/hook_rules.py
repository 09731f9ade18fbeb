"""What happens on events: hooks, and which of them make sense."""

from collections.abc import Iterable, Iterator
from typing import Annotated

import msgspec
from msgspec import Meta

from proxima.config.fault import Fault
from proxima.event import EventPattern, matches

_ACTIONS = ("command", "webhook", "desktop")


class HookRules(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One hook; `proxima hooks` runs it."""

    name: Annotated[
        str,
        Meta(
            pattern=r"^[a-z0-9_-]{1,40}$",
            title="a name of small letters, digits, - and _",
            description="What it is called. Hooks of one name on several machines are one: each "
            "event is handled by one of them.",
            examples=["tell-editors"],
        ),
    ]
    events: Annotated[
        tuple[EventPattern, ...],
        Meta(
            min_length=1,
            description='Types of events, all of a kind, or all: "job.failed", "batch.*", "*".',
            examples=[["batch.finished", "job.failed"]],
        ),
    ]
    command: Annotated[
        tuple[str, ...],
        Meta(
            description="A program and its arguments, run without a shell; it gets the event as "
            "JSON on its standard input, and in PROXIMA_EVENT_* variables.",
            examples=[["/usr/local/bin/tell-editors"]],
        ),
    ] = ()
    webhook: Annotated[
        str,
        Meta(
            pattern=r"^(https?://\S+)?$",
            title="an address that begins with http:// or https://",
            description="Or: an address to which the event is posted as JSON, signed.",
            examples=[""],
        ),
    ] = ""
    secret_variable: Annotated[
        str,
        Meta(
            pattern=r"^[A-Z][A-Z0-9_]*$",
            title="the name of an environment variable",
            description="Environment variable that holds the secret of the signature.",
            examples=["PROXIMA_HOOK_SECRET"],
        ),
    ] = "PROXIMA_HOOK_SECRET"  # noqa: S105 - its name only
    desktop: Annotated[
        bool,
        Meta(description="Or: show the event to whoever sits at this machine.", examples=[False]),
    ] = False
    timeout: Annotated[
        int,
        Meta(ge=1, description="Seconds that handling one event may take.", examples=[60]),
    ] = 60

    def wants(self, event_type: str) -> bool:
        """Whether it handles events of a type."""
        return matches(event_type, self.events)


def hook_faults(hooks: Iterable[tuple[int, HookRules]]) -> Iterator[Fault]:
    """Names that are there twice, and more or less than one thing to do.

    *hooks* are the entries that are good in themselves, each with its number.
    """
    names: set[str] = set()
    for number, hook in hooks:
        if hook.name in names:
            yield Fault(("hooks", number, "name"), f"found {hook.name} again; allowed: once")
        names.add(hook.name)
        found = [action for action in _ACTIONS if getattr(hook, action)]
        if len(found) != 1:
            allowed = ", ".join(_ACTIONS)
            text = f"found {' and '.join(found) or 'nothing to do'}; allowed: one of {allowed}"
            yield Fault(("hooks", number), text)
