"""Who answers at a port, if it is not the broker that we meant."""

import socket
from enum import StrEnum

#: Seconds for each step.
PATIENCE = 1.0
# A web server understands this as a request, Redis as a PING that it may refuse.
_GREETING = b"PING / HTTP/1.0\r\n\r\n"
_TLS_ALERT = b"\x15\x03"


class Stranger(StrEnum):
    """What can listen at a port."""

    NOBODY = "nobody"
    REDIS = "a Redis or Valkey"
    WEB = "a web server"
    TLS = "a server that speaks only TLS"
    #: It takes the connection, and then says nothing or hangs up.
    SILENT = "a program that does not answer"
    OTHER = "another program"


def who_answers(host: str, port: int) -> Stranger:
    """Greet whoever listens there; takes 2 seconds at most for each of the host's addresses."""
    try:
        with socket.create_connection((host, port), timeout=PATIENCE) as connection:
            return _heard(connection)
    except OSError:
        return Stranger.NOBODY


def _heard(connection: socket.socket) -> Stranger:
    try:
        connection.sendall(_GREETING)
        answer = connection.recv(16)
    except OSError:
        return Stranger.SILENT
    if not answer:
        return Stranger.SILENT
    if answer.startswith((b"+", b"-")):
        return Stranger.REDIS
    if answer.startswith(_TLS_ALERT):
        return Stranger.TLS
    if answer.startswith((b"HTTP/", b"<")):
        return Stranger.WEB
    return Stranger.OTHER
