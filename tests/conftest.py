"""Shared fixtures: a scrubbed environment, a real server, clips, values with what a test needs."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from proxima.batch import Batch
from proxima.broker.address import BrokerAddress
from proxima.job import Job
from proxima.preset import Preset


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory):
    """No setting of the person who runs the tests, and nothing written into their folders."""
    for name in list(os.environ):
        if name.startswith("PROXIMA_"):
            monkeypatch.delenv(name)
    home = tmp_path_factory.getbasetemp() / "home"
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(home / name.lower()))


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator["EmbeddedServer"]:  # noqa: F821
    """One real server for all tests of a process."""
    from proxima.broker.embedded import EmbeddedServer

    folder = tmp_path_factory.mktemp("server")
    running = EmbeddedServer.start(folder=folder, password="test", persist=False)
    yield running
    running.stop()


@pytest.fixture
def address(server) -> BrokerAddress:
    """Address of the server, with nothing in it."""
    from proxima.broker.connection import connect

    connect(server.address).flushall()
    return server.address


@pytest.fixture
def client(address: BrokerAddress):
    """A client of the empty server."""
    from proxima.broker.connection import connect

    return connect(address)


@pytest.fixture
def celery(address: BrokerAddress):
    """Celery on the empty server."""
    from proxima.broker.celery_app import make_celery

    return make_celery(address)


@pytest.fixture
def make_job() -> Callable[..., Job]:
    """A job from the fields that a test cares about."""

    def make(number: int = 1, **fields: object) -> Job:
        given = {
            "id": f"abcdefgh-{number:05}",
            "batch": "abcdefgh",
            "source": f"/card/C{number:03}.mov",
            "output": f"/card/Proxy/C{number:03}.mov",
            "seconds": 10.0,
            **fields,
        }
        return Job(**given)

    return make


@pytest.fixture
def make_batch(make_job: Callable[..., Job]) -> Callable[..., Batch]:
    """A batch of so many jobs."""

    def make(jobs: int = 1, **fields: object) -> Batch:
        given = {
            "id": "abcdefgh",
            "label": "A001",
            "user": "sam",
            "host": "edit1",
            "created": 1.0e9,
            "priority": 5,
            "preset": Preset(name="prores-proxy", profile="proxy"),
            "jobs": tuple(make_job(number) for number in range(1, jobs + 1)),
            **fields,
        }
        return Batch(**given)

    return make


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """An empty folder for sources."""
    folder = tmp_path / "A001"
    folder.mkdir()
    return folder
