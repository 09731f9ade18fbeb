"""Wellness: a worker on which job after job fails takes itself out until it is well again."""

import logging
import threading
from collections.abc import Callable, Iterable

from proxima.errors import FailureKind
from proxima.worker.self_test import Ailment

#: Seconds between two self-tests of a worker that is unwell.
TEST_SECONDS = 30.0

log = logging.getLogger(__name__)


class Wellness:
    """Counts failures that were the worker's own; tests it from a thread of its own."""

    def __init__(
        self,
        *,
        limit: int,
        self_test: Callable[[Ailment], str | None],
        failed_elsewhere: Callable[[str], bool],
        changed: Callable[[str], None],
        seconds: float = TEST_SECONDS,
    ) -> None:
        """*self_test* says what is wrong, if it still is; *changed* is told why, or nothing.

        *failed_elsewhere* says of a job whether it failed on another worker, too.
        """
        self._limit, self._seconds = limit, seconds
        self._self_test, self._failed_elsewhere = self_test, failed_elsewhere
        self._changed = changed
        self._lock = threading.Lock()
        #: By job: one that is tried again here and again says no more than once.
        self._ailments: dict[str, Ailment] = {}
        self._ended = threading.Event()
        #: Why it takes no jobs; empty while it does.
        self.unwell = ""

    def failed(self, ailment: Ailment) -> None:
        """Count a job that failed for a reason of this worker."""
        with self._lock:
            self._ailments[ailment.job.id] = ailment
            if len(self._ailments) < self._limit or self.unwell:
                return
            self._become(ailment.message)
        log.error(
            "%d jobs in a row failed here for reasons of this worker; it takes no more until it is "
            "well again, and tests itself every %g s: %s",
            self._limit,
            self._seconds,
            ailment.message,
        )

    def worked(self) -> None:
        """Forget the failures: a job was done."""
        with self._lock:
            if not self.unwell:
                self._ailments.clear()

    def run(self) -> None:
        """Test until `end`; for a thread of its own."""
        while not self._ended.wait(self._seconds):
            self.test()

    def end(self) -> None:
        """Test no more."""
        self._ended.set()

    def test(self) -> None:
        """If it is unwell, see whether it still is."""
        with self._lock:
            ailments = tuple(self._ailments.values())
        if not self.unwell:
            return
        trouble = None if self._is_the_jobs_fault(ailments) else self._trouble(ailments)
        with self._lock:
            if trouble is None:
                self._ailments.clear()
            if (trouble or "") != self.unwell:
                self._become(trouble or "")
        if trouble:
            log.warning("still unwell: %s", trouble)
        else:
            log.warning("well again; taking jobs")

    def _become(self, why: str) -> None:
        self.unwell = why
        self._changed(why)

    def _trouble(self, ailments: Iterable[Ailment]) -> str | None:
        # One of each kind, the last: trying all presets of a long list would take minutes.
        by_kind = {ailment.kind: ailment for ailment in ailments}
        return next(filter(None, map(self._self_test, by_kind.values())), None)

    def _is_the_jobs_fault(self, ailments: Iterable[Ailment]) -> bool:
        """Whether others failed on the same jobs: then no worker can help it.

        A full disk that all of them share is no fault of the jobs: they wait until it has room.
        """
        return all(
            ailment.kind is not FailureKind.DISK_FULL and self._failed_elsewhere(ailment.job.id)
            for ailment in ailments
        )
