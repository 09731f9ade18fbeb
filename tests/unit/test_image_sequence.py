"""Numbered pictures as one source, by their names."""

from pathlib import Path

import pytest

from proxima.image_sequence import ImageSequence, matching_sequences, sequences

FOLDER = Path("/card/A%1")


def found(*names: str) -> list[str]:
    return [one.path.name for one in sequences(names, FOLDER)]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["a.0001.dpx", "a.0003.dpx", "a.0002.dpx"], ["a.[0001-0003].dpx"]),
        (["shot_0086400.png", "shot_0086401.png"], ["shot_[0086400-0086401].png"]),
        (["8.exr", "9.exr", "10.exr"], ["[8-10].exr"]),
        (["a099.tif", "a100.tif"], ["a[099-100].tif"]),
        (["a1.png", "a2.png", "b1.png", "b2.png"], ["a[1-2].png", "b[1-2].png"]),
        (["A001_0001.dpx", "A001_0002.dpx"], ["A001_[0001-0002].dpx"]),
        (["a1.png", "a1.jpg", "a2.jpg"], ["a[1-2].jpg"]),
        (["a01.png", "a02.png", "a001.png", "a002.png"], ["a[001-002].png", "a[01-02].png"]),
        (["still.png", "a1.png", "clip1.mov", "clip2.mov"], []),
        (["v2_1.exr", "v2_2.exr"], ["v2_[1-2].exr"]),
    ],
)
def test_what_belongs_together_is_one(names: list[str], expected: list[str]) -> None:
    """IM-01: whatever number is the first."""
    assert sorted(found(*names)) == expected


@pytest.mark.parametrize("name", ["a.[0001-0240].dpx", "[8-10].exr", "x[099-100].TIF"])
def test_a_name_says_all(name: str) -> None:
    one = ImageSequence.of(FOLDER / name)
    assert one
    assert one.path == FOLDER / name


@pytest.mark.parametrize(
    "name", ["a.[0001-0240].mov", "a.[0240-0001].dpx", "a.[1-1].dpx", "a.0001.dpx", "a[x-y].png"]
)
def test_other_names_are_no_sequences(name: str) -> None:
    assert ImageSequence.of(FOLDER / name) is None


def test_a_file_of_that_name_is_a_file(tmp_path: Path) -> None:
    path = tmp_path / "a[1-2].png"
    path.touch()
    assert ImageSequence.of(path) is None


def test_percent_signs_are_no_patterns() -> None:
    one = ImageSequence.of(FOLDER / "50%d_[0001-0002].png")
    assert one
    assert one.pattern == "/card/A%%1/50%%d_%04d.png"
    assert one.frame(2) == FOLDER / "50%d_0002.png"


@pytest.mark.parametrize(
    ("name", "stem"),
    [("A001.[1-2].dpx", "A001"), ("[1-2].dpx", "A%1"), ("shot_[1-2].png", "shot")],
)
def test_an_output_is_called_without_the_numbers(name: str, stem: str) -> None:
    one = ImageSequence.of(FOLDER / name)
    assert one
    assert one.stem == stem


def test_missing_pictures_are_told_by_their_numbers(tmp_path: Path) -> None:
    """IM-02."""
    for number in (1, 2, 4, 7):
        (tmp_path / f"a{number:03}.png").touch()
    (one,) = matching_sequences(tmp_path / "a%03d.png")
    assert one.missing() == [3, 5, 6]
    assert one.count == 7
    assert matching_sequences(tmp_path / "a%04d.png") == []
