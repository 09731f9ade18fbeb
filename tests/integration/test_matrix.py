"""The contract over kinds of sources and presets; `scripts/matrix` has every pair."""

from pathlib import Path

import matrix
import pytest

#: Each source with one preset, and each preset with several sources.
PAIRS = [
    (source, matrix.PRESETS[number * 3 % len(matrix.PRESETS)])
    for number, source in enumerate(matrix.sources())
]


@pytest.mark.parametrize(("source", "preset"), PAIRS, ids=[f"{s.name}-{p}" for s, p in PAIRS])
def test_the_contract_holds_or_the_refusal_is_stated(
    tmp_path: Path, source: matrix.Source, preset: str
) -> None:
    found = matrix.attempt(source, source.make(tmp_path), preset)
    assert not found or (isinstance(found, str) and "unsuitable" in found)
