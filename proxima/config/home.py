"""A ``~`` in front of a path of the config is the user's home folder."""

import os.path
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from proxima.config.fault import Fault, shown


def at_home(tables: dict[str, Any]) -> dict[str, Any]:
    """The tables with their paths written out."""
    worker = dict(tables.get("worker", {}))
    for key in {"ffmpeg", "log_folder"} & worker.keys():
        worker[key] = os.path.expanduser(worker[key])  # noqa: PTH111 - "" must stay empty
    if "roots" in worker:
        worker["roots"] = [str(Path(root).expanduser()) for root in worker["roots"]]
    written = {**tables, "worker": worker} if worker else dict(tables)
    if "output" in written:
        written["output"] = os.path.expanduser(written["output"])  # noqa: PTH111 - likewise
    return written


def home_faults(tables: dict[str, Any]) -> Iterator[Fault]:
    """Roots of the worker that depend on the folder where it is started."""
    for number, root in enumerate(tables.get("worker", {}).get("roots", [])):
        if not os.path.isabs(os.path.expanduser(root)):  # noqa: PTH111, PTH117 - as above
            text = f'found {shown(root)}; allowed: an absolute path, or "~" and what follows it'
            yield Fault(("worker", "roots", number), text)
