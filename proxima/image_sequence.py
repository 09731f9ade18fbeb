"""Image sequences: numbered pictures of one folder that are one source.

A sequence has a name of its own, ``A001.[0001-0240].dpx``, which stands wherever the path of a
source does; no file has it. Numbers are as long as the first one says (``[0001-0240]``), or as
short as they can be (``[1-240]``).
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

EXTENSIONS = frozenset({".dpx", ".exr", ".png", ".tif", ".tiff", ".jpg", ".jpeg"})
#: One picture is a still.
_LEAST = 2
#: Half a day at 24 pictures a second; a name that claims more is none.
_MOST = 1_000_000
_NAME = re.compile(
    r"(?P<head>.*)\[(?P<first>\d{1,9})-(?P<last>\d{1,9})\](?P<tail>\.\w+)", re.DOTALL
)
_PATTERN = re.compile(r"(?P<head>.*)%(?:0(?P<digits>\d))?d(?P<tail>\.\w+)", re.DOTALL)
_FRAME = re.compile(r"(?P<head>.*?)(?P<number>\d{1,9})(?P<tail>\.[A-Za-z]+)", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageSequence:
    """The pictures ``<head><number><tail>`` of one folder, from the first number to the last."""

    folder: Path
    head: str
    tail: str
    first: int
    last: int
    #: Least length of a number; 1 if it has no zeros in front.
    digits: int

    @classmethod
    def of(cls, path: Path) -> "ImageSequence | None":
        """The sequence that *path* names; None if that is no such name, or a file has it."""
        found = _NAME.fullmatch(path.name)
        if not found or found["tail"].lower() not in EXTENSIONS or path.exists():
            return None
        first, last = int(found["first"]), int(found["last"])
        is_padded = len(found["first"]) == len(found["last"])
        digits = len(found["first"]) if is_padded else 1
        if not first < last < first + _MOST:
            return None
        return cls(
            folder=path.parent,
            head=found["head"],
            tail=found["tail"],
            first=first,
            last=last,
            digits=digits,
        )

    @property
    def path(self) -> Path:
        """The name that stands for it."""
        first, last = (f"{number:0{self.digits}}" for number in (self.first, self.last))
        return self.folder / f"{self.head}[{first}-{last}]{self.tail}"

    @property
    def stem(self) -> str:
        """What to call an output: ``A001``, or the folder's name if files have only numbers."""
        return self.head.rstrip(" ._-[(") or self.folder.name

    @property
    def count(self) -> int:
        """How many pictures it should have."""
        return self.last - self.first + 1

    @property
    def pattern(self) -> str:
        """The name as ffmpeg's image2 wants it, from the root on; percent signs are doubled."""
        folder = str(self.folder.absolute()).replace("%", "%%")
        number = f"%0{self.digits}d" if self.digits > 1 else "%d"
        return f"{folder}/{self.head.replace('%', '%%')}{number}{self.tail}"

    def frame(self, number: int) -> Path:
        """The file of a picture."""
        return self.folder / f"{self.head}{number:0{self.digits}}{self.tail}"

    @property
    def files(self) -> Iterator[Path]:
        """All of them, whether they are there or not."""
        return map(self.frame, range(self.first, self.last + 1))

    def missing(self) -> list[int]:
        """Numbers of the pictures that are not there; OSError."""
        there = {path.name for path in self.folder.iterdir()}
        numbers = range(self.first, self.last + 1)
        return [number for number in numbers if self.frame(number).name not in there]


def matching_sequences(pattern: Path) -> list[ImageSequence]:
    """What ``A001.%04d.dpx`` means, by what is in its folder; OSError."""
    found = _PATTERN.fullmatch(pattern.name)
    if not found or found["tail"].lower() not in EXTENSIONS:
        return []
    wanted = (found["head"], found["tail"])
    digits = int(found["digits"] or 1)
    return [
        one
        for one in sequences((path.name for path in pattern.parent.iterdir()), pattern.parent)
        if (one.head, one.tail) == wanted and one.digits == digits
    ]


def sequences(names: Iterable[str], folder: Path) -> list[ImageSequence]:
    """The sequences among the *names* in *folder*; gaps are left to `ImageSequence.missing`."""
    groups: dict[tuple[str, str, int], list[int]] = {}
    for name in names:
        found = _FRAME.fullmatch(name)
        if found and found["tail"].lower() in EXTENSIONS:
            number = found["number"]
            groups.setdefault((found["head"], found["tail"], len(number)), []).append(int(number))
    return [
        ImageSequence(
            folder=folder, head=head, tail=tail, first=min(found), last=max(found), digits=digits
        )
        for (head, tail, digits), found in _with_unpadded(groups).items()
        if len(found) >= _LEAST
    ]


def _with_unpadded(
    groups: dict[tuple[str, str, int], list[int]],
) -> dict[tuple[str, str, int], list[int]]:
    """Join what differs only in the length of numbers without zeros in front: 8, 9, 10."""
    joined: dict[tuple[str, str, int], list[int]] = {}
    for (head, tail, digits), numbers in sorted(groups.items()):
        shorter = joined.get((head, tail, 1))
        is_unpadded = min(numbers) >= 10 ** (digits - 1)
        if digits == 1 or (shorter and is_unpadded):
            joined.setdefault((head, tail, 1), []).extend(numbers)
        else:
            joined[head, tail, digits] = numbers
    return joined
