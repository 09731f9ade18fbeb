"""What may be typed as the address of a broker, and what each library is given for it."""

import ssl

import pytest

from proxima.broker.address import BrokerAddress
from proxima.errors import BrokerAddressInvalid

URLS = [
    ("redis://render1", "redis://render1:6379/0", "redis://render1:6379/0"),
    ("valkey://render1:6399/3", "redis://render1:6399/3", "redis://render1:6399/3"),
    ("REDIS://render1/?db=4", "redis://render1:6379/4", "redis://render1:6379/4"),
    ("redis://ann:pw@render1", "redis://ann:pw@render1:6379/0", "redis://ann:pw@render1:6379/0"),
    ("redis://:pw@[fe80::1%25eth0]", "redis://:pw@[fe80::1%25eth0]:6379/0", None),
    ("redis://[::1]:7", "redis://[::1]:7/0", "redis://[::1]:7/0"),
    ("unix:///run/valkey.sock", "unix:///run/valkey.sock", "redis+socket:///run/valkey.sock"),
    (
        "unix://:pw@/run/my%20valkey.sock?db=2",
        "unix://:pw@/run/my%20valkey.sock?db=2",
        "redis+socket://:pw@/run/my%20valkey.sock?virtual_host=2",
    ),
    (
        "redis+socket:///run/v.sock?virtual_host=2",
        "unix:///run/v.sock?db=2",
        "redis+socket:///run/v.sock?virtual_host=2",
    ),
    (
        "valkeys://render1",
        "rediss://render1:6379/0?ssl_cert_reqs=required",
        "rediss://render1:6379/0?ssl_cert_reqs=required",
    ),
    (
        "rediss://render1?ssl_ca_certs=/etc/ssl/farm.pem&ssl_cert_reqs=CERT_NONE",
        "rediss://render1:6379/0?ssl_cert_reqs=none&ssl_ca_certs=%2Fetc%2Fssl%2Ffarm.pem",
        None,
    ),
]


@pytest.mark.parametrize(("typed", "for_redis", "for_kombu"), URLS)
def test_an_address_is_spelled_as_each_library_reads_it(
    typed: str, for_redis: str, for_kombu: str | None
) -> None:
    address = BrokerAddress.parse(typed)
    assert (address.redis_url, address.kombu_url) == (for_redis, for_kombu or for_redis)


@pytest.mark.parametrize("password", ["p@ss", "a/b:c", "50%", "ünï", "a b", "?#&;[]", "%41"])
def test_a_password_with_any_character_comes_through(password: str) -> None:
    from urllib.parse import quote

    from kombu.utils.url import url_to_parts
    from redis.connection import parse_url

    address = BrokerAddress.parse(f"redis://:{quote(password, safe='')}@render1")
    assert address.password == password
    assert BrokerAddress.parse(address.redis_url) == address
    assert parse_url(address.redis_url)["password"] == password
    assert url_to_parts(address.kombu_url).password == password


def test_a_user_of_any_name_comes_through() -> None:
    address = BrokerAddress.parse("redis://a%40b%3Ac:pw@render1")
    assert address.user == "a@b:c"
    assert address.redis_url == "redis://a%40b%3Ac:pw@render1:6379/0"


def test_an_at_sign_in_a_password_may_stand_as_it_is() -> None:
    assert BrokerAddress.parse("redis://:a@b@render1").password == "a@b"


REFUSED = [
    ("", "it is empty"),
    ("render1", "(write: redis://render1:6379)"),
    ("render1:6399", "(write: redis://render1:6399)"),
    ("pw@render1:6399", "(write: redis://:PASSWORD@render1:6399)"),
    ("::1", "it does not say how to connect"),
    ("http://render1", "Proxima connects to redis://, valkey://"),
    ("redis://", "it names no host"),
    ("redis:///0", "it names no host"),
    ("redis://render1:0", "a port is a number from 1 to 65535"),
    ("redis://render1:70000", "a port is a number from 1 to 65535"),
    ("redis://render1/x", 'a database is a number, not "x"'),
    ("redis://render1/-1", 'a database is a number, not "-1"'),
    ("redis://render 1", "it holds a blank"),
    ("redis://[::1", "it cannot be taken apart"),
    ("redis://name@render1", "it has a name but no password"),
    ("unix://run/valkey.sock", "(write: unix:///run/valkey/valkey.sock)"),
    ("unix:///", "a socket is named by its whole path"),
    ("redis://render1?timeout=3", "timeout is for encrypted connections"),
    ("rediss://render1?timeout=3", "it has an unknown option timeout"),
    ("rediss://render1?ssl_cert_reqs=maybe", "ssl_cert_reqs is one of required, optional, none"),
    ("rediss://render1?ssl_check_hostname=1", "ssl_check_hostname is true or false"),
    ("rediss://render1?ssl_ca_certs=", "ssl_ca_certs is the path of a file"),
]


@pytest.mark.parametrize(("typed", "said"), REFUSED)
def test_what_is_no_address_is_refused_with_what_to_write(typed: str, said: str) -> None:
    with pytest.raises(BrokerAddressInvalid) as refusal:
        BrokerAddress.parse(typed)
    assert said in str(refusal.value)
    assert "(write: " in str(refusal.value)


@pytest.mark.parametrize(
    "typed",
    [
        "redis://:sec/ret@render1",
        "redis://:sec#ret@render1",
        "redis://:sec?ret@render1",
        "redis://:12/sec@ret@render1",
        "redis://:sec://ret@render1:x",
        "redis://:secret",
        "redis://secret@render1",
        "me:secret@render1",
        "ftp://me:secret@render1",
        "rediss://:secret@render1?ssl_cert_reqs=x",
    ],
)
def test_no_refusal_shows_a_password(typed: str) -> None:
    with pytest.raises(BrokerAddressInvalid) as refusal:
        BrokerAddress.parse(typed)
    assert "sec" not in str(refusal.value).replace("rediss", "")


def test_what_is_shown_of_an_address_has_no_password() -> None:
    address = BrokerAddress.parse("rediss://ann:secret@render1")
    assert address.shown == "rediss://ann:*****@render1:6379/0?ssl_cert_reqs=required"
    assert "secret" not in repr(address)
    assert BrokerAddress.parse("unix://:secret@/run/v").shown == "unix://:*****@/run/v"


def test_tls_options_get_the_types_that_redis_py_wants() -> None:
    address = BrokerAddress.parse("rediss://render1?ssl_check_hostname=False&ssl_keyfile=/k.pem")
    assert address.ssl_options == {
        "ssl_cert_reqs": ssl.CERT_REQUIRED,
        "ssl_check_hostname": False,
        "ssl_keyfile": "/k.pem",
    }


def test_a_server_keeps_everything_but_its_host_under_another_name() -> None:
    address = BrokerAddress.parse("redis://:pw@127.0.0.1:6399/2")
    assert address.at("render1").redis_url == "redis://:pw@render1:6399/2"
