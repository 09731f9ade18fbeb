"""Speeds: how fast the machines of a farm encode, as they measured it themselves.

The hash holds for each machine, preset and picture size what its last jobs had to encode, and the
seconds that they took, probing and verifying included. With each job the older ones count less
(by `FADE`), so that about the last ten make the figure, the long ones more than the short ones.
"""

from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from proxima.broker import keys
from proxima.job import Load

if TYPE_CHECKING:
    from redis import Redis

#: What all earlier jobs together are worth when the next is added.
FADE = 0.9
#: Machines x presets x sizes remembered; the one not written for longest is forgotten.
MOST = 2000
#: Days after which a farm that encodes nothing has forgotten all.
KEEP_DAYS = 90


class Kind(NamedTuple):
    """What was measured."""

    #: See `machine`.
    machine: str
    #: Name of the preset.
    preset: str
    #: As of a `Load`.
    size: str


class Measured(NamedTuple):
    """Sums over the last jobs."""

    amount: float
    #: Of wall clock, in one slot.
    seconds: float


def machine(host: str, slots: int) -> str:
    """Workers of one host with as many slots are alike: ``edit1*4``. Their names are new daily."""
    return f"{host}*{slots}"


def measured(client: "Redis", kind: Kind, load: Load, seconds: float) -> None:
    """Remember how long a job of this *kind* took; nothing if its load is unknown."""
    if not load.amount or seconds <= 0:
        return
    script = client.register_script(
        (files("proxima.broker") / "scripts" / "measured.lua").read_text()
    )
    field = msgspec.json.encode(kind)
    args: list[Any] = [field, load.amount, seconds, FADE, MOST, KEEP_DAYS * 86_400]
    script(keys=[keys.SPEEDS, keys.SPEEDS_WRITTEN], args=args)


def read_measured(fields: Mapping[bytes, bytes]) -> dict[Kind, Measured]:
    """What the *fields* of the hash tell; what makes no sense is passed over."""
    found: dict[Kind, Measured] = {}
    for field, text in fields.items():
        try:
            kind = msgspec.json.decode(field, type=Kind)
            found[kind] = Measured(*map(float, text.split()))
        except (msgspec.MsgspecError, ValueError, TypeError):
            continue
    return found


class Speeds:
    """Answers how fast a machine encodes; made of what is measured at one moment."""

    def __init__(self, found: Mapping[Kind, Measured]) -> None:
        #: By (machine or "" for all, preset, size or "*" for pictures of all sizes).
        self._sums: dict[tuple[str, str, str], list[float]] = defaultdict(lambda: [0.0, 0.0])
        for kind, (amount, seconds) in found.items():
            for name in (kind.machine, ""):
                self._add((name, kind.preset, kind.size), amount, seconds)
                if kind.size:
                    self._add((name, kind.preset, "*"), amount * pixels(kind.size), seconds)
        self.of = lru_cache(maxsize=None)(self._of)

    def _add(self, key: tuple[str, str, str], amount: float, seconds: float) -> None:
        self._sums[key][0] += amount
        self._sums[key][1] += seconds

    def _of(self, name: str, preset: str, size: str) -> float | None:
        """Amount a second in one slot: of this very kind; else by pixels; else of all machines.

        None if nothing like it was measured.
        """
        for whose in (name, ""):
            if rate := self._rate(whose, preset, size):
                return rate
            if size and (rate := self._rate(whose, preset, "*")):
                return rate / pixels(size)
        return None

    def _rate(self, name: str, preset: str, size: str) -> float | None:
        amount, seconds = self._sums.get((name, preset, size), (0.0, 0.0))
        return amount / seconds if amount > 0 and seconds > 0 else None


def pixels(size: str) -> int:
    """Pixels of a picture of this *size*; at least 1."""
    width, _, height = size.partition("x")
    return max(int(width) * int(height), 1) if width.isdecimal() and height.isdecimal() else 1
