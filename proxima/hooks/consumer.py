"""Consumer: one of a group that shares the events; handles one at a time.

An event counts as handled once the broker knows so. Whoever is cut off from the broker goes on
asking; what was handled here is acknowledged when it answers again, and not done a second time
here. If another consumer took it over meanwhile, that one did it, too.
"""

import logging
import random
import threading
import time
from collections.abc import Callable
from typing import TypeVar

from proxima.broker.address import BrokerAddress
from proxima.broker.event_care import EventCare
from proxima.broker.event_entry import read_event
from proxima.broker.event_group import MOST_DELIVERIES, Delivery, EventGroup
from proxima.broker.trouble import translated
from proxima.errors import BrokerError, EventInvalid, HandlingFailed
from proxima.event import Event

#: Seconds before the second delivery of an event; each later one waits so many times as long.
FIRST_PAUSE = 2.0
_TIMES = 3.0
#: Seconds between two looks for events that are due or whose consumer is gone.
_TAKE_SECONDS = 1.0
#: Seconds to wait for a broker that is away; and for its word before we end without it.
_PATIENCE = (0.2, 0.5, 1.0, 2.0)
_LAST_WORD_SECONDS = 5.0

#: Seconds in which one that did more than its share lets the others go first.
_YIELD_SECONDS = 0.003

#: Handles an event that is delivered for the nth time; HandlingFailed says why it could not.
Handle = Callable[[Event, int], None]

T = TypeVar("T")

log = logging.getLogger(__name__)


class Consumer:
    """Takes events and hands them to *handle*, until `stop`."""

    def __init__(  # noqa: PLR0913 - its parts, all by name but the first
        self,
        group: EventGroup,
        address: BrokerAddress,
        care: EventCare,
        handle: Handle,
        *,
        wants: Callable[[Event], bool] = lambda _: True,
        tell: Callable[[str], None] = log.warning,
        first_pause: float = FIRST_PAUSE,
    ) -> None:
        """Events that it does not want are acknowledged; *tell* is told what goes wrong."""
        self._group, self._address, self._care = group, address, care
        self._handle, self._wants, self._tell = handle, wants, tell
        self._first_pause = first_pause
        self._stopped = threading.Event()
        self._held = ""
        self._next_take = 0.0
        self._trouble = ""

    def stop(self) -> None:
        """Take no more; what is being handled is finished."""
        self._stopped.set()

    def run(self, since: str | None = None) -> None:
        """Consume until `stop`; a new group begins at *since*, or now."""
        with translated(self._address):
            self._group.join(since)
        threading.Thread(target=self._look_after, daemon=True).start()
        while not self._stopped.is_set():
            delivery = self._ask(self._receive)
            if delivery:
                self._serve(delivery)
        try:
            with translated(self._address):
                self._group.leave()
        except BrokerError as error:
            log.debug("not left: %s", error)

    def _receive(self) -> Delivery | None:
        if time.monotonic() >= self._next_take:
            if taken := self._group.take():
                return taken
            self._next_take = time.monotonic() + _TAKE_SECONDS
        return self._group.next(_TAKE_SECONDS)

    def _serve(self, delivery: Delivery) -> None:
        self._held = delivery.event_id
        try:
            event = read_event(delivery.event_id, delivery.fields)
            if self._wants(event):
                self._handle(event, delivery.count)
        except EventInvalid as error:
            self._failed(delivery, str(error), most=0)
        except HandlingFailed as error:
            self._failed(delivery, str(error))
        else:
            answer = self._ask(lambda: self._group.ack(delivery.event_id))
            if answer == "ahead":
                time.sleep(_YIELD_SECONDS)
            elif answer == "lost":
                self._tell(
                    f"event {delivery.event_id} was handled here, and is by another consumer: "
                    f"the broker did not hear of this one for {self._group.idle_seconds:g} s"
                )
        finally:
            self._held = ""

    def _failed(self, delivery: Delivery, reason: str, most: int = MOST_DELIVERIES) -> None:
        pause = self._first_pause * _TIMES ** (delivery.count - 1)
        # Jitter: what failed together must not come back together for ever.
        pause *= random.uniform(0.8, 1.2)  # noqa: S311 - no secret
        event_id = delivery.event_id
        what = self._ask(lambda: self._group.fail(event_id, reason, seconds=pause, most=most))
        then = {
            "again": f"it is tried again in {pause:.0f} s",
            "dead": "it is set aside (see: proxima events dead list)",
            "lost": "another consumer has it now",
        }
        self._tell(f"event {event_id}: {reason}; {then[what or 'lost']}")

    def _ask(self, question: Callable[[], T]) -> T | None:
        """The broker's answer, however long it is away; None if we are to end."""
        tries, deadline = 0, None
        while True:
            try:
                with translated(self._address):
                    answer = question()
                self._note("")
            except BrokerError as error:
                self._note(str(error))
            else:
                return answer
            if self._stopped.is_set():
                deadline = deadline or time.monotonic() + _LAST_WORD_SECONDS
                if time.monotonic() > deadline:
                    return None
            time.sleep(_PATIENCE[min(tries, len(_PATIENCE) - 1)])
            tries += 1

    def _note(self, trouble: str) -> None:
        if trouble != self._trouble:
            self._tell(trouble or "the broker answers again")
            self._trouble = trouble

    def _look_after(self) -> None:
        """Say that we still have what we have, and care for the events; in a thread of its own."""
        while not self._stopped.wait(self._group.idle_seconds / 3) or self._held:
            try:
                with translated(self._address):
                    if held := self._held:
                        self._group.renew(held)
                    self._care.care_in_turn()
            except BrokerError as error:
                log.debug("no word just now: %s", error)
            except Exception:
                log.exception("looking after the events failed")
            if self._stopped.is_set():
                # The command may run for long; the group must not take it for lost.
                time.sleep(self._group.idle_seconds / 3)
