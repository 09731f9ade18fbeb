"""What ffmpeg's last words mean."""

import signal

import pytest

from proxima.errors import FailureKind, JobFailed
from proxima.ffmpeg.failures import classify, last_words

SOURCE = "A001C001.mov"


def classified(log: str, code: int = 1) -> JobFailed:
    return classify(code, log.splitlines(), SOURCE)


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (
            "[out#0/mov @ 0x5631] [error] Error writing trailer: No space left on device",
            FailureKind.DISK_FULL,
        ),
        ("[out#0/mov @ 0x5631] [error] Disk quota exceeded", FailureKind.DISK_FULL),
        (
            "[out#0/mov @ 0x55a6] [fatal] Error opening output /x/.j.mov: Permission denied",
            FailureKind.PERMISSION,
        ),
        (
            "[out#0 @ 0x55a6] [fatal] Error opening output /x/j.mov: No such file or directory",
            FailureKind.MOUNT_STALE,
        ),
        (
            "[in#0 @ 0x5622] [error] Error opening input: No such file or directory",
            FailureKind.SOURCE_MISSING,
        ),
        ("[in#0/mov @ 0x1] [error] Stale file handle", FailureKind.MOUNT_STALE),
        ("[in#0/mov @ 0x1] [error] Input/output error", FailureKind.MOUNT_STALE),
        ("[vost#0:0 @ 0x55] [fatal] Unknown encoder 'libx265'", FailureKind.ENCODER_MISSING),
        ("[AVFilterGraph @ 0x56] [error] No such filter: 'bwdif'", FailureKind.ENCODER_MISSING),
        ("[error] Unrecognized option 'rf65'.", FailureKind.ENCODER_MISSING),
        ("[in#0 @ 0x55] [error] moov atom not found", FailureKind.SOURCE_DAMAGED),
        (
            "[vist#0:0/h264 @ 0x1] [dec:h264 @ 0x2] [error] Error submitting packet to decoder",
            FailureKind.SOURCE_DAMAGED,
        ),
        ("[dnxhd @ 0x7f] [error] Interlaced encoding is not supported", FailureKind.FFMPEG_FAILED),
        ("x265 [error]: Picture size must be larger", FailureKind.FFMPEG_FAILED),
    ],
)
def test_a_failure_has_a_kind(line: str, kind: FailureKind) -> None:
    failure = classified(line)
    assert failure.kind is kind
    assert failure.message.startswith(f"{SOURCE}: ")
    assert failure.hint


def test_a_full_disk_explains_what_follows_from_it() -> None:
    log = """[h264 @ 0x1] [error] Invalid data found when processing input
[out#0/mov @ 0x5631] [error] Error writing trailer: No space left on device
[info] Conversion failed!"""
    assert classified(log).kind is FailureKind.DISK_FULL


def test_what_a_files_tags_say_is_no_failure() -> None:
    log = """[info]     title           : No space left on device
[warning] Permission denied
[AVFormatContext @ 0x1] [error] odd"""
    failure = classified(log)
    assert failure.kind is FailureKind.FFMPEG_FAILED
    assert failure.message == f"{SOURCE}: ffmpeg ended with code 1: odd"


def test_echoes_of_a_failure_are_not_its_cause() -> None:
    """Its own error code -5 reads as an input/output error."""
    log = """[AVFilterGraph @ 0x1] [error] The following filters could not choose their formats
[fc#0 @ 0x56] [error] Task finished with error code: -5 (Input/output error)
[fc#0 @ 0x56] [error] Terminating thread with return code -5 (Input/output error)"""
    failure = classified(log)
    assert failure.kind is FailureKind.FFMPEG_FAILED
    assert "Task finished" not in failure.message


def test_a_signal_is_named() -> None:
    """DI-02."""
    failure = classified("", code=-signal.SIGSEGV)
    assert failure.kind is FailureKind.FFMPEG_CRASHED
    assert "SIGSEGV" in failure.message
    assert "signal 99" in classified("", code=-99).message


def test_a_limit_of_file_sizes_is_a_full_disk() -> None:
    assert classified("", code=-signal.SIGXFSZ).kind is FailureKind.DISK_FULL


def test_long_noise_is_bounded() -> None:
    """BR-05, QU-10."""
    log = [f"[h264 @ 0x1] [error] {n} " + "x" * 10_000 for n in range(400)]
    message = classify(1, log, SOURCE).message
    assert len(message) < 1200
    assert message.count(";") == 4
    assert "399 " in message


def test_control_characters_do_not_reach_a_terminal() -> None:
    """FN-11."""
    message = classified("[mov @ 0x1] [error] \x1b[31mbad\ttab\x07 \ufffd").message
    assert message.isprintable()


def test_the_same_complaint_is_said_once() -> None:
    assert last_words(["[error] a", "[error] b", "[error] a"]) == "a; b"


def test_without_errors_the_last_warnings_or_lines_speak() -> None:
    assert last_words(["[info] one", "[mp4 @ 0x1] [warning] two"]) == "two"
    assert last_words(["plain words", ""]) == "plain words"
    assert last_words([]) == "it said nothing"
