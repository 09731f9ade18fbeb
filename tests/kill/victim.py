"""Victim: one supervised worker, and all the ways to hurt it."""

import sys
from pathlib import Path

import msgspec
from kill import process_table
from kill.process_table import CONTINUE, KILL, STOP

from proxima.process import child
from proxima.worker.settings import WorkerSettings

#: So that other processes find this very project, and the code of its tests.
ENVIRONMENT = {"PYTHONPATH": ":".join(map(str, Path(__file__).parents[1:3]))}

#: Variable that all processes of a farm have.
MARK = "KILL_FARM"


class Victim:
    """A worker as `proxima work` runs it: supervisor, worker process, guards, ffmpegs."""

    def __init__(self, settings: WorkerSettings, log: Path, mark: str) -> None:
        self.name = settings.name
        self.log = log
        with log.open("ab") as sink:
            self._child = child.start(
                [sys.executable, "-m", "kill.supervised"],
                stdin=child.PIPE,
                stdout=sink,
                stderr=sink,
                environment={**ENVIRONMENT, MARK: mark},
            )
        assert self._child.stdin
        self._child.stdin.write(msgspec.json.encode(settings))
        self._child.stdin.close()
        #: All that were ever seen of it, so that none is left frozen.
        self._seen: set[int] = set()

    @property
    def alive(self) -> bool:
        """Whether its supervisor runs."""
        return self._child.poll() is None

    @property
    def pids(self) -> list[int]:
        """All its processes, the supervisor first."""
        found = [self._child.pid, *process_table.descendants(self._child.pid)]
        self._seen.update(found)
        return found

    @property
    def pythons(self) -> list[int]:
        """The worker process; none while it is started again."""
        return [pid for pid in self.pids if "proxima.worker" in process_table.words(pid)]

    @property
    def staff(self) -> list[int]:
        """All but what it runs for its jobs."""
        guards = [pid for pid in self.pids if "guard.py" in process_table.words(pid)]
        return [self._child.pid, *self.pythons, *guards]

    def kill_python(self) -> None:
        """SIGKILL the worker process alone."""
        process_table.send(KILL, self.pythons)

    def kill_tree(self) -> None:
        """SIGKILL the supervisor and the worker process; the guards must do the rest."""
        process_table.send(KILL, [self._child.pid, *self.pythons])
        self._child.wait()

    def kill_everything(self) -> None:
        """As a power cut: guards and ffmpegs too, and nobody tidies up."""
        pids = self.pids
        process_table.send(STOP, pids)
        process_table.send(KILL, [*pids, *self.pids])
        self._child.wait()

    def kill_others(self, word: str) -> None:
        """SIGKILL its processes with *word* in their command lines."""
        process_table.send(KILL, [pid for pid in self.pids if word in process_table.words(pid)])

    def freeze(self, *, whole: bool = True) -> None:
        """SIGSTOP the worker process; with *whole* ffmpeg and all others too."""
        process_table.send(STOP, self.pids if whole else self.pythons)

    def thaw(self) -> None:
        """SIGCONT whatever was frozen."""
        process_table.send(CONTINUE, [pid for pid in self._seen if process_table.is_frozen(pid)])

    def signal(self, number: int) -> None:
        """Send a signal to the supervisor, as a terminal or a service manager would."""
        process_table.send(number, [self._child.pid])

    def says(self, text: str) -> bool:
        """Whether its log has *text*."""
        return text in self.log.read_text(errors="replace")

    def end(self) -> None:
        """Leave nothing of it."""
        if self.alive:
            self.kill_everything()
        self.thaw()

    def wait(self, seconds: float) -> int:
        """Its exit code; TimeoutError."""
        return self._child.wait(seconds)
