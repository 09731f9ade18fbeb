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
        self.path = output.with_name(f"{self._stem}.{lease.attempt}.part{output.suffix}")

    @property
    def _stem(self) -> str:
        return f".{self._lease.job_id}"

    def prepare(self) -> None:
        """Make the folder, and remove what earlier attempts at this job left; OSError."""
        self._made_folder = not self.output.parent.exists()
        self.output.parent.mkdir(parents=True, exist_ok=True)
        for leftover in self.output.parent.glob(f"{self._stem}.*.part{self.output.suffix}"):
            attempt = leftover.name.removeprefix(f"{self._stem}.").split(".")[0]
            if attempt.isdigit() and int(attempt) <= self._lease.attempt:
                _unlink(leftover)

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
        if not replace and self.output.exists():
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

    def recover(self) -> bool:
        """Publish what an attempt left that was accepted and then lost its worker.

        False if neither the scratch nor the output is there; OSError.
        """
        if self.path.exists():
            self.path.replace(self.output)
        return self.output.exists()

    def remove(self) -> None:
        """Drop it; one that is not there any more is no error."""
        _unlink(self.path)
        if self._made_folder:
            # An empty folder that nobody made is litter, too.
            with contextlib.suppress(OSError):
                self.output.parent.rmdir()


def _unlink(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink()
