"""WorkerSettings: all that the worker process is told, in one value."""

import os
import socket
import uuid

import msgspec

from proxima.broker.lease import LEASE_SECONDS
from proxima.config.schema import Config


class WorkerSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Handed over through standard input: no password in a command line or an environment."""

    config: Config
    #: Address of the broker, with its password.
    broker: str
    #: ``<uuid>@<host>``.
    name: str
    slots: int
    #: How long its leases run without being renewed; the same on all workers of a farm.
    lease_seconds: float = LEASE_SECONDS

    @property
    def threads(self) -> int:
        """Threads of ffmpeg in each slot: the cores, shared out."""
        return max(1, cores() // self.slots)


def cores() -> int:
    """Cores that this process may use."""
    # Containers and taskset give fewer than the machine has.
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def worker_name() -> str:
    """A name that no other worker has: ``<uuid>@<host>``."""
    return f"{uuid.uuid4()}@{socket.gethostname()}"
