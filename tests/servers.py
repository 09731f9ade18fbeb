"""Throw-away servers for tests: real brokers, doors in front of them, and strangers."""

import contextlib
import re
import shutil
import socket
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from proxima.broker.address import BrokerAddress
from proxima.broker.embedded import EmbeddedServer

PASSWORD = "test-password"


def start_server(folder: Path, **options: Any) -> EmbeddedServer:
    """Start a real broker on a free port of this machine; the caller stops it."""
    return EmbeddedServer.start(
        folder=folder, **({"password": PASSWORD, "persist": False} | options)
    )


def free_port() -> int:
    """A port where nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


@contextlib.contextmanager
def answering(answer: Callable[[bytes], bytes]) -> Iterator[int]:
    """A server whose answer to what it hears is *answer*; hangs up after an empty one. Its port."""

    def serve(connection: socket.socket) -> None:
        while heard := connection.recv(65536):
            said = answer(heard)
            if not said:
                break
            connection.sendall(said)

    with socket.create_server(("127.0.0.1", 0)) as listener, _served(listener, serve):
        yield listener.getsockname()[1]


def redis_of(answers: dict[str, bytes]) -> Callable[[bytes], bytes]:
    """An answer for `answering`: by the name of each command, or else +OK."""
    known = {"PING": b"+PONG\r\n"} | answers

    def answer(heard: bytes) -> bytes:
        names = re.findall(rb"\*\d+\r\n\$\d+\r\n(\w+)\r\n", heard)
        return b"".join(known.get(name.decode().upper(), b"+OK\r\n") for name in names)

    return answer


def bulk(text: str) -> bytes:
    """A bulk string of the Redis protocol."""
    return b"$%d\r\n%s\r\n" % (len(text.encode()), text.encode())


@contextlib.contextmanager
def front_door(
    listener: socket.socket, behind: BrokerAddress, tls: ssl.SSLContext | None = None
) -> Iterator[None]:
    """Pass what comes to *listener* on to a broker, and its answers back."""

    def serve(connection: socket.socket) -> None:
        front = tls.wrap_socket(connection, server_side=True) if tls else connection
        with front, socket.create_connection((behind.host, behind.port)) as broker:
            back = threading.Thread(target=_copy, args=(broker, front), daemon=True)
            back.start()
            _copy(front, broker)
            back.join()

    with listener, _served(listener, serve):
        yield


def certificate(folder: Path) -> tuple[Path, ssl.SSLContext]:
    """A new certificate for localhost, and a server's context with it."""
    openssl = shutil.which("openssl")
    assert openssl, "these tests need the openssl command"
    key, cert = folder / "key.pem", folder / "cert.pem"
    subprocess.run(
        [
            *(openssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"),
            *("-nodes", "-days", "2", "-subj", "/CN=localhost"),
            *("-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"),
            *("-keyout", str(key), "-out", str(cert)),
        ],
        check=True,
        capture_output=True,
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    return cert, context


@contextlib.contextmanager
def _served(listener: socket.socket, serve: Callable[[socket.socket], None]) -> Iterator[None]:
    """Serve each connection in a thread until the block ends."""
    connections: list[socket.socket] = []

    def one(connection: socket.socket) -> None:
        with contextlib.suppress(OSError), connection:
            serve(connection)

    def accept() -> None:
        with contextlib.suppress(OSError):
            while True:
                connections.append(listener.accept()[0])
                threading.Thread(target=one, args=(connections[-1],), daemon=True).start()

    thread = threading.Thread(target=accept, daemon=True)
    thread.start()
    try:
        yield
    finally:
        # Closing alone does not wake accept() up.
        with contextlib.suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        for connection in connections:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        thread.join()


def _copy(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
    for end in (source, target):
        with contextlib.suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
