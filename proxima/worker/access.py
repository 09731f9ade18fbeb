"""What a job may touch on this worker: paths below its roots, options that its config permits."""

import os
from collections.abc import Sequence
from pathlib import Path

from proxima.composite import Composite, composite
from proxima.errors import FailureKind, JobFailed
from proxima.paths import PathMaps, find_spelling
from proxima.worker import mounts


class Access:
    """Turns the portable paths of jobs into local ones, if they are allowed."""

    def __init__(self, maps: PathMaps, roots: Sequence[str], worker: str) -> None:
        self._maps = maps
        self._roots = [Path(os.path.realpath(root)) for root in roots]
        self._worker = worker

    def source(self, portable: str) -> Path:
        """The source on this worker; JobFailed if it is refused or not to be seen."""
        path = find_spelling(self._maps.to_local(portable))
        if found := composite(path):
            return self._composite(found, portable)
        self._seen(path, portable)
        self._require_root(path, portable)
        return path

    def output(self, portable: str) -> Path:
        """The output on this worker; JobFailed if it is refused or its storage is not mounted."""
        root = self._maps.root_of(portable)
        if root and not root.exists():
            # Its folders would be made on the disk below the mount point.
            raise self._unseen(FailureKind.MOUNT_MISSING, portable, root)
        path = find_spelling(self._maps.to_local(portable))
        # The folder is resolved, not the name: a link of that name will be replaced, not followed.
        self._require_root(path.parent, portable)
        return path

    def _seen(self, path: Path, portable: str) -> Path:
        if not path.exists():
            is_mounted = mounts.is_mounted(path, self._maps.root_of(portable))
            kind = FailureKind.SOURCE_MISSING if is_mounted else FailureKind.MOUNT_MISSING
            raise self._unseen(kind, portable, path)
        return path

    def _composite(self, found: Composite, portable: str) -> Path:
        """The name of a source of several files; any of them may be a link to elsewhere."""
        self._seen(found.folder, portable)
        self._require_root(found.folder, portable)
        for file in found.files:
            if file.is_symlink():
                self._require_root(file, portable)
        return found.path

    def _unseen(self, kind: FailureKind, portable: str, tried: Path) -> JobFailed:
        return JobFailed(
            kind,
            f"{self._worker} does not see {portable} (it tried {tried})",
            "mount the storage there, or correct [[paths]] in its config",
        )

    def _require_root(self, path: Path, portable: str) -> None:
        real = Path(os.path.realpath(path))
        if self._roots and not any(real.is_relative_to(root) for root in self._roots):
            roots = ", ".join(map(str, self._roots))
            raise JobFailed(
                FailureKind.PATH_REFUSED,
                f"{portable} leads to {real}, outside the roots of {self._worker} ({roots})",
                "move the file, or add its folder to [worker] roots there",
            )


def permitted(extra_args: Sequence[str], allowed: Sequence[str], worker: str) -> tuple[str, ...]:
    """*extra_args* if all of them are options that *allowed* names, each with one value."""
    options, values = extra_args[::2], extra_args[1::2]
    refused = [option for option in options if option not in allowed]
    refused += [value for value in values if value.startswith("-") and not value[1:2].isdigit()]
    if refused or len(options) != len(values):
        shown = " ".join(refused) or options[-1]
        raise JobFailed(
            FailureKind.PRESET_UNSUITABLE,
            f"{worker} does not permit the ffmpeg arguments {shown!r}",
            "add the option to [worker] extra_args there; each needs one value",
        )
    return tuple(extra_args)
