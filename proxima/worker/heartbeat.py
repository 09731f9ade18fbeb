"""Heartbeat: keeps this worker on the roster."""

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from proxima.broker import roster
from proxima.broker.address import BrokerAddress
from proxima.broker.trouble import translated
from proxima.errors import BrokerError

if TYPE_CHECKING:
    from redis import Redis


class Heartbeat:
    """Says every two seconds that the worker is alive, until `end`."""

    def __init__(
        self,
        client: "Redis",
        address: BrokerAddress,
        info: Callable[[], roster.WorkerInfo],
        obey: Callable[[roster.Orders], None],
        tell: Callable[[str], None],
    ) -> None:
        """*obey* is told with each beat what the worker is ordered to do.

        *tell* is told why the broker does not answer; nothing when it does.
        """
        self._client = client
        self._address = address
        self._info = info
        self._obey = obey
        self._tell = tell
        self._ended = threading.Event()

    def run(self) -> None:
        """Beat until `end`; for a thread of its own."""
        while True:
            self._try(self._beat)
            if self._ended.wait(roster.BEAT_SECONDS):
                break
        self._try(lambda: roster.leave(self._client, self._info().name))

    def end(self) -> None:
        """Leave the roster."""
        self._ended.set()

    def _beat(self) -> None:
        self._obey(roster.orders_of(self._client, self._info().name))
        roster.beat(self._client, self._info())

    def _try(self, action: Callable[[], None]) -> None:
        try:
            with translated(self._address):
                action()
            self._tell("")
        except BrokerError as error:
            self._tell(str(error))
