"""Faults in a random sequence; scripts/soak does the same for as long as one likes."""

import pytest
from kill.farm import KillFarm
from kill.invariant import count_ends, settle
from kill.storm import Storm

#: Seconds of each storm.
LENGTH = 20


@pytest.mark.parametrize("seed", [1, 2])
def test_whatever_happens_every_job_ends_once(tmp_path, seed):
    farm = KillFarm(tmp_path / "farm", seed=seed)
    try:
        storm = Storm(farm)
        storm.run(LENGTH)
        farm.heal(workers=2)
        found = settle(farm)
        assert not found, "\n".join([*found, f"{storm.counts}", farm.story()])
        assert count_ends(farm)
    finally:
        farm.close()
