"""Where an output goes and what it is called.

Each output has a *home*: without ``--output`` the folder of its source; with it, that folder and
below it as the source is below the common root of all arguments (see discover), so that clips of
one name from two cards stay apart. The layout says where at home it goes:

- *resolve*: into a folder ``Proxy``, where DaVinci Resolve looks for it.
- *premiere*: into a folder ``Proxies``, with ``_Proxy`` behind the name.
- *mirror*, *fcp*: just there; needs ``--output``.
- *flat*: into the folder of ``--output`` itself, wherever the source is.
- *auto*: *resolve* without ``--output``, *mirror* with it.

The name is the source's, byte for byte, with the extension of the preset instead of its last one;
that of an image sequence goes without its numbers, a spanned take has that of its first file.
"""

import itertools
import os
from collections.abc import Callable
from pathlib import Path

from proxima.composite import composite
from proxima.config.schema import Layout
from proxima.errors import FailureKind, JobFailed, UsageError
from proxima.printable import printable

#: Layouts that have a folder at the source's own: its name, and what is put behind names.
_BESIDE = {"resolve": ("Proxy", ""), "premiere": ("Proxies", "_Proxy")}
#: Bytes of a file name that every file system in use can hold.
NAME_MAX = 255


def destination(
    source: Path,
    *,
    common_root: Path,
    output: Path | None,
    extension: str,
    layout: Layout = "auto",
) -> Path:
    """The output of *source*; JobFailed if its name is too long. *extension* has its dot.

    UsageError if the layout needs an *output* folder.
    """
    if layout == "auto":
        layout = "mirror" if output else "resolve"
    if output is None:
        home = source.parent
        if layout not in _BESIDE:
            raise UsageError(f"layout {layout!r} needs a folder: add --output, or set output")
    else:
        home = output if layout == "flat" else output / source.parent.relative_to(common_root)
    folder, suffix = _BESIDE.get(layout, ("", ""))
    found = composite(source)
    stem = found.stem if found else source.stem
    return _checked(home / folder / f"{stem}{suffix}{extension}", source)


def free_name(output: Path, is_taken: Callable[[Path], bool]) -> Path:
    """*output* if it is free, else the first free one of ``name_1.mov``, ``name_2.mov``, ...

    JobFailed if the name would be too long.
    """
    numbered = (
        output.with_name(f"{output.stem}_{number}{output.suffix}") for number in itertools.count(1)
    )
    names = itertools.chain([output], (_checked(name, output) for name in numbered))
    return next(name for name in names if not is_taken(name))


def _checked(output: Path, source: Path) -> Path:
    length = len(os.fsencode(output.name))
    if length <= NAME_MAX:
        return output
    what = f"its output's name would be too long ({length} bytes, {NAME_MAX} can be)"
    raise JobFailed(
        FailureKind.PATH_REFUSED, f"{printable(source)}: {what}", "shorten the source's name"
    )
