"""Damage: what ffmpeg's log says of a source that could not be decoded whole.

ffmpeg conceals what it can, and ends as if nothing had been. Three things are told apart:

- pieces that were lost or concealed, as ffmpeg itself says of each picture and packet of sound;
- pictures before the first whole one, as where a recording begins between two key frames;
- complaints of decoders. Some codecs (FFV1, MJPEG, HEVC) say no more of broken pictures, but
  others complain of healthy files, too: they are no proof.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from proxima.job import JobWarning

_PIECE = re.compile(r"\[(?P<kind>[va])ist#.*\] (?:corrupt decoded frame|Error submitting packet)")
#: The demuxer knows that a packet is broken before any decoder does.
_PACKET = re.compile(r"\[in#.*\] corrupt input packet")
_COMPLAINT = re.compile(r"\[(?P<who>\w+) @ \w+\] \[error\] (?P<text>.*)")
#: Before it, ffmpeg only looks at the source: the same complaints come again.
_BEGIN = re.compile(r"(?:\[info\] )?Stream mapping:")
_OUTPUT = re.compile(r"(?:\[info\] )?Output #0,")
_REPEATED = re.compile(r"\s*Last message repeated (\d+) times")
_RESIZED = re.compile(
    r"Reconfiguring filter graph because video parameters changed to .*?(\d+x\d+)"
)
_LONGEST = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Damage:
    """How much was lost; nothing by default."""

    #: Pictures and pieces of sound that could not be decoded whole.
    pictures: int = 0
    sounds: int = 0
    #: Pictures before the first whole one; not among *pictures*.
    early: int = 0
    #: Lines in which a decoder or demuxer complains, and the first of them.
    complaints: int = 0
    complaint: str = ""
    #: Sizes to which the picture changes on the way: "160x120".
    sizes: tuple[str, ...] = ()

    @property
    def is_serious(self) -> bool:
        """Whether something is lost inside of the output.

        One piece of sound may be the end of a recording that was cut anywhere, or a tag behind it.
        """
        return self.pictures > 0 or self.sounds > 1

    @property
    def warnings(self) -> tuple[JobWarning, ...]:
        """One for each kind of loss."""
        return tuple(self._told())

    def _told(self) -> Iterator[JobWarning]:
        if self.pictures:
            yield _warning("picture_damaged", f"damaged pictures in the source: {self.pictures}")
        if self.sounds:
            yield _warning("sound_damaged", f"damaged pieces of sound in the source: {self.sounds}")
        if self.early:
            yield _warning(
                "start_damaged", f"damaged pictures before the first whole one: {self.early}"
            )
        if self.complaints:
            yield _warning("decode_errors", f"decoder errors: {self.complaints} ({self.complaint})")
        if self.sizes:
            sizes = ", ".join(self.sizes)
            yield _warning("size_changes", f"the picture changes to {sizes}; it was scaled back")


def damage(log: Path, codecs: Sequence[str] = ()) -> Damage:
    """Read the last run in a log; complaints count if they are of *codecs*. OSError."""
    count = _Count(codecs=frozenset(codecs))
    with log.open(encoding="utf-8", errors="replace") as lines:
        count.read(lines)
    return Damage(
        pictures=count.pictures,
        sounds=count.sounds,
        early=count.early,
        complaints=count.complaints,
        complaint=count.complaint,
        sizes=tuple(dict.fromkeys(count.sizes)),
    )


@dataclass(slots=True, kw_only=True)
class _Count:
    """The counts so far."""

    codecs: frozenset[str]
    pictures: int = 0
    sounds: int = 0
    early: int = 0
    complaints: int = 0
    complaint: str = ""
    sizes: list[str] = field(default_factory=list)
    _has_output: bool = False

    def read(self, lines: Iterable[str]) -> None:
        """Take every line of a log."""
        last = ""
        for line in lines:
            repeated = _REPEATED.match(line)
            times = int(repeated[1]) if repeated else 1
            last = last if repeated else self._kind(line)
            match last:
                case "v" if self._has_output:
                    self.pictures += times
                case "v":
                    self.early += times
                case "a":
                    self.sounds += times
                case "c":
                    self.complaints += times

    def _restart(self) -> None:
        """Forget what was said of an earlier run, or while ffmpeg only looked at the source."""
        self.pictures = self.sounds = self.early = self.complaints = 0
        self.complaint = ""
        self.sizes.clear()
        self._has_output = False

    def _kind(self, line: str) -> str:
        """A letter for what is damaged; "c" for a complaint."""
        if _OUTPUT.match(line):
            self._has_output = True
        if _BEGIN.match(line):
            self._restart()
        if resized := _RESIZED.search(line):
            self.sizes.append(resized[1])
        if found := _PIECE.match(line):
            return found["kind"]
        complaint = _COMPLAINT.match(line)
        is_meant = bool(complaint and complaint["who"].removeprefix("lib") in self.codecs)
        if is_meant or _PACKET.match(line):
            text = complaint["text"] if complaint else "corrupt packet"
            self.complaint = self.complaint or _printable(text)
            return "c"
        return ""


def _printable(text: str) -> str:
    return "".join(c if c.isprintable() else " " for c in text).strip()[:_LONGEST]


def _warning(code: str, message: str) -> JobWarning:
    return JobWarning(code=code, message=message)
