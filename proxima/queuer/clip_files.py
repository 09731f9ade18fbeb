"""Clips of which picture and sound are files of their own, as OP-Atom MXF has them."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from proxima.errors import SourceUnreadable
from proxima.media import MediaInfo
from proxima.queuer.natural_order import natural_key


def clips_in_files(
    probed: Mapping[Path, MediaInfo | SourceUnreadable],
) -> Iterator[tuple[Path, tuple[Path, ...]]]:
    """Each picture with the files of its sound, in natural order.

    They belong together by the package that the camera wrote into all of them. Where two pictures
    claim one, nothing is joined.
    """
    groups: dict[str, list[Path]] = {}
    for path, media in probed.items():
        if isinstance(media, MediaInfo) and media.clip_id:
            groups.setdefault(media.clip_id, []).append(path)
    for files in groups.values():
        pictures = [file for file in files if _has_picture(probed[file])]
        sounds = [file for file in files if file not in pictures]
        if len(pictures) == 1 and sounds:
            yield pictures[0], tuple(sorted(sounds, key=natural_key))


def _has_picture(media: MediaInfo | SourceUnreadable) -> bool:
    return isinstance(media, MediaInfo) and media.picture is not None
