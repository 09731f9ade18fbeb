"""Children that never outlive their owner."""

import os
import signal
import subprocess
import sys
import time

import pytest

from proxima.process import child
from proxima.process.supervisor import Supervisor

OWNER = """
import sys
from pathlib import Path
from proxima.process import child
code = "import time; time.sleep(600)"
started = child.start([sys.executable, "-c", code], leftover=Path(sys.argv[1]))
print(started.pid, flush=True)
sys.stdin.read()
"""


def is_alive(pid):
    """Whether it runs; a zombie does not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return sys.platform != "linux"


def wait_until(condition, seconds=10.0):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.01)


def test_a_child_dies_with_an_owner_that_is_killed_and_its_scratch_is_removed(tmp_path):
    """OP-05"""
    scratch = tmp_path / "new\nline.part.mov"
    scratch.touch()
    owner = subprocess.Popen(
        [sys.executable, "-c", OWNER, scratch], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    pid = int(owner.stdout.readline())
    assert is_alive(pid)
    owner.kill()
    owner.wait()
    owner.stdin.close()
    owner.stdout.close()
    wait_until(lambda: not is_alive(pid))
    wait_until(lambda: not scratch.exists())


def test_a_child_that_ended_is_forgotten_by_the_guard(tmp_path):
    """Its number may belong to somebody else by the time we die, and its file is an output."""
    kept = tmp_path / "kept.mov"
    kept.touch()
    code = OWNER.replace("time.sleep(600)", "pass").replace(
        "sys.stdin.read()", "started.wait(); print('ended', flush=True); sys.stdin.read()"
    )
    owner = subprocess.Popen(
        [sys.executable, "-c", code, kept], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert owner.stdout.read(1)
    assert b"ended" in owner.stdout.readline() + owner.stdout.readline()
    guards = subprocess.run(
        ["pgrep", "-P", str(owner.pid), "-f", "guard.py"], capture_output=True, text=True
    ).stdout.split()
    owner.kill()
    owner.wait()
    owner.stdin.close()
    owner.stdout.close()
    wait_until(lambda: not any(is_alive(int(pid)) for pid in guards))
    assert kept.exists()


def test_a_killed_guard_is_replaced_and_knows_all_groups():
    first = child.start(["sleep", "600"])
    guard = child._GUARD._process
    guard.kill()
    wait_until(lambda: child._GUARD._process not in (guard, None))
    second = child.start(["sleep", "600"])
    assert set(child._GUARD._groups) >= {first.pid, second.pid}
    first.kill()
    second.kill()


ANOTHER_GUARD = """
import time
killed = child._GUARD._process
killed.kill()
while child._GUARD._process in (killed, None):
    time.sleep(0.01)
with child._GUARD._lock:  # held until the new one knows of all groups
    print("guarded", flush=True)
sys.stdin.read()
"""


def test_a_child_dies_with_an_owner_that_is_killed_after_its_guard(tmp_path):
    code = OWNER.replace("sys.stdin.read()", ANOTHER_GUARD)
    owner = subprocess.Popen(
        [sys.executable, "-c", code, tmp_path / "x"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    pid = int(owner.stdout.readline())
    assert owner.stdout.readline() == b"guarded\n"
    owner.kill()
    owner.wait()
    owner.stdin.close()
    owner.stdout.close()
    wait_until(lambda: not is_alive(pid))


def test_an_owner_killed_before_its_guard_knows_of_the_child_has_started_nothing(tmp_path):
    made = tmp_path / "made"
    killed = f"""
import os
from proxima.process import child
child._GUARD.add = lambda *_: os.kill(os.getpid(), 9)
child.start(["touch", {str(made)!r}], stdout=None)
"""
    # The gate holds the other end of standard output: it is at its end when the gate is gone.
    done = subprocess.run([sys.executable, "-c", killed], stdout=subprocess.PIPE, timeout=30)
    assert done.returncode == -signal.SIGKILL
    assert not made.exists()


def test_words_with_a_meaning_to_a_shell_arrive_as_they_are():
    words = ["$(touch x)", "a b", "'", '"', "*", "\n", "-n", "\udcff"]
    code = "import sys, os; os.write(1, os.fsencode('\\0'.join(sys.argv[1:])))"
    _, out, _ = child.run([sys.executable, "-c", code, *words], timeout=30)
    assert out == "\0".join(words).replace("\udcff", "\ufffd")


def test_a_program_that_is_not_there_is_an_error_of_its_own():
    with pytest.raises(FileNotFoundError, match="no such program"):
        child.start(["/nowhere/ffmpeg"])


def test_stopping_kills_a_child_that_does_not_listen():
    """OP-08"""
    deaf = (
        "import signal, sys; signal.signal(signal.SIGTERM, signal.SIG_IGN); "
        "print(flush=True); sys.stdin.read()"
    )
    started = child.start([sys.executable, "-c", deaf], stdin=child.PIPE, stdout=child.PIPE)
    started.stdout.readline()
    assert started.stop(grace=0.2) == -signal.SIGKILL
    started.stdin.close()
    started.stdout.close()


def test_stopping_ends_a_suspended_child():
    """OP-08"""
    started = child.start(["sleep", "600"])
    started.signal(signal.SIGSTOP)
    # Else the order to end may come before the one to stand still.
    os.waitid(os.P_PID, started.pid, os.WSTOPPED | os.WNOWAIT)
    assert started.stop(grace=0.2) == -signal.SIGKILL


def test_running_gives_code_and_texts():
    code, out, err = child.run(
        [sys.executable, "-c", "import os; os.write(1, b'\\xff'); os.write(2, b'e'); exit(3)"],
        timeout=30,
    )
    assert (code, out, err) == (3, "\ufffd", "e")


def test_running_too_long_is_an_error():
    with pytest.raises(TimeoutError, match="sleep took over"):
        child.run(["sleep", "600"], timeout=0.1)


def test_a_child_that_dies_is_started_again():
    codes = iter([9, 9, 0])
    deaths = []
    supervisor = Supervisor(
        lambda: child.start([sys.executable, "-c", f"exit({next(codes)})"]), deaths.append
    )
    assert supervisor.run() == 0
    assert deaths == [9, 9]


@pytest.mark.parametrize("code", [0, 2, 3])
def test_a_child_that_ends_for_good_is_not_started_again(code):
    starts = []

    def start():
        starts.append(1)
        return child.start([sys.executable, "-c", f"exit({code})"])

    assert Supervisor(start, lambda _: None).run() == code
    assert len(starts) == 1
