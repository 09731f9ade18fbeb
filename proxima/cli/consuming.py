"""Consumers of events as commands: their names, and what Ctrl-C means to them."""

import os
import secrets
import signal
import socket
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from proxima.hooks.consumer import Consumer


def consumer_name(given: str | None) -> str:
    """By option or `PROXIMA_CONSUMER`, else unique."""
    unique = f"{socket.gethostname()}-{secrets.token_hex(4)}"
    return given or os.environ.get("PROXIMA_CONSUMER") or unique


def consume_all(consumers: "Sequence[Consumer]", since: str | None = None) -> None:
    """Consume until SIGINT or SIGTERM; what is being handled then is finished."""
    failed: list[BaseException] = []

    def run(consumer: "Consumer") -> None:
        try:
            consumer.run(since)
        except Exception as error:  # noqa: BLE001 - raised again below, where it is reported
            failed.append(error)
            stop()

    def stop(*_: object) -> None:
        for consumer in consumers:
            consumer.stop()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    threads = [threading.Thread(target=run, args=(one,), daemon=True) for one in consumers]
    for thread in threads:
        thread.start()
    for thread in threads:
        # In slices: a signal is only looked at between two of them.
        while thread.is_alive():
            thread.join(0.2)
    if failed:
        raise failed[0]
