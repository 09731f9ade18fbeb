"""What a plan is made from: the user's wishes, and the functions that look at files."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from proxima.config.schema import IfExists, Layout
from proxima.errors import SourceUnreadable
from proxima.media import MediaInfo
from proxima.preset import Preset

ProbeAll = Callable[[Sequence[Path]], Iterator[tuple[Path, MediaInfo | SourceUnreadable]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanOptions:
    """What the outputs are to be."""

    preset: Preset
    #: Where they go; None: into a folder beside each source.
    output: Path | None = None
    layout: Layout = "auto"
    if_exists: IfExists = "skip"
    #: Whether to make what can be made of damaged sources.
    allow_damaged: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanTools:
    """What the planner looks with."""

    #: Gives every path once, in any order.
    probe_all: ProbeAll
    #: Called with the number of files probed, and of all that are to be.
    on_progress: Callable[[int, int], None] = lambda _done, _total: None
    clock: Callable[[], float] = time.time
    wait: Callable[[float], None] = time.sleep
