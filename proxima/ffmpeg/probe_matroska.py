"""What PyAV does not tell of a Matroska file: that it was cut short, that it may be turned.

RFC 8794 for EBML's variable-length numbers, RFC 9559 for the elements.
"""

_EBML = b"\x1a\x45\xdf\xa3"
_SEGMENT = b"\x18\x53\x80\x67"
_CLUSTER = b"\x1f\x43\xb6\x75"
#: ProjectionPoseRoll; these two bytes may also stand there by chance.
_POSE_ROLL = b"\x76\x75"


def may_be_turned(head: bytes) -> bool:
    """Whether the first bytes of a file may hold a rotation."""
    return head.startswith(_EBML) and _POSE_ROLL in head.partition(_CLUSTER)[0]


def cut_off_bytes(head: bytes, size: int) -> int:
    """Bytes that a file of *size* bytes lacks by its own account; 0 for a live recording."""
    if not head.startswith(_EBML):
        return 0
    at, length = _number(head, len(_EBML))
    segment = at + length
    if not head.startswith(_SEGMENT, segment):
        return 0
    start, length = _number(head, segment + len(_SEGMENT))
    return max(start + length - size, 0)


def _number(data: bytes, at: int) -> tuple[int, int]:
    """A variable-length number and the position behind it; 0 where it says "unknown"."""
    first = data[at] if at < len(data) else 0
    width = 9 - first.bit_length()
    value = int.from_bytes(data[at : at + width], "big") & ((1 << 7 * width) - 1)
    return at + width, 0 if value == (1 << 7 * width) - 1 else value
