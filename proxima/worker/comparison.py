"""Comparison: every picture of an output against its source, for `--verify full`."""

from collections.abc import Callable, Sequence
from pathlib import Path

from proxima.errors import FailureKind, JobFailed
from proxima.ffmpeg.encode import encode
from proxima.ffmpeg.similarity import Similarity, read_similarity
from proxima.ffmpeg.stall import StallWatch
from proxima.job import Ssim


def compare(
    argv: Sequence[str],
    *,
    expected: int | None,
    log: Path,
    should_stop: Callable[[], bool],
    nice: int,
    stall: StallWatch,
) -> Ssim:
    """Run a `compare_command`; JobFailed of kind OUTPUT_WRONG if the pictures are not the same.

    Also if fewer than *expected* were compared: what lacks could not be decoded.
    WorkStopped if *should_stop* says so. *log* takes two lines a frame, and is removed.
    """
    try:
        running = encode(
            argv, duration=None, log=log, should_stop=should_stop, nice=nice, stall=stall
        )
        for _ in running:
            pass
        with log.open(errors="replace") as lines:
            found = read_similarity(lines)
    finally:
        log.unlink(missing_ok=True)
    return _accepted(found, expected or 0)


def _accepted(found: Similarity | None, expected: int) -> Ssim:
    fault = found.fault if found else "none of its pictures could be compared"
    if found and not fault and found.frames < expected:
        fault = f"only {found.frames} of its {expected} pictures can be decoded"
    if found is None or fault:
        raise JobFailed(
            FailureKind.OUTPUT_WRONG,
            f"the output differs from its source: {fault}",
            "it was not published",
        )
    return Ssim(average=found.average, worst=found.worst, worst_frame=found.worst_frame)
