"""The server that we run ourselves."""

import os
import signal
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from servers import PASSWORD, answering, free_port, start_server

from proxima.broker.connection import check, connect
from proxima.broker.embedded import EmbeddedServer
from proxima.broker.health import faults
from proxima.broker.keeper import keep
from proxima.broker.password import load_or_make
from proxima.errors import BrokerError


@pytest.mark.parametrize("name", ["plain", 'it\'s "my" data', "ünï\ncode", "a\\b"])
def test_it_runs_in_a_folder_of_any_name(tmp_path: Path, name: str) -> None:
    server = start_server(tmp_path / name, password='p ä"ss\\')
    try:
        assert faults(check(server.address)) == []
        assert server.alive
    finally:
        server.stop()
    assert not server.alive
    assert server.ending == "exit code 0"


def test_only_its_owner_can_look_into_its_files(tmp_path: Path) -> None:
    start_server(tmp_path / "data", persist=True).stop()
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "data").iterdir()}
    assert stat.S_IMODE((tmp_path / "data").stat().st_mode) == 0o700
    (tmp_path / "made").mkdir(mode=0o755)
    start_server(tmp_path / "made").stop()
    assert stat.S_IMODE((tmp_path / "made").stat().st_mode) == 0o700
    assert {modes[name] for name in ("valkey.conf", "server.log", "lock")} == {0o600}


def test_it_keeps_its_data_if_it_shall(tmp_path: Path) -> None:
    for persist, kept in ((True, b"value"), (False, None)):
        folder = tmp_path / str(persist)
        server = start_server(folder, persist=persist)
        connect(server.address).set("key", "value")
        server.stop()
        server = start_server(folder, persist=persist)
        assert connect(server.address).get("key") == kept
        assert check(server.address).has_aof is persist
        server.stop()


def test_it_is_ready_when_it_has_loaded_its_data(tmp_path: Path) -> None:
    server = start_server(tmp_path / "data", persist=True)
    fill = "for i = 1, 300000 do redis.call('SET', i, i) end"
    connect(server.address).eval(fill, 0)
    os.kill(server.pid, signal.SIGKILL)
    server.stop()
    server = start_server(tmp_path / "data", persist=True)
    assert connect(server.address).get("300000") == b"300000"
    server.stop()


def test_what_was_written_outlives_a_killed_server(tmp_path: Path) -> None:
    server = start_server(tmp_path / "data", persist=True)
    connect(server.address).set("key", "value")
    os.kill(server.pid, signal.SIGKILL)
    server.stop()
    assert server.ending == "SIGKILL"
    server = start_server(tmp_path / "data", persist=True)
    assert connect(server.address).get("key") == b"value"
    server.stop()


@pytest.mark.parametrize(("lan", "bound"), [(False, "127.0.0.1 -::1"), (True, "* -::*")])
def test_other_machines_reach_it_only_if_asked(tmp_path: Path, lan: bool, bound: str) -> None:
    server = start_server(tmp_path / "data", lan=lan)
    assert connect(server.address).config_get("bind") == {"bind": bound}
    server.stop()


def test_it_runs_where_the_locale_is_not_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "xx_XX.UTF-8")
    start_server(tmp_path / "data").stop()
    # Valkey only warns, Redis 7.2 ends.
    assert "LOCALE" not in (tmp_path / "data" / "server.log").read_text()


def test_two_servers_never_share_their_data(tmp_path: Path) -> None:
    server = start_server(tmp_path / "data", persist=True)
    with pytest.raises(BrokerError, match="another broker uses the folder"):
        start_server(tmp_path / "data", persist=True)
    assert server.alive
    server.stop()
    start_server(tmp_path / "data", persist=True).stop()


def test_a_taken_port_names_who_has_it(tmp_path: Path) -> None:
    first = start_server(tmp_path / "first")
    with pytest.raises(BrokerError) as caught:
        start_server(tmp_path / "second", port=first.address.port)
    assert str(caught.value) == (
        f"port {first.address.port} is taken by a Redis or Valkey "
        "(choose another: --port NUMBER; --port 0 takes a free one)"
    )
    first.stop()
    with (
        answering(lambda _: b"HTTP/1.1 400 Bad Request\r\n\r\n") as port,
        pytest.raises(BrokerError, match=f"port {port} is taken by a web server"),
    ):
        start_server(tmp_path / "second", port=port)


