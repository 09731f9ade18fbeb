"""The installed command, on real clips."""

import json
import os
import shutil
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import clips
import pytest
from terminal import Terminal, proxima_command


@pytest.fixture(scope="session")
def clip(tmp_path_factory) -> Path:
    """One good clip: two seconds, timecode, two sound tracks."""
    return clips.good_clip(tmp_path_factory.mktemp("clip"), seconds=2)


@pytest.fixture
def card(tmp_path, clip) -> Callable[[int], Path]:
    """A camera card with so many clips."""

    def make(count: int, name: str = "A001") -> Path:
        folder = tmp_path / name
        folder.mkdir()
        for number in range(1, count + 1):
            shutil.copy(clip, folder / f"{name}C{number:03}.mov")
        return folder

    return make


class Run:
    """A finished command."""

    def __init__(self, done: subprocess.CompletedProcess) -> None:
        self.code, self.out, self.err = done.returncode, done.stdout, done.stderr

    @property
    def json_lines(self) -> list[dict]:
        """Standard output as one JSON object a line."""
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def jobs(self) -> list[dict]:
        """The jobs of the last line."""
        last = self.json_lines[-1]
        assert last["type"] == "batch.finished"
        return last["jobs"]


@pytest.fixture
def proxima(tmp_path) -> Callable[..., Run]:
    """Run `proxima` without a terminal, to its end."""

    def run(*args: str | Path, env: dict | None = None, cwd: Path = tmp_path) -> Run:
        argv = [proxima_command(), *map(str, args)]
        environment = {**os.environ, **(env or {})}
        return Run(
            subprocess.run(
                argv,
                capture_output=True,
                text=True,
                timeout=120,
                cwd=cwd,
                env=environment,
                stdin=subprocess.DEVNULL,
            )
        )

    return run


@pytest.fixture
def terminal(tmp_path) -> Iterator[Callable[..., Terminal]]:
    """Run `proxima` in a pseudo-terminal."""
    started = []

    def start(*args: str | Path, cwd: Path = tmp_path, **options: object) -> Terminal:
        one = Terminal([proxima_command(), *map(str, args)], cwd=cwd, **options)
        started.append(one)
        return one

    yield start
    for one in started:
        one.kill()


@pytest.fixture
def processes(monkeypatch) -> Callable[[], set[str]]:
    """What this test has started and still runs: servers, workers, ffmpegs, guards."""
    # Inherited by every child, however often its parents died.
    mark = f"PYTEST_MARK={uuid.uuid4()}"
    monkeypatch.setenv(*mark.split("="))

    def find() -> set[str]:
        flags = ["-axEww"] if sys.platform == "darwin" else ["axeww"]
        found = subprocess.run(
            ["ps", *flags, "-o", "pid=,stat=,command="], capture_output=True, text=True, check=True
        ).stdout
        return {
            line
            for line in found.splitlines()
            if mark in line and not line.split()[1].startswith("Z") and " ps " not in line
        }

    return find
