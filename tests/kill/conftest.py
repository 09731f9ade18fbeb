"""A farm for each kill test; whatever happens, nothing of it is left running."""

import sys

import pytest
from kill.farm import KillFarm


def pytest_collection_modifyitems(items):
    if not sys.platform.startswith("linux"):
        for item in items:
            if "kill" in item.path.parts:
                item.add_marker(pytest.mark.skip(reason="reads /proc and inotify"))


@pytest.fixture
def kill_farm(tmp_path):
    farm = KillFarm(tmp_path)
    yield farm
    farm.close()
