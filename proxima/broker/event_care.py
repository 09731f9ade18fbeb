"""EventCare: keeps the stream of events short, and finds what it missed.

Every worker, queuer and consumer of a farm cares; a lock with a time lets one of them do it at a
time.
"""

import logging
from typing import TYPE_CHECKING, Any

from proxima.broker import batches, keys, lua, roster
from proxima.broker.event_group import group_keys, groups

if TYPE_CHECKING:
    from redis import Redis

#: Seconds between two looks on a farm.
CARE_SECONDS = 60.0
_DAY = 86_400_000
#: Events that every group has acknowledged stay for so many milliseconds, for those who follow
#: later, if they are not more than so many.
SOFT_MILLISECONDS = 1 * _DAY
SOFT_COUNT = 50_000
#: What some group has not acknowledged stays up to here.
HARD_MILLISECONDS = 7 * _DAY
HARD_COUNT = 500_000
#: Seconds after which a consumer that has nothing is forgotten.
FORGET_SECONDS = 300.0
#: Events, and jobs, in one script: a few milliseconds in which the server answers nobody else.
_CHUNK = 500
_MOST_BATCHES = 10_000

log = logging.getLogger(__name__)


class EventCare:
    """Cares for the events of one farm, whenever it is this one's turn."""

    def __init__(
        self,
        client: "Redis",
        *,
        soft: tuple[int, int] = (SOFT_MILLISECONDS, SOFT_COUNT),
        hard: tuple[int, int] = (HARD_MILLISECONDS, HARD_COUNT),
        forget_seconds: float = FORGET_SECONDS,
    ) -> None:
        self._client: Any = client
        self._limits, self._forget_seconds = (*soft, *hard), forget_seconds
        names = ("event_trim", "event_missed", "event_leave")
        self._script = {name: client.register_script(lua.script(name)) for name in names}

    def care_in_turn(self) -> None:
        """Care, unless somebody of the farm did so in the last minute."""
        milliseconds = int(0.9 * CARE_SECONDS * 1000)
        if self._client.set(keys.EVENTS_CARE, "1", nx=True, px=milliseconds):
            self.care()

    def care(self) -> None:
        """Tell what was missed, forget consumers that are gone, trim."""
        # Those who fell silent are told of by whoever looks.
        roster.alive(self._client)
        if made := self.tell_missed():
            log.warning("%d events were missing, and are told now", made)
        self.forget_consumers()
        self.trim()

    def tell_missed(self) -> int:
        """Tell of every end that is in no event; how many events that made.

        What ended more than a day ago is let be: its events may have been trimmed.
        """
        since = self._client.time()[0] * 1000 - self._limits[0]
        recent = batches.recent_ids(self._client, _MOST_BATCHES)
        return sum(self._missed(batch_id, since) for batch_id in recent)

    def forget_consumers(self) -> None:
        """Forget consumers that have nothing and were not heard of for a while."""
        for group in groups(self._client):
            for name, pending, idle in group.consumers:
                if not pending and idle > self._forget_seconds:
                    self._script["event_leave"](
                        keys=group_keys(group.name), args=[group.name, name]
                    )

    def trim(self) -> dict[str, int]:
        """Take away what is old; of each group that lost some, how many."""
        lost: dict[str, int] = {}
        while True:
            gone, *pairs = self._script["event_trim"](
                keys=[keys.EVENTS, keys.EVENTS_DEAD, keys.EVENTS_TRIMMED, keys.EVENTS_LOST],
                args=[*self._limits, _CHUNK, keys.EVENTS_DUE],
            )
            for group, count in zip(pairs[::2], pairs[1::2], strict=True):
                lost[group.decode()] = lost.get(group.decode(), 0) + count
            if gone < _CHUNK:
                break
        for name, count in lost.items():
            log.error(
                "%d events that group %s had not acknowledged were trimmed away: too old or too "
                "many (is a consumer of it running? see: proxima events groups)",
                count,
                name,
            )
        return lost

    def _missed(self, batch_id: str, since: int) -> int:
        made, first = 0, 1
        count = int(self._client.hget(keys.batch(batch_id), "jobs") or 0)
        while first <= max(count, 1):
            found = self._script["event_missed"](
                keys=[keys.batch(batch_id), keys.EVENTS_TRIMMED],
                args=[first, first + _CHUNK - 1, since],
            )
            if found < 0:
                break
            made, first = made + found, first + _CHUNK
        return made
