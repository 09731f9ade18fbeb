"""The configuration of the server that we run, as its own file format. Pure.

The format: https://valkey.io/topics/valkey.conf/
"""

import os
from pathlib import Path

#: A minus sign: it is no error if the machine lacks IPv6.
_LOOPBACK = "127.0.0.1 -::1"
_ALL = "* -::*"


def server_config(*, folder: Path, port: int, password: str, lan: bool, persist: bool) -> str:
    """Text of the file. *lan* listens to other machines, *persist* keeps data on disk."""
    settings = {
        "bind": _ALL if lan else _LOOPBACK,
        "port": str(port),
        "protected-mode": "yes",
        "requirepass": quoted(password.encode()),
        "daemonize": "no",
        "dir": quoted(os.fsencode(folder)),
        # To standard output, where complaints about this very file go too.
        "logfile": '""',
        "loglevel": "notice",
        "appendonly": "yes" if persist else "no",
        "appendfsync": "everysec",
        # The append-only file is enough; a snapshot would need memory for a fork.
        "save": '""',
        # A lost key is a lost job: better to refuse new ones.
        "maxmemory-policy": "noeviction",
        "tcp-keepalive": "60",
        # Who has the password may use the farm, not take over this machine.
        "enable-debug-command": "no",
        "enable-module-command": "no",
        "enable-protected-configs": "no",
    }
    return "".join(f"{name} {value}\n" for name, value in settings.items())


def quoted(value: bytes) -> str:
    """*value* as one word of the file, whatever bytes it holds."""
    plain = range(0x20, 0x7F)
    return (
        '"'
        + "".join(
            chr(byte) if byte in plain and byte not in b'"\\' else f"\\x{byte:02x}"
            for byte in value
        )
        + '"'
    )
