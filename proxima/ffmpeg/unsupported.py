"""Formats that ffmpeg cannot decode: camera RAW, stills, playlists; how each is known."""

from dataclasses import dataclass
from pathlib import Path

_RESOLVE = "make proxies of it in DaVinci Resolve"
_STILL = "Proxima transcodes clips; make one of an image sequence first"


@dataclass(frozen=True, slots=True)
class Unsupported:
    """What a file is, and what to do with it."""

    what: str
    remedy: str


def _camera_raw(name: str, remedy: str = _RESOLVE) -> Unsupported:
    return Unsupported(f"camera RAW ({name}) is not supported", remedy)


_RED = _camera_raw("R3D", f"{_RESOLVE} or REDCINE-X PRO")
_BRAW = _camera_raw("BRAW", f"{_RESOLVE} or Blackmagic Proxy Generator")
_ARRIRAW = _camera_raw("ARRIRAW", f"{_RESOLVE} or ARRI Reference Tool")
_CRM = _camera_raw("Canon CRM", f"{_RESOLVE} or Cinema RAW Development")
_STILL_PICTURE = Unsupported("a still picture, not a clip", _STILL)
_HEIC = Unsupported("a still picture (HEIC), not a clip", _STILL)

_SUFFIXES = {
    ".r3d": _RED,
    ".rdc": _RED,
    ".rmd": _RED,
    ".braw": _BRAW,
    ".ari": _ARRIRAW,
    ".arx": _ARRIRAW,
    ".crm": _CRM,
    ".rmf": _CRM,
    ".nev": _camera_raw("N-RAW"),
    ".dng": _camera_raw("CinemaDNG"),
    ".heic": _HEIC,
    ".heif": _HEIC,
    ".hif": _HEIC,
}
#: First bytes, for files that carry another name.
_MAGIC = (
    (0, b"ARRI", _ARRIRAW),
    (4, b"RED1", _RED),
    (4, b"RED2", _RED),
    (4, b"ftypcrx ", _CRM),
    *((4, b"ftyp" + brand, _HEIC) for brand in (b"heic", b"heix", b"mif1", b"heim", b"heis")),
    (4, b"ftypavif", _STILL_PICTURE),
)
#: Looked at only when no demuxer takes the file: some of these bytes are ambiguous.
_STILLS = (
    *((0, magic, _STILL_PICTURE) for magic in (b"\xff\xd8\xff", b"\x89PNG\r\n", b"BM", b"8BPS")),
    *((0, magic, _STILL_PICTURE) for magic in (b"II*\0", b"MM\0*", b"SDPX", b"XPDS")),
    (0, b"\x76\x2f\x31\x01", _STILL_PICTURE),
    (8, b"WEBP", _STILL_PICTURE),
)
_TEXTS = (
    ("#extm3u", "a playlist (HLS)"),
    ("ffconcat", "a list of files (ffconcat)"),
    ("v=0", "a description of a network stream (SDP)"),
    ("<!doctype html", "a web page"),
    ("<html", "a web page"),
    ("<mpd", "a playlist (DASH)"),
    ("<?xml", "XML"),
)
#: Sample descriptions of QuickTime files, by how they begin.
_FOURCCS = {"br": _BRAW, "CRAW": _CRM, "R3D": _RED}


def raw_or_heic(path: Path, head: bytes) -> Unsupported | None:
    """What a file is by its name or first bytes, if ffmpeg has no decoder for such files."""
    return _SUFFIXES.get(path.suffix.lower()) or _by_magic(_MAGIC, head)


def still_picture(head: bytes) -> Unsupported | None:
    """What a file is by its first bytes, if it is a still picture."""
    return _by_magic(_STILLS, head)


def text_file(head: bytes) -> Unsupported | None:
    """What a file is by its first bytes, if they are text."""
    text = _decoded(head)
    if text is None or not all(c.isprintable() or c.isspace() for c in text):
        return None
    begin = text.lstrip("\ufeff\r\n\t ").lower()
    kind = next((kind for start, kind in _TEXTS if begin.startswith(start)), "text")
    return Unsupported(f"{kind}, not a media file", "queue the media files themselves")


def _decoded(head: bytes) -> str | None:
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return head.decode("utf-16", "replace")
    try:
        return head.decode()
    except UnicodeDecodeError as error:
        # The head may end in the middle of a character.
        return head[: error.start].decode() if error.start > len(head) - 4 else None


def undecodable_picture(codec: str) -> Unsupported:
    """What to say of a picture whose codec (a fourcc) has no decoder."""
    for start, known in _FOURCCS.items():
        if codec.startswith(start):
            return known
    if codec in ENCRYPTED:
        return Unsupported("the picture is encrypted", "ask for a copy without protection")
    return Unsupported(
        f"there is no decoder for its picture (codec {codec!r})",
        "convert it with the camera maker's program",
    )


#: Sample descriptions of protected tracks (ISO/IEC 14496-12 8.12, and Apple's).
ENCRYPTED = frozenset({"encv", "enca", "drmi", "drms"})


def _by_magic(table: tuple[tuple[int, bytes, Unsupported], ...], head: bytes) -> Unsupported | None:
    return next((u for at, magic, u in table if head.startswith(magic, at)), None)
