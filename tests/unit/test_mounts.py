"""Telling a missing file from a missing storage."""

from pathlib import Path

import pytest

from proxima.worker import mounts
from proxima.worker.mounts import is_mounted


@pytest.fixture
def mnt(tmp_path, monkeypatch):
    """A folder that stands for /mnt."""
    monkeypatch.setattr(mounts, "_PARENTS", {tmp_path, tmp_path.parent})
    return tmp_path


def test_without_a_folder_of_that_name_it_is_not_mounted(mnt):
    assert not is_mounted(mnt / "media" / "A001" / "C001.mov", None)


def test_an_empty_mount_point_is_not_mounted(mnt):
    (mnt / "media").mkdir()
    assert not is_mounted(mnt / "media" / "A001" / "C001.mov", None)


def test_a_storage_without_that_folder_is_mounted(mnt):
    (mnt / "media" / "B002").mkdir(parents=True)
    assert is_mounted(mnt / "media" / "A001" / "C001.mov", None)


def test_a_file_that_is_gone_from_a_folder_that_is_there_is_no_matter_of_mounts(mnt):
    (mnt / "media" / "A001").mkdir(parents=True)
    assert is_mounted(mnt / "media" / "A001" / "C001.mov", None)


def test_the_root_of_a_path_map_decides(tmp_path):
    path = tmp_path / "A001" / "C001.mov"
    assert not is_mounted(path, tmp_path / "gone")
    assert not is_mounted(path, tmp_path)
    (tmp_path / "B002").mkdir()
    assert is_mounted(path, tmp_path)


def test_a_path_on_no_storage_at_all_is_not_mounted():
    assert not is_mounted(Path("/no-such-storage/A001/C001.mov"), None)
