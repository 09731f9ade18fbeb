"""`proxima broker` as people use it."""

import contextlib
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from proxima.broker.address import BrokerAddress
from proxima.broker.connection import check, require_fit
from proxima.errors import BrokerUnreachable


@contextlib.contextmanager
def broker(*options: str, folder: Path) -> Iterator["subprocess.Popen[str]"]:
    """A running `proxima broker` on a free port."""
    argv = [sys.executable, "-m", "proxima", "broker", "--data", str(folder), "--port", "0"]
    with subprocess.Popen(
        [*argv, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def introduction(process: "subprocess.Popen[str]") -> str:
    """What it prints at its start."""
    assert process.stdout
    lines: list[str] = []
    while not lines or not lines[-1].startswith("Whoever has"):
        line = process.stdout.readline()
        assert line, process.stderr and process.stderr.read()
        lines.append(line)
    return "".join(lines)


def url(text: str) -> str:
    """The address in an introduction."""
    found = re.search(r"proxima work --broker (\S+)\n", text)
    assert found
    return found[1]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_serves_until_it_is_told_to_end(tmp_path: Path, number: int) -> None:
    with broker(folder=tmp_path / "data") as process:
        text = introduction(process)
        address = BrokerAddress.parse(url(text))
        assert (address.host, len(address.password)) == ("127.0.0.1", 32)
        assert f"To queue:  proxima queue --broker {address.redis_url} FILES\n" in text
        assert "Only this machine can reach it" in text
        assert "The traffic is not encrypted." in text
        require_fit(address).set("key", "value")
        process.send_signal(number)
        assert process.wait(20) == 0
        assert process.stderr
        assert process.stderr.read() == ""
    with pytest.raises(BrokerUnreachable):
        check(address)


def test_it_keeps_its_password_and_its_data(tmp_path: Path) -> None:
    seen = []
    for _ in range(2):
        with broker(folder=tmp_path / "data") as process:
            address = BrokerAddress.parse(url(introduction(process)))
            client = require_fit(address)
            seen.append((address.password, client.get("key")))
            client.set("key", "value")
            process.send_signal(signal.SIGTERM)
            process.wait(20)
    assert seen == [(address.password, None), (address.password, b"value")]


def test_in_a_lan_it_names_an_address_that_others_can_use(tmp_path: Path) -> None:
    with broker("--lan", folder=tmp_path / "data") as process:
        text = introduction(process)
        address = BrokerAddress.parse(url(text))
        assert address.host != "127.0.0.1"
        assert "Only this machine" not in text
        check(address)


def test_a_second_one_on_the_same_data_is_refused(tmp_path: Path) -> None:
    with broker(folder=tmp_path / "data") as first:
        introduction(first)
        with broker(folder=tmp_path / "data") as second:
            out, err = second.communicate(timeout=20)
        assert (second.returncode, out) == (3, "")
        assert "another broker uses the folder" in err
        assert "Traceback" not in err
        assert first.poll() is None


def test_a_server_that_dies_comes_back_at_the_same_address(tmp_path: Path) -> None:
    with broker(folder=tmp_path / "data") as process:
        address = BrokerAddress.parse(url(introduction(process)))
        client = require_fit(address)
        client.set("key", "value")
        os.kill(client.info("server")["process_id"], signal.SIGKILL)
        assert process.stderr
        while (line := process.stderr.readline()) != "the server runs again\n":
            assert line
        assert require_fit(address).get("key") == b"value"
