"""Outputs that would destroy something: a source, or the output of another source."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from proxima.errors import FailureKind, JobFailed
from proxima.printable import printable
from proxima.queuer.destination import free_name
from proxima.queuer.identity import Location, Locations, file_id


class OutputClashes:
    """Who would write where, by identity and not by spelling."""

    def __init__(self, sources: Iterable[Path], outputs: Mapping[Path, Path]) -> None:
        """*outputs* has the output of each source that is to be encoded."""
        sources = list(sources)
        self._locations = Locations()
        self._outputs = outputs
        self._source_files = {file_id(source) for source in sources} - {None}
        self._source_locations = {self._locations.of(source) for source in sources}
        self._users: dict[Location, list[Path]] = {}
        for source, output in outputs.items():
            self._users.setdefault(self._locations.of(output), []).append(source)

    def require_none(self, source: Path) -> None:
        """JobFailed if the output of *source* is a source, or that of another one too."""
        output = self._outputs[source]
        location = self._locations.of(output)
        if file_id(output) in self._source_files or location in self._source_locations:
            what = f"its output {printable(output)} is itself a source"
            raise _clash(source, what, "choose another folder with --output")
        others = [printable(user) for user in self._users[location] if user != source]
        if others:
            more = f" and {len(others) - 1} more" if len(others) > 1 else ""
            what = f"{others[0]}{more} would become {printable(output)}, too"
            raise _clash(source, what, "queue them apart, or with --if-exists rename")


class FreeNames:
    """Names for outputs that no file and no earlier output of the plan has."""

    def __init__(self) -> None:
        self._locations = Locations()
        self._taken: set[Location] = set()

    def take(self, output: Path) -> Path:
        """*output*, or the first free name after it; JobFailed if that would be too long."""
        free = free_name(output, self._is_taken)
        self._taken.add(self._locations.of(free))
        return free

    def _is_taken(self, output: Path) -> bool:
        return os.path.lexists(output) or self._locations.of(output) in self._taken


def _clash(source: Path, what: str, hint: str) -> JobFailed:
    return JobFailed(FailureKind.OUTPUT_CLASH, f"{printable(source)}: {what}", hint)
