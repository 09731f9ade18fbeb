"""BrokerHealth: what a broker says of itself, and what we find in that. Pure."""

from enum import StrEnum

import msgspec

#: The oldest that serve: Celery's transport and our scripts are tried with these and newer.
OLDEST = {"Redis": (7,), "Valkey": (8,)}
#: Seconds of clock difference from which times on two screens look wrong.
CLOCK_TOLERANCE = 2.0
#: Seconds of difference that a slow network alone may show.
CLOCK_NOISE = 0.1
#: Share of the memory limit from which we warn: at the limit every write is refused.
MEMORY_WARNING = 0.9


class Verdict(StrEnum):
    """How serious a finding is."""

    OK = "ok"
    #: It works, but somebody may regret it.
    WARNING = "warning"
    #: It does not work.
    FAULT = "fault"


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that was looked at."""

    #: What was looked at: "broker", "ffmpeg", "preset h264-proxy", ...
    subject: str = "broker"
    verdict: Verdict
    text: str
    #: What to do; empty where nothing is to be done.
    remedy: str = ""


class BrokerHealth(msgspec.Struct, frozen=True, kw_only=True):
    """What a broker says of itself."""

    #: Its address without the password.
    address: str
    #: "Redis" or "Valkey".
    server: str
    #: As the server says it: "9.1.2".
    version: str
    #: "standalone", "cluster" or "sentinel".
    mode: str = "standalone"
    #: Whether it follows another server and takes no writes.
    is_replica: bool = False
    #: Whether every write goes to the append-only file.
    has_aof: bool = False
    #: Whether snapshots are made; None if the server does not tell us.
    has_snapshots: bool | None = None
    #: ``maxmemory-policy``; None if the server does not tell us.
    eviction: str | None = None
    #: Seconds that the server's clock is ahead of ours.
    clock_difference: float = 0.0
    #: Seconds of the quickest round trip.
    latency: float = 0.0
    memory_bytes: int = 0
    #: 0 = no limit.
    memory_limit_bytes: int = 0
    #: Connections open now, ours among them.
    clients: int = 0


def findings(health: BrokerHealth) -> list[Finding]:
    """What is well with a broker and what is not; at least one finding for each subject."""
    return [
        _version(health),
        _role(health),
        _eviction(health),
        _persistence(health),
        _clock(health),
        _memory(health),
    ]


def faults(health: BrokerHealth) -> list[Finding]:
    """Why a broker cannot serve; empty if it can."""
    return [found for found in findings(health) if found.verdict is Verdict.FAULT]


def _ok(text: str) -> Finding:
    return Finding(verdict=Verdict.OK, text=text)


def _warning(text: str, remedy: str) -> Finding:
    return Finding(verdict=Verdict.WARNING, text=text, remedy=remedy)


def _fault(text: str, remedy: str) -> Finding:
    return Finding(verdict=Verdict.FAULT, text=text, remedy=remedy)


def _version(health: BrokerHealth) -> Finding:
    name = f"{health.server} {health.version}"
    numbers = tuple(int(part) for part in health.version.split(".") if part.isdigit())
    if numbers < OLDEST[health.server]:
        oldest = " or ".join(f"{server} {least[0]}" for server, least in OLDEST.items())
        return _fault(f"{name} is too old", f"use {oldest} or newer, or the one of: proxima broker")
    return _ok(f"{name}, {health.clients} connections, {health.latency * 1000:.1f} ms away")


def _role(health: BrokerHealth) -> Finding:
    if health.mode != "standalone":
        return _fault(
            f"it runs as {health.mode}, which Celery cannot use as a queue",
            "name a single server in the address",
        )
    if health.is_replica:
        return _fault("it is a read-only replica", "name its primary in the address")
    return _ok("takes writes")


def _eviction(health: BrokerHealth) -> Finding:
    if health.eviction is None:
        return _warning(
            "it does not say whether it evicts keys when its memory is full",
            "make sure that its maxmemory-policy is noeviction",
        )
    if health.eviction != "noeviction":
        return _fault(
            f"it may evict keys, and with them jobs (maxmemory-policy {health.eviction})",
            "give it the command CONFIG SET maxmemory-policy noeviction, "
            "and write the same into its configuration",
        )
    return _ok("never evicts keys")


def _persistence(health: BrokerHealth) -> Finding:
    if health.has_aof:
        return _ok("keeps its data on disk (AOF)")
    remedy = (
        "give it the command CONFIG SET appendonly yes, "
        "and write the same into its configuration, or use: proxima broker"
    )
    if health.has_snapshots is False:
        return _warning("keeps nothing on disk: a restart loses every batch", remedy)
    return _warning("keeps snapshots at most: a crash loses the newest jobs", remedy)


def _clock(health: BrokerHealth) -> Finding:
    seconds = abs(health.clock_difference)
    if seconds < CLOCK_NOISE:
        return _ok("its clock agrees with this machine's")
    direction = "ahead of" if health.clock_difference > 0 else "behind"
    text = f"its clock is {seconds:.1f} s {direction} this machine's"
    if seconds > CLOCK_TOLERANCE:
        return _warning(text, "let both machines set their clocks by NTP")
    return _ok(text)


def _memory(health: BrokerHealth) -> Finding:
    used = f"uses {health.memory_bytes / 2**20:.0f} MiB of memory"
    if not health.memory_limit_bytes:
        return _ok(used)
    text = f"{used}, limit {health.memory_limit_bytes / 2**20:.0f} MiB"
    if health.memory_bytes > MEMORY_WARNING * health.memory_limit_bytes:
        return _warning(text, "raise its maxmemory: at the limit it refuses every write")
    return _ok(text)
