"""Recordings that a camera wrote into several files, found by their times."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

from proxima.errors import SourceUnreadable
from proxima.ffmpeg.probe import probe_all
from proxima.media import MediaInfo
from proxima.queuer.discover import Discovery
from proxima.spanned_take import FRESH, SpannedTake

_Probed = MediaInfo | SourceUnreadable
#: Seconds that may lie between the end of a file and the start of the one that goes on.
_GAP = Fraction(1, 4)


def with_spans(found: Discovery) -> Discovery:
    """The same, with each spanned take in the place of its files.

    A file goes on in the next one by number if that one's pictures begin where its own end, by one
    clock, and the streams are the same.
    """
    takes = list(_takes(found.sources))
    if not takes:
        return found
    parts = {file: take for take in takes for file in take.files}
    sources = dict.fromkeys(parts[s].path if s in parts else s for s in found.sources)
    named = frozenset(parts[s].path if s in parts else s for s in found.named)
    return replace(found, sources=tuple(sources), named=named)


def _takes(sources: Sequence[Path]) -> Iterator[SpannedTake]:
    runs = list(_runs(sorted(s for s in sources if SpannedTake.is_part(s))))
    media = dict(probe_all([file for run in runs for file in run]))
    for run in runs:
        goes_on = [_goes_on(media[one], media[other]) for one, other in pairwise(run)]
        start = 0
        for place, joined in enumerate([*goes_on, False], start=1):
            if not joined:
                yield from _take(run[start:place])
                start = place


def _runs(files: Sequence[Path]) -> Iterator[list[Path]]:
    """Files of one folder with numbers that follow one another, at least two."""
    run: list[Path] = []
    for file in files:
        if run and file == run[-1].with_name(f"{int(run[-1].stem) + 1:05}{file.suffix}"):
            run.append(file)
            continue
        if len(run) > 1:
            yield run
        run = [file]
    if len(run) > 1:
        yield run


def _take(run: Sequence[Path]) -> Iterator[SpannedTake]:
    stems = tuple(file.stem for file in run)
    take = SpannedTake(folder=run[0].parent, stems=stems, tail=run[0].suffix)
    if len(run) > 1 and SpannedTake.of(take.path):
        yield take


def _goes_on(one: _Probed, other: _Probed) -> bool:
    """Whether *other* is the rest of what *one* begins."""
    if isinstance(one, SourceUnreadable) or isinstance(other, SourceUnreadable):
        return False
    before, after = one.picture, other.picture
    if not before or not after:
        return False
    if before.start is None or before.duration is None or after.start is None:
        return False
    is_next = abs(before.start + before.duration - after.start) <= _GAP
    return is_next and after.start > FRESH and _streams(one) == _streams(other)


def _streams(media: MediaInfo) -> tuple[object, ...]:
    pictures = ((v.codec, v.width, v.height) for v in media.video)
    return (*pictures, *((track.codec, track.channels) for track in media.sound))
