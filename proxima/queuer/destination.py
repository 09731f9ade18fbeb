"""Where an output goes and what it is called.

Without ``--output``: a folder ``Proxy`` beside the source, where editing programs look for it.
With it: below that folder as the source is below the common root of all arguments (see discover),
so that clips of one name from two cards stay apart. The name is the source's, byte for byte, with
the extension of the preset instead of its last one.
"""

import itertools
import os
from collections.abc import Callable
from pathlib import Path

from proxima.errors import FailureKind, JobFailed
from proxima.ffmpeg.refusal import printable

#: Bytes of a file name that every file system in use can hold.
NAME_MAX = 255


def destination(source: Path, *, common_root: Path, output: Path | None, extension: str) -> Path:
    """The output of *source*; JobFailed if its name is too long. *extension* has its dot."""
    folder = source.parent / "Proxy"
    if output is not None:
        folder = output / source.parent.relative_to(common_root)
    return _checked(folder / f"{source.stem}{extension}", source)


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
