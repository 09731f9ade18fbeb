"""Encodes that stand still and go on."""

import os
import signal
import time
from pathlib import Path

from proxima.ffmpeg.rest import Rest
from proxima.ffmpeg.stall import StallWatch
from proxima.process import child


def stands_still(pid: int) -> bool:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"


def test_an_encode_stands_still_as_long_as_it_is_to_and_is_not_stalled() -> None:
    started = child.start(["sleep", "600"])
    seconds = [0.0]
    wanted = [True]
    stall = StallWatch(10, clock=lambda: seconds[0])
    rest = Rest(started, lambda: wanted[0], stall)
    rest.look()
    os.waitid(os.P_PID, started.pid, os.WSTOPPED | os.WNOWAIT)
    assert stands_still(started.pid)
    seconds[0] = 1000.0
    rest.look()
    stall.check()
    wanted[0] = False
    rest.look()
    deadline = time.monotonic() + 30
    while stands_still(started.pid):
        assert time.monotonic() < deadline
    assert started.kill() == -signal.SIGKILL
