"""LocalFarm: a broker and one worker on this machine, for the time of one command."""

import contextlib
import secrets
import shutil
import signal
import sys
import tempfile
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from proxima.broker import data_folder
from proxima.broker.embedded import EmbeddedServer
from proxima.config.schema import Config
from proxima.errors import BrokerError, ProximaError
from proxima.process import child
from proxima.process.supervisor import Supervisor
from proxima.worker.launch import start_worker
from proxima.worker.log_folder import log_folder
from proxima.worker.settings import WorkerSettings, cores, worker_name

_PREFIX = "proxima-farm-"
#: Seconds after which a folder that no server uses belongs to a command that was killed.
_STALE_SECONDS = 60.0
#: Seconds that the worker gets to drop its work in order.
STOP_SECONDS = 5.0


class LocalFarm:
    """A context manager; nothing of it is left running, also when we are killed."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self.slots = config.slots_on(cores())
        _sweep()
        self._folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
        self._server: EmbeddedServer | None = None
        self._supervisor: Supervisor | None = None
        self._thread: threading.Thread | None = None
        #: What the worker process says, for the case that it does not come up.
        self.log = log_folder(config.worker.log_folder).parent / "local-worker.log"

    @property
    def url(self) -> str:
        """Address of its broker."""
        if not self._server:
            raise ProximaError("the local farm is not started")
        return self._server.url

    def check(self) -> None:
        """ProximaError if its worker has ended for good, in the worker's own words."""
        if self._thread and not self._thread.is_alive():
            words = self.log.read_text("utf-8", "replace").strip().splitlines()
            last = words[-1] if words else "without a word"
            raise ProximaError(f"the worker on this machine ended: {last} (log: {self.log})")

    def __enter__(self) -> Self:
        # Else a SIGTERM, as of a terminal that is closed, would leave the folder behind.
        if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
            signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
        try:
            self._server = EmbeddedServer.start(
                folder=self._folder, password=secrets.token_urlsafe(24), persist=False
            )
            self._start_worker(self._server.url)
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # A second Ctrl-C would leave half of it behind.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        if self._supervisor and self._thread:
            if error:
                # Something may run: it is to drop its scratch.
                self._supervisor.signal(signal.SIGINT)
                self._thread.join(STOP_SECONDS)
            self._supervisor.kill()
        if self._server:
            self._server.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _start_worker(self, url: str) -> None:
        settings = WorkerSettings(
            config=self._config, broker=url, name=worker_name(), slots=self.slots
        )
        self.log.parent.mkdir(parents=True, exist_ok=True)
        log = self.log.open("wb")

        def start() -> child.Child:
            return start_worker(settings, stdout=child.DEVNULL, stderr=log)

        self._supervisor = Supervisor(start, lambda code: _note(log, code))
        self._thread = threading.Thread(target=self._supervisor.run, daemon=True)
        self._thread.start()


def _sweep() -> None:
    """Remove the folders of local farms that were killed."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with contextlib.suppress(OSError, BrokerError):
            if time.time() - folder.stat().st_mtime > _STALE_SECONDS:
                with data_folder.locked(folder):
                    shutil.rmtree(folder)


def _note(log: IO[bytes], code: int) -> None:
    log.write(f"the worker process ended with {code}; it is started again\n".encode())
    log.flush()
