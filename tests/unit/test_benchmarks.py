"""What the benchmarks stand on: mixed clips, medians, a table."""

import importlib
from itertools import product
from pathlib import Path
from types import ModuleType

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture
def shoot(monkeypatch) -> ModuleType:
    monkeypatch.syspath_prepend(BENCHMARKS)
    return importlib.import_module("shoot")


@pytest.fixture
def figures(monkeypatch) -> ModuleType:
    monkeypatch.syspath_prepend(BENCHMARKS)
    return importlib.import_module("figures")


def test_forty_clips_have_every_codec_in_every_size_and_all_rates_and_lengths(shoot):
    clips = shoot.planned(40, 6.0)
    assert {(c.size, c.codec) for c in clips} == set(product(shoot.SIZES, shoot.CODECS))
    assert {c.rate for c in clips} == set(shoot.RATES)
    assert sorted({c.seconds for c in clips}) == pytest.approx([2, 3, 4, 5, 6])


def test_a_clip_of_another_recipe_has_another_name(shoot):
    clips = [*shoot.planned(40, 6.0), *shoot.planned(40, 3.0)]
    assert len({clip.name for clip in clips}) == 80


def test_a_clip_has_a_picture_two_mono_tracks_and_a_timecode(shoot):
    assert shoot.planned(2, 6.0)[1].arguments == [
        *("-f", "lavfi", "-i", "testsrc2=s=3840x2160:r=24000/1001"),
        *("-f", "lavfi", "-i", "sine=f=440:r=48000", "-f", "lavfi", "-i", "sine=f=440:r=48000"),
        *("-map", "0", "-map", "1", "-map", "2", "-t", "3.00"),
        *("-c:v", "libx264", "-preset", "ultrafast", "-crf", "23", "-pix_fmt", "yuv420p"),
        *("-c:a", "pcm_s24le", "-timecode", "02:00:00:00"),
    ]


def test_rounds_are_compared_with_their_neighbours(figures):
    """The load of others is then the same: 3/2 and 8/4, not the medians of each side."""
    assert figures.ratios([3.0, 8.0], [2.0, 4.0]) == [1.5, 2.0]


def test_a_table_tells_median_least_and_most(figures):
    wall = figures.Row(name="wall time", values=[1.0, 9.0, 2.0])
    ratio = figures.Row(name="ratio", values=[1.04], unit="", digits=3)
    assert figures.table([wall, ratio]).splitlines() == [
        "| | median | least | most |",
        "| --- | ---: | ---: | ---: |",
        "| wall time | 2.00 s | 1.00 s | 9.00 s |",
        "| ratio | 1.040 | 1.040 | 1.040 |",
    ]


@pytest.mark.parametrize(
    ("ratios", "verdict"),
    [
        ([1.02, 1.06, 1.03], "met"),
        ([1.02, 1.06, 1.07], "missed"),
        ([0.59, 0.83, 1.67], "inconclusive"),
    ],
)
def test_rounds_that_differ_widely_prove_nothing(figures, ratios, verdict):
    assert figures.verdict(ratios, 1.05) == verdict
