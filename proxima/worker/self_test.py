"""Self-test: whether what kept a worker from doing a job is over."""

import os
import tempfile
from pathlib import Path

import msgspec

from proxima.composite import composite
from proxima.errors import FailureKind, JobFailed
from proxima.ffmpeg.trial import try_preset
from proxima.job import Job
from proxima.preset import Preset
from proxima.worker.disk_space import shortage
from proxima.worker.encoding import Encoder
from proxima.worker.faults import as_failure

_BY_ENCODING = frozenset({FailureKind.ENCODER_MISSING, FailureKind.FFMPEG_MISSING})
#: A source that was taken away meanwhile is not this worker's fault.
_OF_THE_JOB = frozenset({FailureKind.SOURCE_MISSING, FailureKind.PATH_REFUSED})
#: A quota or a limit is not told before something is written.
_TRIAL_BYTES = 2**20


class Ailment(msgspec.Struct, frozen=True, kw_only=True):
    """A failure that was the worker's own."""

    kind: FailureKind
    message: str
    job: Job
    preset: Preset


class SelfTest:
    """Does what a job would do, on a small scale."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder

    def __call__(self, ailment: Ailment) -> str | None:
        """What is still wrong, in words; None if nothing is."""
        try:
            if ailment.kind in _BY_ENCODING:
                return try_preset(self._encoder.ffmpeg, ailment.preset)
            self._try_files(ailment.job)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is the answer
            failure = as_failure(error)
            return None if failure.kind in _OF_THE_JOB else str(failure)
        return None

    def _try_files(self, job: Job) -> None:
        """Write where the output goes and the log, and read the source; JobFailed or OSError."""
        folder = _existing(self._encoder.access.output(job.output).parent)
        lacking = shortage(folder, _TRIAL_BYTES, self._encoder.usage)
        if lacking:
            raise JobFailed(FailureKind.DISK_FULL, f"no room in {folder}: {lacking}")
        _write(folder)
        _write(_existing(self._encoder.log_folder))
        source = self._encoder.access.source(job.source)
        found = composite(source)
        with (next(iter(found.files)) if found else source).open("rb") as file:
            file.read(1)


def _existing(folder: Path) -> Path:
    """The folder, or the one in which it would be made."""
    return next(one for one in (folder, *folder.parents) if one.exists())


def _write(folder: Path) -> None:
    with tempfile.TemporaryFile(dir=folder, prefix=".proxima-") as file:
        file.write(bytes(_TRIAL_BYTES))
        file.flush()
        os.fsync(file.fileno())
