"""Keep an embedded server running until told to stop."""

import threading
import time
from collections.abc import Callable, Sequence

from proxima.broker.embedded import EmbeddedServer
from proxima.errors import BrokerError

#: Seconds before each new start; as many starts are tried in a row.
BACK_OFF = (0.5, 1.0, 2.0, 5.0)
#: A server that lived so many seconds was well: a death after that is the first one again.
_WELL = 60.0
#: Seconds between looking after it.
_POLL = 0.2


def keep(
    server: EmbeddedServer,
    restart: Callable[[], EmbeddedServer],
    *,
    stop: threading.Event,
    tell: Callable[[str], None],
    back_off: Sequence[float] = BACK_OFF,
) -> None:
    """Look after *server* until *stop* is set, then end it.

    When it dies it is started again; BrokerError when that does not help.
    """
    deaths, born = 0, time.monotonic()
    try:
        while not stop.wait(_POLL):
            if server.alive:
                continue
            deaths = 0 if time.monotonic() - born > _WELL else deaths
            if deaths == len(back_off):
                raise BrokerError(
                    f"the server ended {deaths + 1} times in a row and was given up; "
                    f"its log:\n{server.last_words}"
                )
            tell(f"the server ended by itself ({server.ending}); its log:\n{server.last_words}")
            if stop.wait(back_off[deaths]):
                break
            deaths += 1
            born = time.monotonic()
            try:
                server = restart()
                tell("the server runs again")
            except BrokerError as error:
                tell(str(error))
    finally:
        server.stop()
