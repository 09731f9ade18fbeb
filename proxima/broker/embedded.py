"""EmbeddedServer: a Valkey that we run ourselves, and that ends with us."""

import contextlib
import os
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from redis import exceptions

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
_CONFIG, _LOG, _LOCK = "valkey.conf", "server.log", "lock"


class EmbeddedServer:
    """A running server; use `start` to make one."""

    def __init__(self, process: child.Child, address: BrokerAddress, log: Path) -> None:
        #: Where it serves, as seen from this machine.
        self.address = address
        self.pid = process.pid
        self._process = process
        self._log = log

    @classmethod
    def start(
        cls, *, folder: Path, password: str, port: int = 0, lan: bool = False, persist: bool
    ) -> "EmbeddedServer":
        """Start a server with its files in *folder*, and wait until it answers.

        *port* 0 takes a free one. *lan* serves other machines too. *persist* keeps the data in
        *folder*. A BrokerError says why it cannot be.
        """
        binary = find_server()
        folder = _own(folder)
        with _locked(folder) as lock:
            for _ in range(_PORT_TRIES):
                address = BrokerAddress(
                    host="127.0.0.1", port=port or _free_port(lan=lan), password=password
                )
                _write_config(folder, address, lan=lan, persist=persist)
                server = cls(_launch(binary, folder, lock), address, folder / _LOG)
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

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end and give the exit code; TimeoutError after *timeout* seconds."""
        return self._process.wait(timeout)

    def stop(self) -> None:
        """Let it write its data and end."""
        self._process.stop(_STOP_GRACE)

    def _answers(self) -> bool:
        """Wait until it answers; False if its port is taken."""
        try:
            deadline = time.monotonic() + _PATIENCE
            with connect(self.address, answer_timeout=_PATIENCE) as client:
                while time.monotonic() < deadline:
                    try:
                        # With our password: nobody else at that port would accept it.
                        return bool(client.ping())
                    except exceptions.BusyLoadingError:
                        deadline = time.monotonic() + _PATIENCE
                    except exceptions.RedisError:
                        if not self.alive:
                            break
                    time.sleep(_POLL)
        except BaseException:
            self._process.kill()
            raise
        self._process.kill()
        if "Address already in use" in self.last_words:
            return False
        raise BrokerError(f"the server does not start; it says:\n{self.last_words}")


def _port_taken(address: BrokerAddress) -> BrokerError:
    who = who_answers(address.host, address.port)
    return BrokerError(
        f"port {address.port} is taken by {Stranger.OTHER if who is Stranger.NOBODY else who} "
        "(choose another: --port NUMBER; --port 0 takes a free one)"
    )


def _own(folder: Path) -> Path:
    """Make *folder* so that nobody else can look into it; its real path."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder = folder.resolve()
        if folder.stat().st_mode & 0o077:
            if any(folder.iterdir()) and not (folder / _CONFIG).exists():
                raise BrokerError(
                    f"the folder {folder} is open to others and holds other files "
                    "(choose a new folder for the broker's data)"
                )
            folder.chmod(0o700)
    except OSError as error:
        raise BrokerError(
            f"cannot use the folder {folder} for the broker's data: {error.strerror}"
        ) from error
    return folder


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[IO[bytes]]:
    """One server to a folder: two would destroy each other's data."""
    import fcntl  # not on Windows, which runs no server

    with _private(folder / _LOCK, os.O_RDWR) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise BrokerError(
                f"another broker uses the folder {folder} (stop it, or choose another folder)"
            ) from None
        yield file


def _private(path: Path, flags: int) -> IO[bytes]:
    """Open a file that only its owner can read."""
    return os.fdopen(os.open(path, os.O_CREAT | flags, 0o600), "rb+", buffering=0)


def _write_config(folder: Path, address: BrokerAddress, *, lan: bool, persist: bool) -> None:
    text = server_config(
        folder=folder, port=address.port, password=address.password, lan=lan, persist=persist
    )
    with _private(folder / _CONFIG, os.O_RDWR | os.O_TRUNC) as file:
        file.write(text.encode())


def _launch(binary: Path, folder: Path, lock: IO[bytes]) -> child.Child:
    # The one before may tell why it ended.
    with contextlib.suppress(FileNotFoundError):
        (folder / _LOG).replace(folder / f"{_LOG}.old")
    with _private(folder / _LOG, os.O_RDWR) as log:
        return child.start(
            [str(binary), str(folder / _CONFIG)],
            # The server holds the lock: it may outlive us for a moment if we are killed, and
            # nobody else must write into its files meanwhile.
            stdin=lock,
            stdout=log,
            stderr=log,
            # It ends at once where the user's locale is not installed.
            environment={"LC_ALL": "C"},
        )


def _free_port(*, lan: bool) -> int:
    with socket.create_server(("" if lan else "127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])
