"""Which roots the path maps of the config may have."""

from collections.abc import Iterable, Iterator

from proxima.config.fault import Fault, shown
from proxima.paths import PathMap, Place, Platform, place

_PLATFORMS: tuple[Platform, ...] = ("linux", "macos", "windows")
_FORMS = {
    "linux": 'an absolute path such as "/mnt/media"',
    "macos": 'an absolute path such as "/Volumes/Media"',
    "windows": r"a drive or a share such as 'M:\' or '\\server\media'",
}


def path_faults(maps: Iterable[tuple[int, PathMap]]) -> Iterator[Fault]:
    """Names and roots that cannot be told apart, and roots that are none.

    *maps* are the entries that are good in themselves, each with its number.
    """
    seen: dict[object, str] = {}
    for number, entry in maps:
        if entry.name.lower() in seen:
            yield Fault(("paths", number, "name"), f"found {entry.name} again; allowed: once")
        seen[entry.name.lower()] = entry.name
        roots = _roots(entry)
        if not roots:
            text = f"found no root; allowed: at least one of {', '.join(_PLATFORMS)}, hosts"
            yield Fault(("paths", number), text)
        for where, (root, found, form) in roots.items():
            if found is None or ".." in found.names:
                yield Fault(("paths", number, *where), f"found {shown(root)}; allowed: {form}")
            elif other := seen.get((where, found)):
                text = f"found {shown(root)}, the root of {other}; allowed: another folder"
                yield Fault(("paths", number, *where), text)
            seen[where, found] = entry.name


def _roots(entry: PathMap) -> dict[tuple[str, ...], tuple[str, Place | None, str]]:
    """Each root by its key: as it is spelled, taken apart, and what would be right."""
    roots: dict[tuple[str, ...], tuple[str, Place | None, str]] = {}
    for platform in _PLATFORMS:
        if root := getattr(entry, platform):
            roots[(platform,)] = (root, place(root, platform), _FORMS[platform])
    for host, root in entry.hosts.items():
        # The config does not say what runs on that host.
        found = place(root, "linux") or place(root, "windows")
        roots["hosts", host] = (root, found, f"{_FORMS['linux']} or {_FORMS['windows']}")
    return roots
