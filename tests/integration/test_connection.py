"""Connecting to real brokers, wrong ones, and things that are no broker."""

import contextlib
import http.server
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from servers import (
    PASSWORD,
    answering,
    bulk,
    certificate,
    free_port,
    front_door,
    redis_of,
    start_server,
)

from proxima.broker.address import BrokerAddress
from proxima.broker.connection import check, connect, require_fit, translated
from proxima.broker.embedded import EmbeddedServer
from proxima.errors import (
    BrokerAddressInvalid,
    BrokerError,
    BrokerPasswordWrong,
    BrokerUnfit,
    BrokerUnreachable,
)


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[EmbeddedServer]:
    """A server whose settings a test may change."""
    server = start_server(tmp_path / "server")
    yield server
    server.stop()


def refusal(address: BrokerAddress, kind: type[BrokerError]) -> str:
    """What the user is told; never the password, and one line."""
    with pytest.raises(kind) as caught:
        require_fit(address)
    assert type(caught.value) is kind
    text = str(caught.value)
    assert PASSWORD not in text
    assert "\n" not in text
    assert text.endswith(")"), "the remedy stands in brackets at the end"
    return text


def test_a_fit_broker_is_handed_over(own_server: EmbeddedServer) -> None:
    client = require_fit(own_server.address)
    client.set("key", "value")
    assert client.get("key") == b"value"


def test_a_broker_says_how_it_is(own_server: EmbeddedServer) -> None:
    health = check(own_server.address)
    assert (health.server, health.mode, health.eviction) == ("Valkey", "standalone", "noeviction")
    assert (health.has_aof, health.has_snapshots, health.is_replica) == (False, False, False)
    assert health.address == own_server.address.shown
    assert health.clients == 1
    assert health.memory_bytes > 0
    # One machine, one clock.
    assert abs(health.clock_difference) < 0.1


def test_nobody_at_the_port() -> None:
    address = BrokerAddress(host="127.0.0.1", port=free_port())
    assert refusal(address, BrokerUnreachable) == (
        f"nobody serves at {address.shown} (is it running? start: proxima broker --lan)"
    )


def test_an_unknown_host() -> None:
    text = refusal(BrokerAddress.parse("redis://nobody.invalid"), BrokerUnreachable)
    assert "no machine is called nobody.invalid" in text


def test_a_socket_that_is_not_there(tmp_path: Path) -> None:
    text = refusal(BrokerAddress(socket=str(tmp_path / "no.sock")), BrokerUnreachable)
    assert text.startswith(f"there is no socket {tmp_path / 'no.sock'}")


def test_a_wrong_password(own_server: EmbeddedServer) -> None:
    text = refusal(replace(own_server.address, password="wrong"), BrokerPasswordWrong)
    assert "refuses the password (" in text
    assert "wrong" not in text


def test_a_missing_password(own_server: EmbeddedServer) -> None:
    address = replace(own_server.address, password="")
    assert refusal(address, BrokerPasswordWrong) == (
        f"the broker at {address.shown} asks for a password "
        f"(write: redis://:PASSWORD@127.0.0.1:{address.port}/0)"
    )


def test_an_unknown_user(own_server: EmbeddedServer) -> None:
    text = refusal(replace(own_server.address, user="eve"), BrokerPasswordWrong)
    assert 'refuses the password of user "eve"' in text


def test_a_user_without_rights(own_server: EmbeddedServer) -> None:
    connect(own_server.address).acl_setuser(
        "eve", enabled=True, passwords=["+pw"], commands=["+ping"]
    )
    text = refusal(replace(own_server.address, user="eve", password="pw"), BrokerPasswordWrong)
    assert 'does not let its user "eve" do what Proxima needs' in text


def test_a_user_who_may_not_read_the_configuration(own_server: EmbeddedServer) -> None:
    client = connect(own_server.address)
    client.acl_setuser(
        "ann", enabled=True, passwords=["+pw"], categories=["+@all"], commands=["-config"]
    )
    address = replace(own_server.address, user="ann", password="pw")
    assert check(address).has_snapshots is None
    client.config_set("maxmemory-policy", "volatile-lru")
    assert "maxmemory-policy volatile-lru" in refusal(address, BrokerUnfit)


def test_a_password_where_the_broker_has_none(own_server: EmbeddedServer) -> None:
    connect(own_server.address).config_set("requirepass", "")
    assert "has no password" in refusal(own_server.address, BrokerPasswordWrong)


