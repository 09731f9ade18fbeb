"""Spanned takes: one recording that a camera wrote into several files, as AVCHD does.

A take has a name of its own, ``[00000+00001].MTS``, which stands wherever the path of a source
does; no file has it.
"""

import re
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

EXTENSIONS = frozenset({".mts", ".m2ts"})
#: A camera's clock begins each take anew, within so many seconds.
FRESH = Fraction(2)
_NAME = re.compile(r"\[(?P<stems>\d{5}(?:\+\d{5}){1,98})\](?P<tail>\.\w+)")
_PART = re.compile(r"[0-9]{5}")


@dataclass(frozen=True, slots=True, kw_only=True)
class SpannedTake:
    """Transport streams of one folder that go on in one another."""

    folder: Path
    #: Names without their extension, in the order of recording.
    stems: tuple[str, ...]
    tail: str

    @classmethod
    def of(cls, path: Path) -> "SpannedTake | None":
        """The take that *path* names; None if that is no such name, or a file has it.

        Nor in a folder with a bar in its name: ffmpeg would take what is behind it for a file.
        """
        found = _NAME.fullmatch(path.name)
        if (
            not found
            or "|" in str(path.absolute())
            or found["tail"].lower() not in EXTENSIONS
            or path.exists()
        ):
            return None
        stems = tuple(found["stems"].split("+"))
        return cls(folder=path.parent, stems=stems, tail=found["tail"])

    @property
    def path(self) -> Path:
        """The name that stands for it."""
        return self.folder / f"[{'+'.join(self.stems)}]{self.tail}"

    @property
    def stem(self) -> str:
        """What to call an output: by the first file."""
        return self.stems[0]

    @property
    def files(self) -> tuple[Path, ...]:
        """All of them, in order."""
        return tuple(self.folder / f"{stem}{self.tail}" for stem in self.stems)

    @staticmethod
    def is_part(file: Path) -> bool:
        """Whether *file* is called as the files of a take are."""
        return bool(_PART.fullmatch(file.stem)) and file.suffix.lower() in EXTENSIONS

    @property
    def address(self) -> str:
        """As ffmpeg's protocol ``concat`` wants them."""
        return "concat:" + "|".join(f"file:{file.absolute()}" for file in self.files)
