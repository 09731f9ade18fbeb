"""History: what became of the earlier attempts at a job that failed and is tried again."""

from collections import Counter

import msgspec


class History(msgspec.Struct, frozen=True, kw_only=True):
    """The failures of a job so far."""

    #: Those that count against its retries.
    failures: int = 0
    #: Those that were the workers' own.
    returned: int = 0
    #: The worker of each, in order: ``<uuid>@<host>``.
    failed_on: tuple[str, ...] = ()

    @property
    def tried(self) -> str:
        """``tried 3 times: 2 on edit1, 1 on edit2``."""
        hosts = Counter(name.rpartition("@")[2] for name in self.failed_on)
        where = ", ".join(f"{count} on {host}" for host, count in hosts.items())
        return f"tried {len(self.failed_on)} times: {where}"

    def and_on(self, worker: str) -> "History":
        """The history with one more failure, on *worker*."""
        return msgspec.structs.replace(self, failed_on=(*self.failed_on, worker))


def read_history(failures: bytes, returned: bytes, failed_on: bytes) -> History:
    """The history as the record of a job holds it."""
    return History(
        failures=int(failures),
        returned=int(returned),
        failed_on=tuple(failed_on.decode().split()),
    )
