"""An ffmpeg that hangs, and one that says it gets on and does not."""

import sys

import pytest

from proxima.errors import FailureKind, JobFailed
from proxima.ffmpeg.encode import encode
from proxima.ffmpeg.stall import StallWatch

HANGS = "import time; time.sleep(600)"
REPEATS = """
import time
while True:
    print('frame=7\\nout_time_us=1000000\\nprogress=continue', flush=True)
    time.sleep(0.01)
"""


class Clock:
    """Goes on by a second whenever somebody looks."""

    now = 0.0

    def __call__(self):
        self.now += 1.0
        return self.now


@pytest.mark.parametrize("code", [HANGS, REPEATS])
def test_it_is_ended_and_counts_as_stalled(tmp_path, code):
    argv = [sys.executable, "-c", code, f"file:{tmp_path / 'x.mov'}"]
    readings = encode(
        argv,
        duration=10.0,
        log=tmp_path / "log",
        should_stop=lambda: False,
        stall=StallWatch(5.0, Clock()),
    )
    with pytest.raises(JobFailed) as failed:
        list(readings)
    assert failed.value.kind is FailureKind.STALLED
