"""What is found in what a broker says of itself."""

from typing import Any

import pytest

from proxima.broker.health import BrokerHealth, Verdict, faults, findings

WELL = {
    "address": "redis://render1:6399/0",
    "server": "Valkey",
    "version": "9.1.2",
    "has_aof": True,
    "has_snapshots": False,
    "eviction": "noeviction",
    "memory_bytes": 3 * 2**20,
    "clients": 4,
    "latency": 0.0004,
}


def found(**changes: Any) -> list[tuple[Verdict, str]]:
    """What is not as it should be."""
    health = BrokerHealth(**(WELL | changes))
    return [(f.verdict, f.text) for f in findings(health) if f.verdict is not Verdict.OK]


def test_a_broker_as_we_run_it_has_only_good_findings() -> None:
    health = BrokerHealth(**WELL)
    assert [finding.text for finding in findings(health)] == [
        "Valkey 9.1.2, 4 connections, 0.4 ms away",
        "takes writes",
        "never evicts keys",
        "keeps its data on disk (AOF)",
        "its clock agrees with this machine's",
        "uses 3 MiB of memory",
    ]
    assert faults(health) == []


@pytest.mark.parametrize(
    ("server", "version", "is_old"),
    [
        ("Redis", "6.2.14", True),
        ("Redis", "7.0.0", False),
        ("Redis", "10.0", False),
        ("Valkey", "7.2.5", True),
        ("Valkey", "8.0.0-rc1", False),
    ],
)
def test_a_server_must_be_new_enough(server: str, version: str, is_old: bool) -> None:
    expected = [(Verdict.FAULT, f"{server} {version} is too old")] if is_old else []
    assert found(server=server, version=version) == expected


@pytest.mark.parametrize(
    ("changes", "verdict", "text"),
    [
        ({"eviction": "allkeys-lru"}, Verdict.FAULT, "may evict keys"),
        ({"eviction": "volatile-ttl"}, Verdict.FAULT, "may evict keys"),
        ({"eviction": None}, Verdict.WARNING, "does not say whether it evicts"),
        ({"is_replica": True}, Verdict.FAULT, "read-only replica"),
        ({"mode": "cluster"}, Verdict.FAULT, "runs as cluster"),
        ({"has_aof": False}, Verdict.WARNING, "keeps nothing on disk"),
        ({"has_aof": False, "has_snapshots": None}, Verdict.WARNING, "snapshots at most"),
        ({"has_aof": False, "has_snapshots": True}, Verdict.WARNING, "snapshots at most"),
        ({"clock_difference": 2.5}, Verdict.WARNING, "2.5 s ahead of this machine's"),
        ({"clock_difference": -70.0}, Verdict.WARNING, "70.0 s behind this machine's"),
        ({"memory_limit_bytes": 3 * 2**20}, Verdict.WARNING, "limit 3 MiB"),
    ],
)
def test_each_trouble_is_found_and_has_a_remedy(
    changes: dict[str, Any], verdict: Verdict, text: str
) -> None:
    ((found_verdict, found_text),) = found(**changes)
    assert found_verdict is verdict
    assert text in found_text
    assert all(f.remedy for f in findings(BrokerHealth(**(WELL | changes))) if f.verdict != "ok")


def test_a_small_clock_difference_is_told_but_no_trouble() -> None:
    health = BrokerHealth(**(WELL | {"clock_difference": 0.5}))
    assert "its clock is 0.5 s ahead of this machine's" in [f.text for f in findings(health)]
    assert found(clock_difference=0.5) == []
