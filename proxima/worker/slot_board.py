"""SlotBoard: what each slot of a worker does, for its screen and its log."""

import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from proxima.errors import JobFailed, WorkStopped
from proxima.progress import Reading

#: Seconds between two standings shown.
SHOW_SECONDS = 0.25
#: Ends of jobs that a standing carries.
KEPT_ENDS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotLine:
    """What one slot does."""

    slot: int
    #: Id of its job; None while it is idle.
    job: str | None = None
    #: Name of the source.
    file: str = ""
    percent: float | None = None
    fps: float | None = None
    #: A Stage, or empty.
    stage: str = ""
    #: Seconds of output written.
    position: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerStanding:
    """How a worker stands."""

    #: ``<uuid>@<host>``.
    name: str
    host: str
    #: Address of the broker, without its password.
    broker_shown: str
    slots: tuple[SlotLine, ...]
    done: int = 0
    failed: int = 0
    #: Whether it takes no new jobs.
    draining: bool = False
    #: Why it takes no jobs, or what the broker said last while it does not answer.
    trouble: str | None = None
    #: Lines on the jobs that ended last, the newest first.
    recent: tuple[str, ...] = ()


class Slot:
    """One slot, as the job in it sees it."""

    def __init__(self, board: "SlotBoard", number: int) -> None:
        self._board = board
        self.number = number

    def show_file(self, name: str) -> None:
        """Say which file the job is about."""
        # Names that are no UTF-8 must not break the screen.
        self._board.change(self.number, file=name.encode(errors="backslashreplace").decode())

    def show(self, reading: Reading) -> None:
        """Say how far the job is."""
        self._board.change(
            self.number,
            percent=reading.percent,
            fps=reading.fps,
            stage=reading.stage.value,
            position=reading.position,
        )


class SlotBoard:
    """All slots of a worker; gives free ones to jobs."""

    def __init__(self, standing: WorkerStanding, show: Callable[[WorkerStanding], None]) -> None:
        self._standing = standing
        self._show = show
        self._limit = len(standing.slots)
        self._changed = threading.Condition()
        self._recent: deque[str] = deque(standing.recent, KEPT_ENDS)
        self._ended = threading.Event()

    @contextmanager
    def slot(self, job_id: str) -> Iterator[Slot]:
        """A free slot for a job, until the block ends."""
        with self._changed:
            self._changed.wait_for(lambda: self._free() is not None)
            number = self._free()
            assert number is not None  # noqa: S101 - just waited for
            self._put(SlotLine(slot=number, job=job_id))
        try:
            yield Slot(self, number)
        except BaseException as error:
            self._end(number, error)
            raise
        else:
            self._end(number, None)

    def change(self, number: int, **fields: object) -> None:
        """Change what a slot shows."""
        with self._changed:
            self._put(replace(self._standing.slots[number], **fields))  # type: ignore[arg-type]

    def resize(self, slots: int) -> None:
        """Have so many slots; those that go and have a job are shown until it ends."""
        with self._changed:
            self._limit = slots
            lines = self._standing.slots
            more = (SlotLine(slot=number) for number in range(len(lines), slots))
            self._standing = replace(self._standing, slots=(*lines, *more))
            self._trim()
            self._changed.notify_all()

    def note(self, **fields: object) -> None:
        """Change what is said of the whole worker: draining, trouble."""
        with self._changed:
            self._standing = replace(self._standing, **fields)  # type: ignore[arg-type]

    def wait_idle(self) -> None:
        """Wait until no slot has a job."""
        with self._changed:
            self._changed.wait_for(lambda: all(line.job is None for line in self._standing.slots))

    def run(self) -> None:
        """Show every change, four times a second at most, until `end`."""
        shown = None
        while not self._ended.wait(SHOW_SECONDS):
            if self._standing is not shown:
                shown = self._standing
                self._show(shown)
        self._show(self._standing)

    def end(self) -> None:
        """Show the last standing and stop."""
        self._ended.set()

    def _free(self) -> int | None:
        usable = self._standing.slots[: self._limit]
        return next((line.slot for line in usable if line.job is None), None)

    def _trim(self) -> None:
        """Drop slots at the end that are idle and not wanted any more."""
        lines = self._standing.slots
        while len(lines) > self._limit and lines[-1].job is None:
            lines = lines[:-1]
        self._standing = replace(self._standing, slots=lines)

    def _put(self, line: SlotLine) -> None:
        slots = list(self._standing.slots)
        slots[line.slot] = line
        self._standing = replace(self._standing, slots=tuple(slots))

    def _end(self, number: int, error: BaseException | None) -> None:
        with self._changed:
            line = self._standing.slots[number]
            file = line.file or line.job or ""
            if error is None:
                self._recent.appendleft(f"finished {file}")
                self._count("done")
            elif isinstance(error, JobFailed):
                self._recent.appendleft(f"failed {file}: {error}")
                self._count("failed")
            elif isinstance(error, WorkStopped):
                why = f": {error}" if error.args else ""
                self._recent.appendleft(f"dropped {file}{why}")
            self._standing = replace(self._standing, recent=tuple(self._recent))
            self._put(SlotLine(slot=number))
            self._trim()
            self._changed.notify_all()

    def _count(self, field: str) -> None:
        count = getattr(self._standing, field) + 1
        self._standing = replace(self._standing, **{field: count})
