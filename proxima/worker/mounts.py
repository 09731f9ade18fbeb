"""Mounts: whether a path is missing, or the whole storage that it should be on."""

import os
from pathlib import Path

#: Folders below which systems mount their storage.
_PARENTS = frozenset(map(Path, ("/", "/mnt", "/media", "/run/media", "/net", "/Volumes")))
#: And those below which each user has his own folder of mounts.
_OF_USERS = frozenset(map(Path, ("/media", "/run/media")))


def is_mounted(path: Path, root: Path | None) -> bool:
    """Whether the storage of *path* seems to be there; *root* is that of its path map, if any."""
    if root:
        # A mount point where nothing is mounted is an empty folder.
        return not _is_empty(root)
    nearest = next((folder for folder in path.parents if folder.exists()), None)
    if nearest is None or nearest in _PARENTS or nearest.parent in _OF_USERS:
        return nearest == path.parent
    return nearest.parent not in _PARENTS or not _is_empty(nearest)


def _is_empty(folder: Path) -> bool:
    """Also of a folder that is not there."""
    try:
        with os.scandir(folder) as entries:
            return next(entries, None) is None
    except OSError:
        return True
