"""Heartbeat: keeps this worker on the roster."""

import logging
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from proxima.broker import roster
from proxima.broker.address import BrokerAddress
from proxima.broker.trouble import translated
from proxima.errors import BrokerError

if TYPE_CHECKING:
    from redis import Redis

log = logging.getLogger(__name__)


class Heartbeat:
    """Says every two seconds that the worker is alive, until `end`."""

    def __init__(
        self, client: "Redis", address: BrokerAddress, info: Callable[[], roster.WorkerInfo]
    ) -> None:
        self._client = client
        self._address = address
        self._info = info
        self._ended = threading.Event()

    def run(self) -> None:
        """Beat until `end`; for a thread of its own."""
        while True:
            self._try(lambda: roster.beat(self._client, self._info()))
            if self._ended.wait(roster.BEAT_SECONDS):
                break
        self._try(lambda: roster.leave(self._client, self._info().name))

    def end(self) -> None:
        """Leave the roster."""
        self._ended.set()

    def _try(self, action: Callable[[], None]) -> None:
        try:
            with translated(self._address):
                action()
        except BrokerError as error:
            log.debug("not on the roster just now: %s", error)
