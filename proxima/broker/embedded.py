"""EmbeddedServer: a Valkey that we run ourselves, and that ends with us."""

import contextlib
import signal
import socket
import time
from pathlib import Path
from typing import IO, Any

import redis
from redis import exceptions

from proxima.broker import data_folder
from proxima.broker.address import BrokerAddress
from proxima.broker.connection import connect
from proxima.broker.server_binary import find_server
from proxima.broker.server_config import server_config
from proxima.broker.stranger import Stranger, who_answers
from proxima.errors import BrokerError
from proxima.process import child

#: Seconds between looking whether it is ready; it takes about 50 ms.
_POLL = 0.01
#: Seconds for its first answer. "I still load my data" is one.
_PATIENCE = 15
#: Seconds for writing the rest of the append-only file.
_STOP_GRACE = 10
#: How often another free port is tried when somebody was quicker.
_PORT_TRIES = 5
_LOG_LINES = 5


class EmbeddedServer:
    """A running server; use `start` to make one."""

    def __init__(self, process: child.Child, address: BrokerAddress, log: Path) -> None:
        #: Where it serves, as seen from this machine.
        self.address = address
        self.pid = process.pid
        self._process = process
        self._log = log
        self._ready = False

    @classmethod
    def start(
        cls, *, folder: Path, password: str, port: int = 0, lan: bool = False, persist: bool
    ) -> "EmbeddedServer":
        """Start a server with its files in *folder*, and wait until it answers.

        *port* 0 takes a free one. *lan* serves other machines too. *persist* keeps the data in
        *folder*. A BrokerError says why it cannot be.
        """
        binary = find_server()
        folder = data_folder.own(folder)
        with data_folder.locked(folder) as lock:
            for _ in range(_PORT_TRIES):
                address = BrokerAddress(
                    host="127.0.0.1", port=port or _free_port(lan=lan), password=password
                )
                _write_config(folder, address, lan=lan, persist=persist)
                server = cls(_launch(binary, folder, lock), address, folder / data_folder.LOG)
                if server._answers():
                    return server
                if port:
                    break
        raise _port_taken(address)

    @property
    def url(self) -> str:
        """Its address with the password."""
        return self.address.redis_url

    @property
    def alive(self) -> bool:
        """Whether it runs."""
        return self._process.poll() is None

    @property
    def last_words(self) -> str:
        """The last lines of its log."""
        lines = self._log.read_text(encoding="utf-8", errors="replace").splitlines()
        return "\n".join(lines[-_LOG_LINES:])

    @property
    def ending(self) -> str:
        """How it ended: "exit code 1", "SIGKILL"; empty while it runs."""
        code = self._process.poll()
        if code is None:
            return ""
        return signal.Signals(-code).name if code < 0 else f"exit code {code}"

    def stop(self) -> None:
        """Let it write its data and end."""
        self._process.stop(_STOP_GRACE)

    def _answers(self) -> bool:
        """Wait until it answers; False if its port is taken."""
        try:
            with connect(self.address, answer_timeout=_PATIENCE) as client:
                if self._is_ready(client):
                    return True
        finally:
            if not self._ready:
                self._process.kill()
        if "Address already in use" in self.last_words:
            return False
        raise BrokerError(f"the server does not start; it says:\n{self.last_words}")

    def _is_ready(self, client: redis.Redis) -> bool:
        """Whether it answers in time."""
        deadline = time.monotonic() + _PATIENCE
        while self.alive and time.monotonic() < deadline:
            try:
                info: Any = client.info()
                if info["loading"]:
                    # It says so for as long as it takes, and serves nothing else.
                    deadline = time.monotonic() + _PATIENCE
                # Another server may have the port, and even the same password.
                self._ready = info["process_id"] == self.pid and not info["loading"]
            except exceptions.BusyLoadingError:
                deadline = time.monotonic() + _PATIENCE
            except exceptions.RedisError:
                pass
            if self._ready:
                break
            time.sleep(_POLL)
        return self._ready


def _port_taken(address: BrokerAddress) -> BrokerError:
    who = who_answers(address.host, address.port)
    return BrokerError(
        f"port {address.port} is taken by {Stranger.OTHER if who is Stranger.NOBODY else who} "
        "(choose another: --port NUMBER; --port 0 takes a free one)"
    )


def _write_config(folder: Path, address: BrokerAddress, *, lan: bool, persist: bool) -> None:
    text = server_config(
        folder=folder, port=address.port, password=address.password, lan=lan, persist=persist
    )
    with data_folder.private(folder / data_folder.CONFIG) as file:
        file.truncate()
        file.write(text.encode())


def _launch(binary: Path, folder: Path, lock: IO[bytes]) -> child.Child:
    log_file = folder / data_folder.LOG
    # The one before may tell why it ended.
    with contextlib.suppress(FileNotFoundError):
        log_file.replace(log_file.with_suffix(".log.old"))
    with data_folder.private(log_file) as log:
        return child.start(
            [str(binary), str(folder / data_folder.CONFIG)],
            # The server holds the lock: it may outlive us for a moment if we are killed, and
            # nobody else must write into its files meanwhile.
            stdin=lock,
            stdout=log,
            stderr=log,
            # Redis 7.2 ends at once where the user's locale is not installed.
            environment={"LC_ALL": "C"},
        )


def _free_port(*, lan: bool) -> int:
    with socket.create_server(("" if lan else "127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])
