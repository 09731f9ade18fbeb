"""Connect to the broker, and look at it before it is trusted with jobs."""

import socket
import time
from typing import Any

import redis
from redis.backoff import NoBackoff
from redis.exceptions import ResponseError
from redis.retry import Retry

from proxima.broker.address import BrokerAddress
from proxima.broker.health import BrokerHealth, faults
from proxima.broker.stranger import Stranger, who_answers
from proxima.broker.trouble import translated
from proxima.errors import BrokerUnfit, BrokerUnreachable

__all__ = ["check", "connect", "require_fit", "translated"]

#: Seconds.
CONNECT_TIMEOUT = 3
ANSWER_TIMEOUT = 10
#: The same, while somebody waits for the first word.
CHECK_TIMEOUT = 3
#: A connection unused for so long is tried before it is used again.
HEALTH_CHECK_INTERVAL = 30
#: Round trips, of which the quickest tells the clock difference.
CLOCK_SAMPLES = 3


def connect(address: BrokerAddress, *, answer_timeout: float = ANSWER_TIMEOUT) -> redis.Redis:
    """Client for *address*, safe to share between threads. Nothing is connected yet."""
    return redis.Redis.from_url(
        address.redis_url,
        socket_connect_timeout=CONNECT_TIMEOUT,
        socket_timeout=answer_timeout,
        health_check_interval=HEALTH_CHECK_INTERVAL,
        # Never by itself: a command whose answer was lost may have been carried out.
        retry=Retry(NoBackoff(), 0),
        # Every server has the older protocol, and it needs no greeting.
        protocol=2,
    )


def check(address: BrokerAddress) -> BrokerHealth:
    """Ask a broker how it is; a BrokerError after about 5 seconds if it does not say."""
    try:
        with translated(address), connect(address, answer_timeout=CHECK_TIMEOUT) as client:
            return _health(client, address)
    except BrokerUnreachable as error:
        raise _closer(error, address) from error.__cause__


def require_fit(address: BrokerAddress) -> redis.Redis:
    """Client for a broker that can serve; else the BrokerError that says why it cannot."""
    found = faults(check(address))
    if found:
        reasons = "; ".join(f"{fault.text} ({fault.remedy})" for fault in found)
        raise BrokerUnfit(f"the broker at {address.shown} cannot serve: {reasons}")
    return connect(address)


def _health(client: redis.Redis, address: BrokerAddress) -> BrokerHealth:
    info: Any = client.info()
    difference, latency = _clock(client)
    return BrokerHealth(
        address=address.shown,
        server="Valkey" if "valkey_version" in info else "Redis",
        version=str(info.get("valkey_version") or info.get("redis_version", "0")),
        mode=str(info.get("redis_mode", "standalone")),
        is_replica=info.get("role") == "slave",
        has_aof=bool(info.get("aof_enabled")),
        has_snapshots=_has_snapshots(client),
        eviction=info.get("maxmemory_policy") or _configured(client, "maxmemory-policy"),
        clock_difference=difference,
        latency=latency,
        memory_bytes=int(info.get("used_memory", 0)),
        memory_limit_bytes=int(info.get("maxmemory", 0)),
        clients=int(info.get("connected_clients", 0)),
    )


def _configured(client: redis.Redis, name: str) -> str | None:
    """A setting of the server; None where CONFIG is forbidden or unknown."""
    try:
        answer: Any = client.config_get(name)
    except ResponseError:
        return None
    return next((str(value) for value in answer.values()), None)


def _has_snapshots(client: redis.Redis) -> bool | None:
    save = _configured(client, "save")
    return None if save is None else bool(save)


def _clock(client: redis.Redis) -> tuple[float, float]:
    """Seconds that the server's clock is ahead, and those of the quickest round trip."""
    return min((_clock_sample(client) for _ in range(CLOCK_SAMPLES)), key=lambda pair: pair[1])


def _clock_sample(client: redis.Redis) -> tuple[float, float]:
    ours, start = time.time(), time.perf_counter()
    answer: Any = client.time()
    latency = time.perf_counter() - start
    seconds, microseconds = answer
    return seconds + microseconds / 1e6 - ours - latency / 2, latency


def _closer(error: BrokerUnreachable, address: BrokerAddress) -> BrokerUnreachable:
    """A better explanation, if somebody else answers at that port."""
    below = error.__cause__ and error.__cause__.__context__
    if address.socket or isinstance(below, ConnectionRefusedError | socket.gaierror):
        return error
    match who_answers(address.host, address.port):
        case Stranger.TLS if not address.is_tls:
            why = "speaks only TLS (write rediss:// in place of redis://)"
        case Stranger.REDIS if address.is_tls:
            why = "does not encrypt (write redis:// in place of rediss://)"
        case (Stranger.WEB | Stranger.OTHER) as who:
            why = f"is no Redis or Valkey but {who} (check host and port)"
        case _:
            return error
    return BrokerUnreachable(f"what answers at {address.shown} {why}")
