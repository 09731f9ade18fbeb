"""The two sides of the benchmark `batch`: Proxima's local farm, and xargs with its commands."""

import json
import os
import shlex
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PRESET = "prores-proxy"
#: Seconds between two looks for the first encode.
_LOOK = 0.005


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """What one run took."""

    #: Wall time in seconds.
    wall: float
    #: Processor time in seconds, of all its processes.
    cpu: float
    #: Seconds from the command to its first ffmpeg.
    first: float = 0.0
    #: Seconds in which slots were not at a job: waiting for one, and before and after all of them.
    idle: float = 0.0
    #: Load of the machine when it began.
    load: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """What `--plan -v` says of one source."""

    argv: list[str]
    #: What Proxima calls the file that the command makes.
    output: str


class Bench:
    """Runs both sides on the same sources, in one folder."""

    def __init__(self, folder: Path, sources: Sequence[Path], *, slots: int, nice: int) -> None:
        self._sources = [str(source) for source in sources]
        self._slots = slots
        self._logs = folder / "logs"
        self.outputs = {side: folder / side for side in ("proxima", "xargs")}
        config = folder / "proxima.toml"
        config.write_text(
            f'preset = "{PRESET}"\nslots = {slots}\n'
            f"[worker]\nnice = {nice}\nlog_folder = {json.dumps(str(self._logs))}\n"
        )
        # The environment of whoever runs this must not change what is measured.
        kept = {key: value for key, value in os.environ.items() if not key.startswith("PROXIMA_")}
        self._environment = {**kept, "PROXIMA_CONFIG": str(config)}

    def commands(self) -> list[Command]:
        """The ffmpeg command of each source, with its output in the folder of the other side."""
        self._clear("xargs")  # or else what lies there would be skipped
        done = subprocess.run(
            self._queue("xargs", "--plan", "-v"),
            env=self._environment,
            stdout=subprocess.PIPE,
            check=True,
        )
        jobs = json.loads(done.stdout)["jobs"]
        return [Command(argv=job["command"], output=Path(job["output"]).name) for job in jobs]

    def proxima(self) -> Taken:
        """`proxima queue` without a broker: it starts one, and a worker; every output verified."""
        self._clear("proxima")
        shutil.rmtree(self._logs, ignore_errors=True)
        with _first_file(self._logs) as first:
            answer, taken = self._timed(self._queue("proxima"))
        jobs = json.loads(answer.splitlines()[-1])["jobs"]
        busy = sum(job["seconds"] for job in jobs)
        return Taken(**taken, first=first[0], idle=taken["wall"] - busy / self._slots)

    def xargs(self, commands: Sequence[Command]) -> Taken:
        """As many ffmpeg at a time as Proxima has slots; nothing is verified."""
        self._clear("xargs")
        self.outputs["xargs"].mkdir(parents=True)
        lines = "\0".join(shlex.join(command.argv) for command in commands)
        argv = ["xargs", "-0", "-n", "1", "-P", str(self._slots), "sh", "-c"]
        return Taken(**self._timed(argv, lines.encode())[1])

    def _queue(self, side: str, *options: str) -> list[str]:
        output = ("--output", str(self.outputs[side]))
        return [
            sys.executable,
            "-m",
            "proxima",
            "queue",
            *options,
            "--json",
            *output,
            *self._sources,
        ]

    def _clear(self, side: str) -> None:
        shutil.rmtree(self.outputs[side], ignore_errors=True)
        # What the side before left to be written is not this one's burden.
        os.sync()

    def _timed(self, argv: list[str], given: bytes = b"") -> tuple[bytes, dict[str, Any]]:
        load, start = os.getloadavg()[0], time.monotonic()
        process = subprocess.Popen(
            argv,
            env=self._environment,
            stdin=subprocess.PIPE,
            # Progress of ffmpeg in the one case, JSON lines in the other.
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(given)
        process.stdin.close()
        answer = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - start
        if code := os.waitstatus_to_exitcode(status):
            sys.exit(f"{argv[0]} ended with {code}")
        return answer, {"wall": wall, "cpu": usage.ru_utime + usage.ru_stime, "load": load}


@contextmanager
def _first_file(folder: Path) -> Iterator[list[float]]:
    """Seconds until the first file lies in *folder* or below: the log of the first ffmpeg."""
    found: list[float] = []
    ended = threading.Event()
    start = time.monotonic()

    def look() -> None:
        while not found and not ended.wait(_LOOK):
            if any(folder.glob("*/*")):
                found.append(time.monotonic() - start)

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield found
    finally:
        ended.set()
        thread.join()
