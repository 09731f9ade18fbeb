"""Remedies: what happens to a job after each kind of failure."""

from enum import StrEnum

from proxima.errors import FailureKind as Kind


class Remedy(StrEnum):
    """What is done about a failure."""

    #: It may pass: the job is tried again later, on another worker first, and it counts.
    AGAIN = "again"
    #: The worker's own fault: another worker may well do it, so it does not count against the job.
    ELSEWHERE = "elsewhere"
    #: The same everywhere and every time: the job fails at once.
    NONE = "none"


#: One line a kind, with its reason.
REMEDIES: dict[Kind, Remedy] = {
    # A share may lag behind what the queuer saw, or be of date on one machine alone.
    Kind.SOURCE_MISSING: Remedy.AGAIN,
    # The bytes are what they are.
    Kind.SOURCE_DAMAGED: Remedy.NONE,
    Kind.SOURCE_UNSUPPORTED: Remedy.NONE,
    Kind.SOURCE_UNSUITABLE: Remedy.NONE,
    # Only who copies it knows when it is complete.
    Kind.SOURCE_GROWING: Remedy.NONE,
    # Source and preset do not fit each other anywhere.
    Kind.PRESET_UNSUITABLE: Remedy.NONE,
    # What a farm may touch is decided by people.
    Kind.PATH_REFUSED: Remedy.NONE,
    # The queuer could read the source; the worker's user or mount differs.
    Kind.PERMISSION: Remedy.ELSEWHERE,
    # The output may be on a disk of this machine; and it must not fill up for others.
    Kind.DISK_FULL: Remedy.ELSEWHERE,
    # Shares recover by themselves more often than not.
    Kind.MOUNT_STALE: Remedy.AGAIN,
    Kind.MOUNT_MISSING: Remedy.ELSEWHERE,
    Kind.FFMPEG_MISSING: Remedy.ELSEWHERE,
    Kind.ENCODER_MISSING: Remedy.ELSEWHERE,
    # Nobody knows why: once more costs little against a night lost.
    Kind.FFMPEG_FAILED: Remedy.AGAIN,
    # Out of memory, mostly: elsewhere, or later, there may be more.
    Kind.FFMPEG_CRASHED: Remedy.AGAIN,
    Kind.STALLED: Remedy.AGAIN,
    # A write that a share lost looks like this.
    Kind.OUTPUT_WRONG: Remedy.AGAIN,
    # It was never sent.
    Kind.PLAN_REFUSED: Remedy.NONE,
    # Somebody has to say what may be replaced.
    Kind.OUTPUT_EXISTS: Remedy.NONE,
    Kind.OUTPUT_CLASH: Remedy.NONE,
    # It had its attempts.
    Kind.POISONOUS: Remedy.NONE,
    # A worker of that version must be started first.
    Kind.PROTOCOL_MISMATCH: Remedy.NONE,
    Kind.MESSAGE_INVALID: Remedy.NONE,
    Kind.UNKNOWN: Remedy.AGAIN,
}

#: Seconds before the first of a job's retries; each later one waits four times as long.
FIRST_DELAY = 2.0
#: Seconds that no retry waits longer than.
LONGEST_DELAY = 300.0


def back_off(failures: int) -> float:
    """Seconds until a job that has failed so often before is tried again."""
    return min(FIRST_DELAY * 4.0 ** min(failures, 10), LONGEST_DELAY)
