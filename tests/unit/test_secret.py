"""No password is ever shown."""

import pytest

from proxima.config.secret import masked


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("redis://:secret@host:6379/0", "redis://:*****@host:6379/0"),
        (
            "rediss://farm:secret@host/0?ssl_ca_certs=/a",
            "rediss://farm:*****@host/0?ssl_ca_certs=/a",
        ),
        ("redis://:sec/r@et@host", "redis://:*****@host"),
        ("redis://:secret@[::1]:6379", "redis://:*****@[::1]:6379"),
        ("redis://:a@one;redis://:b@two", "redis://:*****@two"),
        (
            "unix:///run/valkey.sock?db=0&password=secret",
            "unix:///run/valkey.sock?db=0&password=*****",
        ),
        ("unix://:secret@/run/valkey.sock", "unix://:*****@/run/valkey.sock"),
        ("redis://:secret", "redis://:*****"),
        ("redis://farm:secret/0", "redis://farm:*****"),
    ],
)
def test_a_password_is_masked(address: str, shown: str) -> None:
    assert masked(address) == shown


@pytest.mark.parametrize(
    "text",
    [
        "",
        "redis://host",
        "redis://host:6379",
        "redis://host:6379/0",
        "redis://[::1]:6379/0",
        "unix:///run/valkey.sock",
        "prores-proxy",
        "M:\\media",
    ],
)
def test_what_has_no_password_stays(text: str) -> None:
    assert masked(text) == text
