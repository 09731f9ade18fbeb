"""JsonLines: a batch told to programs, one JSON object a line."""

import json
from collections.abc import Iterator

from proxima.cli import json_fields
from proxima.cli.json_fields import Fields
from proxima.cli.local_path import LocalPath
from proxima.cli.plain_lines import Write, write_at_once
from proxima.progress import Reading
from proxima.queuer.changes import Change, changes, waiting
from proxima.queuer.standing import BatchStanding, EventKind

#: Seconds between two `job.progress` of one job.
PROGRESS_PAUSE = 1.0


class JsonLines:
    """Compares each standing of a batch with the last, and writes what changed."""

    def __init__(
        self,
        write: Write = write_at_once,
        *,
        local: LocalPath = str,
        from_the_start: bool = True,
    ) -> None:
        """*local* turns portable paths into those of this machine.

        Unless *from_the_start*, what happened before the first standing is not told.
        """
        self._write, self._local = write, local
        self._from_the_start = from_the_start
        self._last: BatchStanding | None = None
        #: Of each job that was read: when, and what.
        self._told: dict[str, tuple[float, Reading]] = {}

    def show(self, standing: BatchStanding, notice: str = "") -> None:  # noqa: ARG002
        """Write a line for each thing that changed since the last call; notices are for people."""
        for kind, fields in self._objects(standing):
            self._put(kind, standing, fields)
        self._last = standing

    def finish(self, standing: BatchStanding, *, exit_code: int) -> None:
        """Write the last line: how each job ended, and those that were never sent."""
        jobs = [json_fields.of_end(job, self._local) for job in standing.jobs]
        jobs += [json_fields.of_settled(s, self._local) for s in standing.batch.settled]
        counts = json_fields.counts(jobs)
        spent = json_fields.rounded(standing.spent)
        fields = {"exit_code": exit_code, "spent": spent, "counts": counts, "jobs": jobs}
        self._put("batch.finished", standing, fields)

    def _put(self, kind: str, standing: BatchStanding, fields: Fields) -> None:
        start = {"type": kind, "time": round(standing.now, 3), "batch": standing.batch.id}
        # ASCII only: a name's bytes that are no UTF-8 could not be written otherwise.
        self._write(json.dumps({**start, **fields}, ensure_ascii=True, allow_nan=False))

    def _objects(self, standing: BatchStanding) -> Iterator[tuple[str, Fields]]:
        last = self._last
        if last is None:
            yield "batch.queued", json_fields.queued(standing)
        if last is None or (last.workers, last.slots) != (standing.workers, standing.slots):
            yield "workers", {"count": standing.workers, "slots": standing.slots}
        if standing.broker_trouble != (last.broker_trouble if last else None):
            yield "broker", {"trouble": standing.broker_trouble}
        start = waiting(standing.jobs) if self._from_the_start else standing.jobs
        for change in changes(last.jobs if last else start, standing.jobs):
            yield f"job.{change.kind}", self._changed(change)
        yield from self._progress(standing)

    def _changed(self, change: Change) -> Fields:
        self._told.pop(change.now.job.id, None)
        if change.kind in {EventKind.FINISHED, EventKind.FAILED}:
            return json_fields.of_end(change.now, self._local)
        return {**json_fields.of_job(change.now.job, self._local), "worker": change.worker}

    def _progress(self, standing: BatchStanding) -> Iterator[tuple[str, Fields]]:
        for running in standing.running:
            job, reading = running.job, running.reading
            if reading is None:
                continue
            when, what = self._told.get(job.id, (float("-inf"), None))
            if standing.now - when < PROGRESS_PAUSE or reading == what:
                continue
            self._told[job.id] = standing.now, reading
            fields = json_fields.of_job(job, self._local) | json_fields.of_reading(reading)
            yield "job.progress", fields
