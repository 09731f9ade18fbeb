"""Workplace: supervises the worker process, shows what it says, passes orders on."""

import signal
import threading
from contextlib import nullcontext
from typing import IO

from rich.console import Console

from proxima.cli.live_screen import LiveScreen, can_draw
from proxima.cli.notes import note
from proxima.cli.worker_view import changed_lines, render
from proxima.process import child
from proxima.process.supervisor import Supervisor
from proxima.worker.launch import standings, start_worker
from proxima.worker.settings import WorkerSettings
from proxima.worker.slot_board import WorkerStanding


class Workplace:
    """What `proxima work` is: one worker process, kept running, and its screen."""

    def __init__(self, settings: WorkerSettings) -> None:
        self._settings = settings
        self._supervisor = Supervisor(self._start, self._on_death)
        self._screen = LiveScreen() if can_draw(Console()) else None
        self._last: WorkerStanding | None = None
        self._orders = 0
        self._code = 0

    def run(self) -> int:
        """Work until an order to stop; the exit code."""
        supervising = threading.Thread(target=self._supervise, daemon=True)
        with self._screen or nullcontext():
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, self._on_signal)
            supervising.start()
            # In slices: a signal is only looked at between two of them.
            while supervising.is_alive():
                supervising.join(0.2)
                self._draw()
        return self._code

    def _supervise(self) -> None:
        self._code = self._supervisor.run()

    def _start(self) -> child.Child:
        started = start_worker(self._settings, stdout=child.PIPE, stderr=child.PIPE)
        for target, pipe in ((self._show_all, started.stdout), (_pass_on, started.stderr)):
            threading.Thread(target=target, args=(pipe,), daemon=True).start()
        return started

    def _on_signal(self, *_: object) -> None:
        self._orders += 1
        # The first: finish what runs. The next: stop now.
        self._supervisor.signal(signal.SIGTERM if self._orders == 1 else signal.SIGINT)

    def _on_death(self, code: int) -> None:
        note(f"the worker process ended with {code}; it is started again")

    def _show_all(self, stdout: IO[bytes]) -> None:
        with stdout:
            for standing in standings(stdout):
                if not self._screen:
                    for line in changed_lines(self._last, standing):
                        note(line)
                self._last = standing

    def _draw(self) -> None:
        if self._screen and (standing := self._last):
            self._screen.draw(lambda width, height: render(standing, width=width, height=height))


def _pass_on(stderr: IO[bytes]) -> None:
    with stderr:
        for line in stderr:
            note(line.decode(errors="replace").rstrip("\n"))
