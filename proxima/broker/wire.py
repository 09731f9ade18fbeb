"""Domain values to and from JSON, with the protocol version; unknown versions are refused."""

from typing import TypeVar

import msgspec

from proxima.broker import keys
from proxima.errors import FailureKind, JobFailed

T = TypeVar("T")


class _Envelope(msgspec.Struct, frozen=True):
    protocol: int
    body: msgspec.Raw


def encode(value: object) -> bytes:
    """A value as versioned JSON. Names that are no UTF-8 survive as escaped bytes."""
    body = msgspec.json.encode(_escaped(msgspec.to_builtins(value)))
    return msgspec.json.encode(_Envelope(keys.PROTOCOL, msgspec.Raw(body)))


def decode(text: bytes, kind: type[T]) -> T:
    """The value in *text*; JobFailed if it is of another version or makes no sense."""
    try:
        envelope = msgspec.json.decode(text, type=_Envelope)
        check_protocol(envelope.protocol)
        return msgspec.convert(unescaped(msgspec.json.decode(envelope.body)), kind)
    except (msgspec.MsgspecError, ValueError) as error:
        raise JobFailed(
            FailureKind.MESSAGE_INVALID, f"not a {kind.__name__} of Proxima: {error}"
        ) from None


def check_protocol(protocol: object, who: str = "this Proxima") -> None:
    """JobFailed unless *protocol* is ours; it names *who* refuses."""
    if protocol != keys.PROTOCOL:
        raise JobFailed(
            FailureKind.PROTOCOL_MISMATCH,
            f"protocol {protocol!r} was sent, {who} speaks {keys.PROTOCOL}",
            "run the same version of Proxima on all machines",
        )


# JSON holds no lone surrogates, but file names that are not UTF-8 become such in Python.
_MARK = "\ufdd0"  # a noncharacter, never in a name


def _escaped(value: object) -> object:
    if isinstance(value, str):
        return value if value.isascii() or not _has_surrogates(value) else _MARK + _hex(value)
    if isinstance(value, dict):
        return {key: _escaped(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_escaped(item) for item in value]
    return value


def unescaped(value: object) -> object:
    """What was escaped by `encode`, as it was."""
    if isinstance(value, str):
        if not value.startswith(_MARK):
            return value
        return bytes.fromhex(value[1:]).decode("utf-8", "surrogateescape")
    if isinstance(value, dict):
        return {key: unescaped(item) for key, item in value.items()}
    if isinstance(value, list):
        return [unescaped(item) for item in value]
    return value


def _has_surrogates(text: str) -> bool:
    return any("\ud800" <= char <= "\udfff" for char in text)


def _hex(text: str) -> str:
    return text.encode("utf-8", "surrogateescape").hex()
