"""Running ffmpeg: progress, logs, failures, and stopping."""

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import clips
import pytest
from encodes import transcode

from proxima.errors import FailureKind, JobFailed, WorkStopped
from proxima.ffmpeg.binaries import find_ffmpeg
from proxima.ffmpeg.encode import encode
from proxima.progress import Progress

FFMPEG = str(find_ffmpeg())
#: Speaks to its own log and to us, then does what the test asks.
STANDS_FOR_FFMPEG = "import sys,time,os\nprint('[error] odd', file=sys.stderr, flush=True)\n"


@pytest.fixture
def clip(tmp_path: Path) -> Path:
    return clips.good_clip(tmp_path, seconds=2)


def never() -> bool:
    return False


def endless(scratch: Path) -> list[str]:
    """A real encode without an end."""
    return [
        *(FFMPEG, "-nostdin", "-y", "-nostats", "-progress", "pipe:1", "-stats_period", "0.1"),
        *("-re", "-f", "lavfi", "-i", "testsrc2=s=64x36:r=25", "-c:v", "mpeg4"),
        *("-f", "mpegts", f"file:{scratch}"),
    ]


def python(code: str, scratch: Path) -> list[str]:
    """A program that stands for ffmpeg."""
    return [sys.executable, "-c", STANDS_FOR_FFMPEG + code, f"file:{scratch}"]


def run(argv: list[str], tmp_path: Path, stop: Callable[[], bool] = never) -> Iterator[Progress]:
    return encode(argv, duration=10.0, log=tmp_path / "job.log", should_stop=stop)


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_progress_leads_to_the_last_frame(clip: Path) -> None:
    output = transcode(clip)
    assert output.progress[-1].frame == 50
    assert output.progress[-1].position == pytest.approx(2.0, abs=0.05)


def test_the_log_begins_with_the_command_and_keeps_earlier_runs(clip: Path) -> None:
    log = clip.with_name("output_A001C001.log")
    log.write_text("an earlier run\n")
    transcode(clip)
    lines = log.read_text().splitlines()
    assert lines[0] == "an earlier run"
    assert lines[1].startswith(f"{FFMPEG} -hide_banner -nostdin")
    assert any("prores_aw" in line for line in lines[2:])


def test_a_failure_says_what_ffmpeg_said(clip: Path, tmp_path: Path) -> None:
    argv = [FFMPEG, "-loglevel", "level+info", "-i", f"file:{clip}", "-c:v", "nosuch", "file:o.mov"]
    with pytest.raises(JobFailed, match=r"A001C001\.mov: .*Unknown encoder 'nosuch'") as failed:
        list(run(argv, tmp_path))
    assert failed.value.kind is FailureKind.ENCODER_MISSING


def test_the_failures_of_an_earlier_run_are_not_ours(tmp_path: Path) -> None:
    (tmp_path / "job.log").write_text("[error] No space left on device\n")
    with pytest.raises(JobFailed, match="odd") as failed:
        list(run(python("sys.exit(1)", tmp_path / "x"), tmp_path))
    assert failed.value.kind is FailureKind.FFMPEG_FAILED


def test_saying_end_is_no_success(tmp_path: Path) -> None:
    """PR-14."""
    code = "print('frame=1\\nout_time_us=1\\nprogress=end', flush=True); sys.exit(1)"
    with pytest.raises(JobFailed, match="ended with code 1"):
        list(run(python(code, tmp_path / "x"), tmp_path))


def test_a_crash_is_named(tmp_path: Path) -> None:
    with pytest.raises(JobFailed, match="SIGKILL") as failed:
        list(run(python("os.kill(os.getpid(), 9)", tmp_path / "x"), tmp_path))
    assert failed.value.kind is FailureKind.FFMPEG_CRASHED


def test_a_program_that_cannot_be_run_is_an_error_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        list(run([str(tmp_path / "no-ffmpeg"), "-i", "a", "b"], tmp_path))


def test_stopping_ends_the_whole_group(tmp_path: Path) -> None:
    """OP-04."""
    child = "import time; time.sleep(600)"
    code = (
        f"import subprocess; p = subprocess.Popen([sys.executable, '-c', {child!r}])\n"
        "print(f'frame={p.pid}\\nout_time_us=1\\nprogress=continue', flush=True)\n"
        "time.sleep(600)"
    )
    stop = threading.Event()
    readings = run(python(code, tmp_path / "x"), tmp_path, stop.is_set)
    grandchild = next(readings).frame
    assert is_alive(grandchild)
    stop.set()
    with pytest.raises(WorkStopped):
        next(readings)
    await_end(grandchild)


def test_a_silent_ffmpeg_is_stopped_too(tmp_path: Path) -> None:
    stop = threading.Event()
    threading.Timer(0.1, stop.set).start()
    with pytest.raises(WorkStopped):
        list(run(python("time.sleep(600)", tmp_path / "x"), tmp_path, stop.is_set))


def test_one_that_closes_its_output_and_goes_on_is_stopped_too(tmp_path: Path) -> None:
    stop = threading.Event()
    threading.Timer(0.3, stop.set).start()
    code = "os.close(1); time.sleep(600)"
    with pytest.raises(WorkStopped):
        list(run(python(code, tmp_path / "x"), tmp_path, stop.is_set))


def test_closing_the_iterator_ends_ffmpeg(tmp_path: Path) -> None:
    scratch = tmp_path / "endless.ts"
    readings = run(endless(scratch), tmp_path)
    next(readings)
    readings.close()  # type: ignore[attr-defined]
    size = scratch.stat().st_size
    assert not any(str(scratch) in line for line in running_commands())
    assert scratch.stat().st_size == size


def test_ffmpeg_gives_way_to_people(tmp_path: Path) -> None:
    wanted = os.nice(0) + 7
    code = (
        f"while os.nice(0) != {wanted}: time.sleep(0.01)\n"
        "print('frame=1\\nout_time_us=1\\nprogress=end', flush=True)"
    )
    argv, log = python(code, tmp_path / "x"), tmp_path / "job.log"
    assert list(encode(argv, duration=None, log=log, should_stop=never, nice=7))


def test_much_noise_holds_nothing_up(tmp_path: Path) -> None:
    """BR-05: nobody reads a pipe of errors, so none can fill."""
    code = "for n in range(200_000): print('[error] noise', n, file=sys.stderr)\nsys.exit(1)"
    with pytest.raises(JobFailed) as failed:
        list(run(python(code, tmp_path / "x"), tmp_path))
    assert "noise 199999" in failed.value.message
    assert len(failed.value.message) < 500


def running_commands() -> list[str]:
    """The command line of each process, where the system shows them."""
    commands = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            commands.append(entry.read_bytes().decode(errors="replace"))
        except OSError:
            continue
    return commands


def await_end(pid: int, patience: float = 10.0) -> None:
    """Wait until a process that is no child of ours is gone, or only its entry is left."""
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        status = Path(f"/proc/{pid}/status")
        if not is_alive(pid) or (status.exists() and "\nState:\tZ" in status.read_text()):
            return
        time.sleep(0.01)
    raise AssertionError(f"process {pid} still runs")
