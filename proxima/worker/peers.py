"""Peers: the other workers of the farm that could take a job."""

from typing import TYPE_CHECKING

from proxima.broker import roster
from proxima.broker.address import BrokerAddress
from proxima.broker.trouble import translated
from proxima.errors import BrokerError

if TYPE_CHECKING:
    from redis import Redis


class Peers:
    """Call it for the names of those that are alive, well, and not about to leave."""

    def __init__(self, client: "Redis", address: BrokerAddress, own_name: str) -> None:
        self._client, self._address, self._own_name = client, address, own_name

    def __call__(self) -> frozenset[str]:
        """Their names: ``<uuid>@<host>``; none while the broker is away."""
        try:
            with translated(self._address):
                workers = roster.alive(self._client)
        except BrokerError:
            return frozenset()
        fit = {worker.name for worker in workers if not worker.draining and not worker.unwell}
        return frozenset(fit - {self._own_name})
