"""Whether two names lead to one file."""

import os
import sys
from pathlib import Path

import pytest

from proxima.queuer.identity import Locations, file_id, ignores_case, is_same_file


def test_one_file_by_other_spellings_is_the_same(tmp_path: Path) -> None:
    folder = tmp_path / "A"
    folder.mkdir()
    source = folder / "C1.mov"
    source.write_bytes(b"media")
    (tmp_path / "link").symlink_to("A")
    (folder / "soft.mov").symlink_to("C1.mov")
    os.link(source, tmp_path / "hard.mov")
    names = ["A/C1.mov", "A/../A/C1.mov", "link/C1.mov", "A/soft.mov", "hard.mov"]
    assert [is_same_file(tmp_path / name, source) for name in names] == [True] * 5
    assert not is_same_file(tmp_path / "A/C2.mov", source)


def test_names_of_files_to_come_are_the_same_through_linked_folders(tmp_path: Path) -> None:
    (tmp_path / "A").mkdir()
    (tmp_path / "link").symlink_to("A")
    assert is_same_file(tmp_path / "link/new/C1.mov", tmp_path / "A/new/C1.mov")
    assert not is_same_file(tmp_path / "link/new/C1.mov", tmp_path / "A/new/c1.mov")
    assert not is_same_file(tmp_path / "link/other/C1.mov", tmp_path / "A/new/C1.mov")


def test_hard_links_are_one_file_in_two_locations(tmp_path: Path) -> None:
    one, other = tmp_path / "C1.mov", tmp_path / "C2.mov"
    one.write_bytes(b"media")
    os.link(one, other)
    locations = Locations()
    assert file_id(one) == file_id(other)
    assert locations.of(one) != locations.of(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("C1.mov", "c1.MOV"), ("new/C1.mov", "NEW/C1.mov"), ("café.mov", "cafe\u0301.mov")],
)
def test_case_and_composition_count_only_where_the_file_system_minds(
    tmp_path: Path, one: str, other: str
) -> None:
    blind = Locations(ignores_case=lambda _folder: True)
    assert blind.of(tmp_path / one) == blind.of(tmp_path / other)
    if sys.platform == "linux":
        exact = Locations(ignores_case=lambda _folder: False)
        assert exact.of(tmp_path / one) != exact.of(tmp_path / other)


def test_a_file_system_is_asked_whether_it_minds_case(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "Clip.mov").write_bytes(b"media")
    minds = not (tmp_path / "cLIP.MOV").exists()
    assert ignores_case(tmp_path) is not minds
    stat = Path.stat

    def blind(path: Path, **options: bool) -> os.stat_result:
        return stat(path.with_name("Clip.mov") if path.name == "cLIP.MOV" else path, **options)

    monkeypatch.setattr(Path, "stat", blind)
    assert ignores_case(tmp_path)


def test_nothing_is_found_behind_names_that_no_file_has() -> None:
    assert file_id(Path("/nowhere/at/all")) is None
    assert file_id(Path("a\0b")) is None
