"""Scratch: the unfinished output; its name, its publishing, and what earlier attempts left."""

import contextlib
import os
from pathlib import Path

from proxima.broker.lease import Lease
from proxima.errors import FailureKind, JobFailed


class Scratch:
    """The file that one attempt writes, beside the output that it will become."""

    def __init__(self, output: Path, lease: Lease) -> None:
        self.output = output
        self._lease = lease
        self._made_folder = False
        #: ``.<job>.<attempt>.part<ext>``: beside the output, so that renaming is atomic; short,
        #: so that an output with the longest possible name has one.
        self.path = output.with_name(f".{lease.job_id}.{lease.attempt}.part{output.suffix}")

    def prepare(self) -> None:
        """Make the folder, and remove what earlier attempts at this job left; OSError."""
        self._made_folder = not self.output.parent.exists()
        self.output.parent.mkdir(parents=True, exist_ok=True)
        clear(self.output, self._lease.job_id, self._lease.attempt)

    def settle(self) -> int:
        """Put it on the disk itself, so that a power cut cannot empty it; its bytes. OSError."""
        descriptor = os.open(self.path, os.O_RDWR)
        try:
            os.fsync(descriptor)
            return os.fstat(descriptor).st_size
        finally:
            os.close(descriptor)

    def publish(self, *, replace: bool) -> None:
        """Give it its name, in one step; OSError, or JobFailed if there is such a file now."""
        # In this order: whoever recovered this attempt has moved it, and then the output is ours.
        if not replace and self.output.exists() and self.path.exists():
            raise JobFailed(
                FailureKind.OUTPUT_EXISTS,
                f"{self.output} appeared while it was being made",
                "queue it again with --if-exists replace or rename",
            )
        try:
            self.path.replace(self.output)
        except FileNotFoundError:
            # Whoever recovered this attempt was quicker: then its output is there.
            if not self.output.exists():
                raise

    def recover(self, size: int | None, *, replace: bool) -> bool:
        """Publish what an attempt left that was accepted with *size* bytes and lost its worker.

        False if neither the scratch nor its output is there; OSError.
        """
        if replace or not self.output.exists():
            with contextlib.suppress(FileNotFoundError):
                self.path.replace(self.output)
        # Another output may be there: the one that it was to replace, or somebody else's.
        return self.output.exists() and size in {None, self.output.stat().st_size}

    def remove(self) -> None:
        """Drop it; one that is not there any more is no error."""
        _unlink(self.path)
        if self._made_folder:
            # An empty folder that nobody made is litter, too.
            with contextlib.suppress(OSError):
                self.output.parent.rmdir()


def clear(output: Path, job_id: str, attempt: int) -> None:
    """Remove the scratches of a job's attempts up to *attempt*: none of them is published now."""
    for leftover in output.parent.glob(f".{job_id}.*.part{output.suffix}"):
        number = leftover.name.removeprefix(f".{job_id}.").split(".")[0]
        if number.isdigit() and int(number) <= attempt:
            _unlink(leftover)


def _unlink(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink()
