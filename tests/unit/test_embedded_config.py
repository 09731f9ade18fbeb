"""The configuration of the server that we run, and finding its program."""

from pathlib import Path

import pytest

from proxima.broker.server_binary import version
from proxima.broker.server_config import quoted, server_config


def test_the_configuration_of_a_farms_broker() -> None:
    text = server_config(
        folder=Path('/home/ann/it\'s "data"'), port=6399, password="pw", lan=True, persist=True
    )
    assert text.splitlines() == [
        "bind * -::*",
        "port 6399",
        "protected-mode yes",
        'requirepass "pw"',
        "daemonize no",
        'dir "/home/ann/it\'s \\x22data\\x22"',
        'logfile ""',
        "loglevel notice",
        "appendonly yes",
        "appendfsync everysec",
        'save ""',
        "maxmemory-policy noeviction",
        "tcp-keepalive 60",
        "enable-debug-command no",
        "enable-module-command no",
        "enable-protected-configs no",
    ]


def test_a_local_farm_is_not_seen_from_elsewhere_and_writes_nothing() -> None:
    text = server_config(folder=Path("/tmp"), port=1, password="pw", lan=False, persist=False)
    assert "bind 127.0.0.1 -::1\n" in text
    assert "appendonly no\n" in text


@pytest.mark.parametrize(
    ("value", "word"),
    [(b"plain", '"plain"'), (b'a"b\\', '"a\\x22b\\x5c"'), (b"\n\xff", '"\\x0a\\xff"'), (b"", '""')],
)
def test_any_bytes_can_be_one_word(value: bytes, word: str) -> None:
    assert quoted(value) == word


@pytest.mark.parametrize(
    ("said", "understood"),
    [
        ("Valkey server v=9.1.2 sha=00000000:1 malloc=libc", ("Valkey", (9, 1, 2))),
        ("Redis server v=6.0.16 sha=0 malloc=jemalloc", ("Redis", (6, 0, 16))),
        ("KeyDB server v=6.3.4", ("", ())),
        ("", ("", ())),
    ],
)
def test_a_server_program_tells_its_version(said: str, understood: tuple[str, tuple[int]]) -> None:
    assert version(said) == understood