def test_a_server_that_does_not_start_shows_its_own_words(tmp_path: Path) -> None:
    start_server(tmp_path / "data", persist=True).stop()
    manifest = tmp_path / "data" / "appendonlydir" / "appendonly.aof.manifest"
    manifest.write_text("nonsense\n")
    with pytest.raises(BrokerError, match="the server does not start") as caught:
        start_server(tmp_path / "data", persist=True)
    assert "AOF manifest" in str(caught.value)


def test_a_folder_of_others_is_refused(tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir(mode=0o755)
    (tmp_path / "shared" / "film.mov").touch()
    with pytest.raises(BrokerError, match="is open to others and holds other files"):
        start_server(tmp_path / "shared")
    (tmp_path / "file").touch()
    with pytest.raises(BrokerError, match=r"cannot use the folder .*File exists"):
        start_server(tmp_path / "file")


OWNER = """
import sys, time
from pathlib import Path
from proxima.broker.embedded import EmbeddedServer
server = EmbeddedServer.start(folder=Path(sys.argv[1]), password="pw", persist=True)
print(server.pid, flush=True)
time.sleep(60)
"""


def test_it_ends_with_its_owner_even_if_that_is_killed(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", OWNER, str(tmp_path / "data")], stdout=subprocess.PIPE, text=True
    ) as owner:
        assert owner.stdout
        pid = int(owner.stdout.readline())
        watched = os.pidfd_open(pid) if hasattr(os, "pidfd_open") else None
        owner.kill()
    if watched is None:
        pytest.skip("this system cannot wait for a process of others")
    import select

    assert select.select([watched], [], [], 10)[0], "the server still runs"
    os.close(watched)
    # Its lock has gone with it.
    start_server(tmp_path / "data", persist=True).stop()


def test_a_server_that_dies_is_started_again_at_the_same_port(tmp_path: Path) -> None:
    stop, again, told = threading.Event(), threading.Event(), []
    server = start_server(tmp_path / "data", persist=True)
    connect(server.address).set("key", "value")

    def tell(text: str) -> None:
        told.append(text)
        if text == "the server runs again":
            again.set()

    def restart() -> EmbeddedServer:
        return start_server(tmp_path / "data", persist=True, port=server.address.port)

    keeper = threading.Thread(
        target=keep, args=(server, restart), kwargs={"stop": stop, "tell": tell}
    )
    keeper.start()
    os.kill(server.pid, signal.SIGKILL)
    assert again.wait(20)
    assert connect(server.address).get("key") == b"value"
    stop.set()
    keeper.join()
    assert told[0].startswith("the server ended by itself (SIGKILL); its log:\n")
    with pytest.raises(BrokerError):
        check(server.address)


def test_a_server_that_dies_again_and_again_is_given_up(tmp_path: Path) -> None:
    told: list[str] = []
    server = start_server(tmp_path / "data")
    os.kill(server.pid, signal.SIGKILL)

    def restart() -> EmbeddedServer:
        raise BrokerError("the disk is full")

    with pytest.raises(BrokerError, match="ended 3 times in a row"):
        keep(server, restart, stop=threading.Event(), tell=told.append, back_off=(0, 0))
    assert [text.splitlines()[0] for text in told] == [
        "the server ended by itself (SIGKILL); its log:",
        "the disk is full",
        "the server ended by itself (SIGKILL); its log:",
        "the disk is full",
    ]


def test_the_password_is_made_once_and_kept_for_its_owner(tmp_path: Path) -> None:
    file = tmp_path / "new" / "password"
    password = load_or_make(file)
    assert len(password) == 32
    assert load_or_make(file) == password
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert load_or_make(tmp_path / "other") != password


def test_a_password_that_others_could_read_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "password"
    load_or_make(file)
    file.chmod(0o640)
    with pytest.raises(BrokerError) as caught:
        load_or_make(file)
    assert f"chmod 600 '{file}'" in str(caught.value)


@pytest.mark.parametrize("content", ["", "\n", "two words", "\xff"])
def test_a_file_without_a_password_is_refused(tmp_path: Path, content: str) -> None:
    file = tmp_path / "password"
    file.touch(mode=0o600)
    file.write_text(content, encoding="latin-1")
    with pytest.raises(BrokerError, match="password"):
        load_or_make(file)


def test_a_port_is_free_again_at_once(tmp_path: Path) -> None:
    port = free_port()
    for _ in range(2):
        server = start_server(tmp_path / "data", port=port, password=PASSWORD)
        assert server.address.port == port
        server.stop()
