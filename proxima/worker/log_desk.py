"""LogDesk: gives ffmpeg's logs of the jobs that this machine ran to whoever asks on the farm."""

import logging
import os
import re
import stat
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from proxima.broker import keys, log_requests
from proxima.broker.address import BrokerAddress
from proxima.broker.log_requests import MOST_BYTES, LogAnswer, LogRequest
from proxima.broker.trouble import translated
from proxima.errors import BrokerError
from proxima.worker.log_folder import log_file

if TYPE_CHECKING:
    from redis import Redis

#: Seconds between two looks for requests.
LOOK_SECONDS = 1.0

_JOB_ID = re.compile(r"[0-9a-z]{1,32}-[0-9]{5,8}")
_TOKEN = re.compile(r"[0-9a-f]{32}")

log = logging.getLogger(__name__)


class LogDesk:
    """Answers requests until `end`; one for a worker."""

    def __init__(self, client: "Redis", address: BrokerAddress, folder: Path, worker: str) -> None:
        """*folder* is the log folder, *worker* this worker's name."""
        self._client, self._address = client, address
        self._folder, self._worker = folder, worker
        self._ended = threading.Event()

    def run(self) -> None:
        """Answer until `end`; for a thread of its own."""
        while not self._ended.wait(LOOK_SECONDS):
            try:
                with translated(self._address):
                    self.answer_all()
            except BrokerError as error:
                log.debug("no logs given just now: %s", error)

    def end(self) -> None:
        """Answer no more."""
        self._ended.set()

    def answer_all(self) -> None:
        """Answer what is asked now."""
        for request in log_requests.requests(self._client, self._worker):
            # It becomes part of a key: nothing but a token may.
            if _TOKEN.fullmatch(request.token):
                log_requests.answer(self._client, request.token, self._answer(request))

    def _answer(self, request: LogRequest) -> LogAnswer:
        if not self._is_ours(request):
            return LogAnswer()
        try:
            return _end_of(log_file(self._folder, request.job_id, request.attempt))
        except OSError as error:
            log.debug("log of %s not given: %s", request.job_id, error)
            return LogAnswer()

    def _is_ours(self, request: LogRequest) -> bool:
        """Whether it is the id of a job, and its record says that this machine made the attempt."""
        if not _JOB_ID.fullmatch(request.job_id) or request.attempt < 1:
            return False
        started: Any = self._client.hget(keys.job(request.job_id), f"start:{request.attempt}")
        host = self._worker.rpartition("@")[2]
        # A worker has a new name after each start, and finds the logs of its predecessors.
        return bool(started) and started.decode().endswith(f"@{host}")


def _end_of(file: Path) -> LogAnswer:
    """The end of a log; OSError unless it is a plain file in a plain folder."""
    if file.parent.is_symlink():
        raise NotADirectoryError(file.parent)
    handle = os.open(file, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    with os.fdopen(handle, "rb") as opened:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise FileNotFoundError(file)
        opened.seek(max(status.st_size - MOST_BYTES, 0))
        return LogAnswer(text=opened.read(MOST_BYTES), size=status.st_size)
