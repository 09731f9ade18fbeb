"""HookRunner: consumes the events for one hook of the config."""

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from proxima.broker.event_care import EventCare
from proxima.broker.event_group import EventGroup
from proxima.config.hook_rules import HookRules
from proxima.errors import UsageError
from proxima.hooks.consumer import Consumer, Handle
from proxima.hooks.desktop import Desktop
from proxima.hooks.event_command import EventCommand
from proxima.hooks.event_text import LocalPath
from proxima.hooks.webhook import Webhook

if TYPE_CHECKING:
    from redis import Redis

    from proxima.broker.address import BrokerAddress


def consumer_of(
    hook: HookRules,
    client: "Redis",
    address: "BrokerAddress",
    *,
    consumer: str,
    local: LocalPath,
    tell: Callable[[str], None],
) -> Consumer:
    """The consumer that handles *hook*; UsageError if its secret is not set."""
    return Consumer(
        EventGroup(client, f"hook.{hook.name}", consumer),
        address,
        EventCare(client),
        _handler(hook, local),
        wants=lambda event: hook.wants(event.type),
        tell=lambda text: tell(f"{hook.name}: {text}"),
    )


def _handler(hook: HookRules, local: LocalPath) -> Handle:
    if hook.command:
        return EventCommand(hook.command, hook.timeout, local)
    if hook.desktop:
        return Desktop()
    secret = os.environ.get(hook.secret_variable, "")
    if not secret:
        raise UsageError(
            f"hook {hook.name}: the variable {hook.secret_variable} is not set; it holds the "
            "secret with which its webhook is signed"
        )
    return Webhook(hook.webhook, secret, hook.timeout)
