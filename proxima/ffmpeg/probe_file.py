"""What a file says of itself before any demuxer sees it: its kind, size and first bytes."""

import stat
from pathlib import Path

from proxima.errors import FailureKind, SourceUnreadable
from proxima.ffmpeg.refusal import refusal, system_refusal
from proxima.ffmpeg.unsupported import raw_or_heic, still_picture, text_file

#: Enough to tell text from media, and zeros that were never written from a late start.
_HEAD_BYTES = 65536
#: Begins every AppleDouble file (RFC 1740, appendix B).
_APPLEDOUBLE = bytes.fromhex("00051607")
#: Boxes that stand at the start of a QuickTime or MP4 file.
_QUICKTIME = {b"ftyp", b"wide", b"mdat", b"free", b"skip", b"moov", b"pnot"}


def file_size(path: Path) -> int:
    """Bytes of a regular file that is not empty; SourceUnreadable if it is none.

    Pipes and devices are never opened: that would wait for ever.
    """
    try:
        status = path.stat()
    except OSError as error:
        raise system_refusal(path, error) from error
    except ValueError as error:
        raise refusal(path, FailureKind.SOURCE_MISSING, "no file has such a name") from error
    if stat.S_ISDIR(status.st_mode):
        raise _folder(path)
    if not stat.S_ISREG(status.st_mode):
        what = "a pipe, socket or device, not a media file"
        raise refusal(path, FailureKind.SOURCE_UNSUPPORTED, what, "leave it out")
    if status.st_size == 0:
        raise refusal(path, FailureKind.SOURCE_DAMAGED, "file is empty", "copy it again")
    return status.st_size


def file_head(path: Path) -> bytes:
    """The first bytes of a file that may hold media; SourceUnreadable if it cannot."""
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES)
    except OSError as error:
        raise system_refusal(path, error) from error
    if head.startswith(_APPLEDOUBLE):
        what = f"not a clip, only what macOS noted about {path.name.removeprefix('._')}"
        raise refusal(path, FailureKind.SOURCE_UNSUPPORTED, what, "leave it out")
    if known := raw_or_heic(path, head):
        raise refusal(path, FailureKind.SOURCE_UNSUPPORTED, known.what, known.remedy)
    if not any(head):
        what = "holds only zeros: it was reserved, but never written"
        raise refusal(path, FailureKind.SOURCE_DAMAGED, what, "copy it again")
    return head


def why_unopened(path: Path, head: bytes, *, has_moov: bool) -> SourceUnreadable:
    """The reason that no demuxer could make anything of a file."""
    if head[4:8] in _QUICKTIME and not has_moov:
        what = "incomplete file (moov atom not found)"
        hint = "copy it again; if the recorder lost power, repair it first"
        return refusal(path, FailureKind.SOURCE_DAMAGED, what, hint)
    if known := text_file(head) or still_picture(head):
        return refusal(path, FailureKind.SOURCE_UNSUPPORTED, known.what, known.remedy)
    what = "not a media file that ffmpeg knows, or damaged at its start"
    return refusal(path, FailureKind.SOURCE_DAMAGED, what, "play it, or copy it again")


def _folder(path: Path) -> SourceUnreadable:
    if known := raw_or_heic(path, b""):
        return refusal(path, FailureKind.SOURCE_UNSUPPORTED, known.what, known.remedy)
    return refusal(path, FailureKind.SOURCE_UNSUITABLE, "a folder, not a clip")
