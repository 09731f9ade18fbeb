"""Short names by which people know files and workers."""

import ipaddress
import math
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from rich.cells import cell_len

from proxima.batch import Batch
from proxima.cli.cells import one_line
from proxima.job import Job

_DRIVE_OR_SHARE = re.compile(r"[A-Za-z]:\\|\\\\")


@dataclass(frozen=True, slots=True, kw_only=True)
class FileNames:
    """What the sources of one batch are called; made once a batch, since it may be large."""

    by_source: Mapping[str, str]
    #: Cells that 19 of 20 names fit into: one long name should not push all else aside.
    cells: int

    @classmethod
    def of(cls, batch: Batch) -> "FileNames":
        """Take the file's name, with as many folders before it as tell it from the others."""
        sources = [job.source for job in batch.jobs]
        sources += [settled.source for settled in batch.settled]
        names = {source: one_line(name) for source, name in _tails(sources).items()}
        widths = sorted(map(cell_len, names.values())) or [0]
        return cls(by_source=names, cells=widths[math.ceil(0.95 * (len(widths) - 1))])

    def __call__(self, source: Job | str) -> str:
        """Return the name of a job's source, in one line."""
        path = source.source if isinstance(source, Job) else source
        return self.by_source.get(path) or one_line("/".join(_parts(path)[-1:]))


def worker_label(worker: str | None) -> str:
    """``<uuid>@<host>`` as ``host 3f2a``: the machine, and which of its workers."""
    if not worker:
        return "no worker"
    uuid, _, host = worker.rpartition("@")
    return one_line(f"{_short_host(host)} {uuid[:4]}".strip())


def _short_host(host: str) -> str:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return host.split(".", maxsplit=1)[0] or host
    return host


def _parts(path: str) -> list[str]:
    # A backslash is a separator only where the path itself says that it is from Windows.
    slashes = path.replace("\\", "/") if _DRIVE_OR_SHARE.match(path) else path
    return [part for part in slashes.split("/") if part] or [path]


def _tails(sources: list[str]) -> dict[str, str]:
    """Return the shortest end of each path that no other path shares."""
    parts = {source: _parts(source) for source in sources}
    names: dict[str, str] = {}
    depth = 1
    while len(names) < len(parts):
        tails = {s: "/".join(p[-depth:]) for s, p in parts.items() if s not in names}
        shared = Counter(tails.values())
        names |= {s: t for s, t in tails.items() if shared[t] == 1 or depth >= len(parts[s])}
        depth += 1
    return names
