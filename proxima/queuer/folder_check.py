"""Look at the folders that this machine needs: there, readable, writable, and answering."""

import os
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

from proxima.broker.health import Finding, Verdict
from proxima.config.schema import Config
from proxima.errors import JobFailed
from proxima.paths import PathMaps

#: Seconds; a stale network share never answers.
_PATIENCE = 10.0


def check_roots(config: Config) -> Iterator[Finding]:
    """The roots of the path maps on this machine, and those that its worker allows."""
    # Where outputs go elsewhere, sources may well be on storage that nobody writes to.
    unwritable = Verdict.WARNING if config.output else Verdict.FAULT
    maps = PathMaps.here(config.paths)
    for entry in config.paths:
        subject = f"path map {entry.name}"
        try:
            root = maps.to_local(f"{entry.name}:/")
        except JobFailed as error:
            yield Finding(
                subject=subject, verdict=Verdict.WARNING, text=error.message, remedy=error.hint
            )
        else:
            yield check_folder(root, subject, unwritable)
    for folder in config.worker.roots:
        yield check_folder(Path(folder), "worker root", unwritable)


def check_log_folder(folder: Path) -> Finding:
    """The folder of the worker's logs, which is made if it is not there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        remedy = "choose another: [worker] log_folder in the config"
        return _fault("log folder", folder, f"cannot be made: {error.strerror}", remedy)
    return check_folder(folder, "log folder", Verdict.FAULT)


def check_folder(
    folder: Path, subject: str, unwritable: Verdict, *, patience: float = _PATIENCE
) -> Finding:
    """Look at one folder; a fault if it does not answer within *patience* seconds."""
    found: list[Finding] = []
    # A daemon: it may hang in the kernel for ever, and we must not.
    looking = threading.Thread(
        target=lambda: found.append(_looked_at(folder, subject, unwritable)), daemon=True
    )
    looking.start()
    looking.join(patience)
    if not found:
        return _fault(subject, folder, "does not answer", "is its server on? mount it again")
    return found[0]


def _looked_at(folder: Path, subject: str, unwritable: Verdict) -> Finding:
    try:
        with os.scandir(folder) as entries:
            next(entries, None)
    except FileNotFoundError:
        return _fault(subject, folder, "is not there", "mount its storage, or correct the config")
    except OSError as error:
        remedy = "let this user read it, or correct the config"
        return _fault(subject, folder, f"cannot be read: {error.strerror}", remedy)
    try:
        with tempfile.NamedTemporaryFile(dir=folder, prefix=".proxima-doctor-"):
            pass
    except OSError as error:
        return Finding(
            subject=subject,
            verdict=unwritable,
            text=f"{folder} cannot be written: {error.strerror}",
            remedy="let this user write there, or send outputs elsewhere: --output FOLDER",
        )
    return Finding(subject=subject, verdict=Verdict.OK, text=f"{folder} is read and written")


def _fault(subject: str, folder: Path, what: str, remedy: str) -> Finding:
    return Finding(subject=subject, verdict=Verdict.FAULT, text=f"{folder} {what}", remedy=remedy)