def test_a_broker_that_may_evict_keys(own_server: EmbeddedServer) -> None:
    connect(own_server.address).config_set("maxmemory-policy", "allkeys-lru")
    text = refusal(own_server.address, BrokerUnfit)
    assert "it may evict keys, and with them jobs (maxmemory-policy allkeys-lru)" in text
    assert "CONFIG SET maxmemory-policy noeviction" in text


def test_a_replica(own_server: EmbeddedServer) -> None:
    connect(own_server.address).replicaof("127.0.0.1", str(free_port()))
    assert "read-only replica" in refusal(own_server.address, BrokerUnfit)


def test_a_database_that_is_not_there(own_server: EmbeddedServer) -> None:
    text = refusal(replace(own_server.address, database=99), BrokerAddressInvalid)
    assert "it has no database 99" in text


def test_a_tls_address_of_a_plain_server(own_server: EmbeddedServer) -> None:
    text = refusal(replace(own_server.address, is_tls=True), BrokerUnreachable)
    assert "does not encrypt (write redis:// in place of rediss://)" in text


def test_a_web_server_at_the_port() -> None:
    class Handler(http.server.BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as web:
        threading.Thread(target=web.serve_forever, daemon=True).start()
        text = refusal(BrokerAddress(host="127.0.0.1", port=web.server_port), BrokerUnreachable)
        web.shutdown()
    assert "is no Redis or Valkey but a web server (" in text


@pytest.mark.parametrize("password", ["", "pw"])
def test_another_program_at_the_port(password: str) -> None:
    with answering(lambda _: b"SSH-2.0-OpenSSH_9.9\r\n") as port:
        address = BrokerAddress(host="127.0.0.1", port=port, password=password)
        assert "is no Redis or Valkey but another program (" in refusal(address, BrokerUnreachable)


def test_a_program_that_hangs_up() -> None:
    with answering(lambda _: b"") as port:
        address = BrokerAddress(host="127.0.0.1", port=port)
        assert "cannot be reached" in refusal(address, BrokerUnreachable)


def test_a_server_that_does_not_answer_is_given_up_soon() -> None:
    """QU-04."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = BrokerAddress(host="127.0.0.1", port=listener.getsockname()[1])
        assert "does not answer" in refusal(address, BrokerUnreachable)


def info(**lines: str) -> bytes:
    """An answer to INFO."""
    return bulk("".join(f"{name}:{value}\r\n" for name, value in lines.items()))


OLD_SERVERS = [
    (info(redis_version="6.2.14", maxmemory_policy="noeviction"), "Redis 6.2.14 is too old"),
    (
        info(redis_version="7.2.4", valkey_version="7.2.5", maxmemory_policy="noeviction"),
        "Valkey 7.2.5 is too old",
    ),
]
TIME = b"*2\r\n$10\r\n1700000000\r\n$1\r\n0\r\n"


@pytest.mark.parametrize(("said", "expected"), OLD_SERVERS)
def test_a_server_that_is_too_old(said: bytes, expected: str) -> None:
    answers = {"INFO": said, "TIME": TIME, "CONFIG": b"*0\r\n"}
    with answering(redis_of(answers)) as port:
        text = refusal(BrokerAddress(host="127.0.0.1", port=port), BrokerUnfit)
    assert f"{expected} (use Redis 7 or Valkey 8 or newer" in text


def test_a_server_that_hides_its_eviction_policy_is_asked_for_it() -> None:
    setting = b"*2\r\n" + bulk("maxmemory-policy") + bulk("allkeys-random")
    answers = {"INFO": info(redis_version="7.4.0"), "TIME": TIME, "CONFIG": setting}
    with answering(redis_of(answers)) as port:
        assert check(BrokerAddress(host="127.0.0.1", port=port)).eviction == "allkeys-random"


def test_the_clocks_are_compared() -> None:
    answers = {"INFO": info(redis_version="7.4.0"), "TIME": TIME, "CONFIG": b"-ERR no\r\n"}
    with answering(redis_of(answers)) as port:
        health = check(BrokerAddress(host="127.0.0.1", port=port))
    assert health.clock_difference < -1e6
    assert health.has_snapshots is None


REFUSALS = [
    (b"-LOADING Redis is loading\r\n", BrokerUnreachable, "still loads its data"),
    (b"-DENIED Redis is in protected mode\r\n", BrokerUnreachable, "set its requirepass"),
    (b"-ERR max number of clients reached\r\n", BrokerUnreachable, "raise its maxclients"),
    (b"-MASTERDOWN Link is down\r\n", BrokerUnfit, "read-only replica"),
]


@pytest.mark.parametrize(("said", "kind", "expected"), REFUSALS)
def test_a_server_that_refuses_for_now(said: bytes, kind: type[BrokerError], expected: str) -> None:
    with answering(redis_of({"INFO": said})) as port:
        assert expected in refusal(BrokerAddress(host="127.0.0.1", port=port), kind)


def test_trouble_in_the_middle_of_the_work_is_explained(own_server: EmbeddedServer) -> None:
    client = connect(own_server.address)
    client.config_set("maxmemory", "1")
    with pytest.raises(BrokerUnfit, match="its memory is full"), translated(own_server.address):
        client.set("key", "value")
    own_server.stop()
    with pytest.raises(BrokerUnreachable, match="nobody serves"), translated(own_server.address):
        client.get("key")


def test_an_error_that_is_no_trouble_of_the_broker_passes_unchanged(
    own_server: EmbeddedServer,
) -> None:
    from redis.exceptions import ResponseError

    client = connect(own_server.address)
    client.set("key", "value")
    with pytest.raises(ResponseError, match="WRONGTYPE"), translated(own_server.address):
        client.lpush("key", "x")
    with pytest.raises(FileNotFoundError), translated(own_server.address):
        raise FileNotFoundError


def test_the_error_in_kombus_wrapping_is_explained_too() -> None:
    from kombu import Connection
    from kombu.exceptions import OperationalError

    address = BrokerAddress(host="127.0.0.1", port=free_port())
    with pytest.raises(BrokerUnreachable, match="nobody serves"), translated(address):
        Connection(address.kombu_url).ensure_connection(max_retries=1, interval_start=0)
    with pytest.raises(OperationalError), translated(address):
        raise OperationalError("of something else")


Door = Callable[[BrokerAddress], contextlib.AbstractContextManager[BrokerAddress]]


@contextlib.contextmanager
def as_it_is(behind: BrokerAddress) -> Iterator[BrokerAddress]:
    yield behind


@contextlib.contextmanager
def over_ipv6(behind: BrokerAddress) -> Iterator[BrokerAddress]:
    # The server listens there too, where the machine has it.
    try:
        socket.create_connection(("::1", behind.port)).close()
    except OSError:
        pytest.skip("this machine has no IPv6")
    yield BrokerAddress.parse(f"redis://:{PASSWORD}@[::1]:{behind.port}")


@contextlib.contextmanager
def over_a_socket(behind: BrokerAddress) -> Iterator[BrokerAddress]:
    import tempfile

    # Not in tmp_path: the path of a socket is at most about 100 characters long.
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "a b.sock")
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(path)
        listener.listen()
        with front_door(listener, behind):
            yield BrokerAddress(socket=path, password=PASSWORD, database=2)


@contextlib.contextmanager
def over_tls(behind: BrokerAddress) -> Iterator[BrokerAddress]:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        cert, context = certificate(Path(folder))
        listener = socket.create_server(("127.0.0.1", 0))
        with front_door(listener, behind, context):
            port = listener.getsockname()[1]
            yield BrokerAddress.parse(f"rediss://:{PASSWORD}@localhost:{port}?ssl_ca_certs={cert}")


@pytest.mark.parametrize("door", [as_it_is, over_ipv6, over_a_socket, over_tls])
def test_redis_py_kombu_and_celery_all_reach_the_same_broker(
    own_server: EmbeddedServer, door: Door
) -> None:
    from celery import Celery
    from kombu import Connection

    with door(own_server.address) as address:
        client = require_fit(address)
        client.set("key", "value")
        with Connection(address.kombu_url) as connection:
            assert connection.default_channel.client.get("key") == b"value"
        backend = Celery("test", backend=address.kombu_url, set_as_current=False).backend
        assert backend.client.get("key") == b"value"
        backend.client.close()
        client.close()


def test_a_certificate_of_an_unknown_authority(own_server: EmbeddedServer) -> None:
    with over_tls(own_server.address) as address:
        options = tuple(pair for pair in address.tls_options if pair[0] != "ssl_ca_certs")
        text = refusal(replace(address, tls_options=options), BrokerUnreachable)
    assert "a certificate that is not trusted" in text
    assert "?ssl_ca_certs=FILE" in text


def test_a_plain_address_of_a_tls_server(own_server: EmbeddedServer) -> None:
    with over_tls(own_server.address) as address:
        text = refusal(replace(address, is_tls=False, tls_options=()), BrokerUnreachable)
    assert "speaks only TLS (write rediss:// in place of redis://" in text
