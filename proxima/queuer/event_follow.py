"""EventFollower: every event from a place on, in order, also over cuts."""

import logging
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from proxima.broker.address import BrokerAddress
from proxima.broker.event_entry import read_event
from proxima.broker.event_stream import entries, gap_after, place_of
from proxima.broker.trouble import translated
from proxima.errors import BrokerError, EventInvalid
from proxima.event import Event

if TYPE_CHECKING:
    from redis import Redis

#: Seconds between two questions to a broker that is away.
AWAY_SECONDS = 1.0

log = logging.getLogger(__name__)


class EventFollower:
    """One reader of the events of a farm; nobody waits for it, and it leaves no trace."""

    def __init__(
        self,
        client: "Redis",
        address: BrokerAddress,
        since: str | None = None,
        *,
        tell: Callable[[str], None] = log.warning,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """*since* as of `place_of`; *tell* is told what is amiss: a cut, events that are gone.

        BrokerError if the broker does not answer now; UsageError if *since* makes no sense.
        """
        self._client, self._address = client, address
        self._tell, self._sleep = tell, sleep
        self._trouble = ""
        with translated(address):
            #: Id of the last event that was given.
            self.place = place_of(client, since)
        self._is_new = True

    def __iter__(self) -> Iterator[Event]:
        """Yield events for ever, as they come."""
        while True:
            yield from self.read()

    def read(self) -> Iterator[Event]:
        """Yield the next events, after two seconds without one none; none while it is cut off."""
        try:
            with translated(self._address):
                self._look_for_a_gap()
                found = entries(self._client, self.place)
        except BrokerError as error:
            self._say(f"{error}; the events since {self.place} come when it answers")
            self._sleep(AWAY_SECONDS)
            return
        self._trouble = ""
        for event_id, fields in found:
            # Before it is given: who stops here has seen it.
            self.place = event_id
            try:
                yield read_event(event_id, fields)
            except EventInvalid as error:
                self._tell(f"passed over: {error}")

    def _look_for_a_gap(self) -> None:
        """Once at the start and after each cut: events may have been trimmed away meanwhile."""
        if (self._is_new or self._trouble) and gap_after(self._client, self.place):
            self._tell(f"some events after {self.place} are gone: they were too old, or too many")
        self._is_new = False

    def _say(self, trouble: str) -> None:
        if trouble != self._trouble:
            self._trouble = trouble
            self._tell(trouble)
