"""Secrets in addresses: nothing that is shown may hold a password."""

import re

MASK = "*****"
_LOGIN = re.compile(r"(://[^:@/\s]*:)(.+)@", re.DOTALL)
_OPTION = re.compile(r"([?&;](?:password|passwd|pass|pwd)=)[^&;#\s]*", re.IGNORECASE)
#: Somebody who forgot "@HOST" has a password where the port belongs.
_PORT = re.compile(r"(://[^@/\s]*:)(?![0-9]+(?:[/?#]|$))[^\]@]+$")


def masked(text: str) -> str:
    """*text* with its passwords as ``*****``, however badly the address is written."""
    text = _OPTION.sub(rf"\1{MASK}", _LOGIN.sub(rf"\1{MASK}@", text))
    return _PORT.sub(rf"\1{MASK}", text)
