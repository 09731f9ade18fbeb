"""Watches Celery's results: once a job has ended, its end must not change."""

import contextlib
import json
import threading
from collections.abc import Iterable

from celery import states
from redis.exceptions import RedisError

from proxima.broker.address import BrokerAddress
from proxima.broker.connection import connect

_PREFIX = "celery-task-meta-"
_EVERY = 0.05


class ResultWatch:
    """Reads the results of all jobs again and again, as an attached queuer does."""

    def __init__(self, address: BrokerAddress) -> None:
        self._client = connect(address)
        self._jobs: list[str] = []
        self._ended = threading.Event()
        #: Job -> the states in which it ended, in their order; more than one is a violation.
        self.ends: dict[str, list[str]] = {}
        threading.Thread(target=self._run, daemon=True).start()

    def watch(self, job_ids: Iterable[str]) -> None:
        """Watch these too."""
        self._jobs += job_ids

    def close(self) -> None:
        """Watch no more."""
        self._ended.set()

    def look(self) -> None:
        """Look once; RedisError if the broker is away."""
        jobs = list(self._jobs)
        found = self._client.mget([_PREFIX + job_id for job_id in jobs]) if jobs else []
        for job_id, raw in zip(jobs, found, strict=True):
            self._note(job_id, json.loads(raw)["status"] if raw else states.PENDING)

    def _note(self, job_id: str, status: str) -> None:
        ends = self.ends.setdefault(job_id, [])
        # An end that is taken back is one more state.
        if (ends and ends[-1] != status) or (not ends and status in states.READY_STATES):
            ends.append(status)

    def _run(self) -> None:
        while not self._ended.wait(_EVERY):
            with contextlib.suppress(RedisError):
                self.look()
