"""Who answers at a port, if it is not the broker that we meant."""

import socket
import ssl
from enum import StrEnum

#: Seconds for each step.
PATIENCE = 1.0
# A web server understands this as a request, Redis as a PING that it may refuse.
_GREETING = b"PING / HTTP/1.0\r\n\r\n"


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
    """Greet whoever listens there; takes about 2 seconds at most."""
    try:
        with socket.create_connection((host, port), timeout=PATIENCE) as connection:
            answer = _answer(connection)
    except OSError:
        return Stranger.NOBODY
    if answer is None:
        return Stranger.SILENT
    if not answer:
        return Stranger.TLS if _shakes_hands(host, port) else Stranger.SILENT
    if answer.startswith((b"+", b"-")):
        return Stranger.REDIS
    return Stranger.WEB if answer.startswith((b"HTTP/", b"<")) else Stranger.OTHER


def _answer(connection: socket.socket) -> bytes | None:
    """What it says to our greeting; empty if it hangs up, None if it stays silent."""
    try:
        connection.sendall(_GREETING)
        return connection.recv(16)
    except TimeoutError:
        return None
    except OSError:
        return b""


def _shakes_hands(host: str, port: int) -> bool:
    """Whether it speaks TLS: nothing is sent but the handshake, and nobody is trusted."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    try:
        with (
            socket.create_connection((host, port), timeout=PATIENCE) as connection,
            context.wrap_socket(connection, server_hostname=host),
        ):
            return True
    except OSError:
        return False
