"""BrokerAddress: where the broker is, and how each library spells that. Pure."""

import re
from dataclasses import dataclass, field, replace
from typing import NoReturn
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlencode, urlsplit

from proxima.broker.tls_options import Options, checked, typed
from proxima.errors import BrokerAddressInvalid

#: Where Redis and Valkey listen unless told otherwise.
DEFAULT_PORT = 6379

_EXAMPLE = "redis://:PASSWORD@HOST:6379/0"
_TLS_EXAMPLE = "rediss://:PASSWORD@HOST:6379/0?ssl_ca_certs=/etc/ssl/farm.pem"
_SOCKET_EXAMPLE = "unix:///run/valkey/valkey.sock"
_ENCODE = (
    "inside a password, some characters are written as their code: "
    "%23 for #, %2F for /, %3A for :, %3F for ?, %40 for @"
)
_KINDS = {
    "redis": "tcp",
    "valkey": "tcp",
    "rediss": "tls",
    "valkeys": "tls",
    "unix": "socket",
    "redis+socket": "socket",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokerAddress:
    """Where a Redis or Valkey serves, and as whom we speak to it."""

    host: str = ""
    port: int = DEFAULT_PORT
    user: str = ""
    password: str = field(default="", repr=False)
    #: Number of the database on that server.
    database: int = 0
    is_tls: bool = False
    #: Path of a Unix socket; host and port then mean nothing.
    socket: str = ""
    #: Names and values of TLS options, as in the address.
    tls_options: Options = ()

    @classmethod
    def parse(cls, text: str) -> "BrokerAddress":
        """Read an address as people type it; BrokerAddressInvalid says what is wrong with it."""
        return _Reader(text.strip()).address()

    def at(self, host: str) -> "BrokerAddress":
        """The same server under another name of its machine."""
        return replace(self, host=host)

    @property
    def redis_url(self) -> str:
        """As redis-py reads it."""
        return self._url(quote(self.password, safe=""))

    @property
    def kombu_url(self) -> str:
        """As Kombu and Celery's result backend read it."""
        if self.socket:
            # Both take what follows the plus sign for the address of the socket.
            return self._socket_url("redis+socket", "virtual_host", quote(self.password, safe=""))
        return self.redis_url

    @property
    def shown(self) -> str:
        """For people: the password is not in it."""
        return self._url("*****" if self.password else "")

    @property
    def ssl_options(self) -> dict[str, object]:
        """The TLS options with their types, as keyword arguments of redis-py's SSLConnection."""
        return typed(self.tls_options)

    def _url(self, password: str) -> str:
        if self.socket:
            return self._socket_url("unix", "db", password)
        host = f"[{self.host.replace('%', '%25')}]" if ":" in self.host else quote(self.host)
        scheme = "rediss" if self.is_tls else "redis"
        query = f"?{urlencode(self.tls_options)}" if self.tls_options else ""
        return f"{scheme}://{self._login(password)}{host}:{self.port}/{self.database}{query}"

    def _socket_url(self, scheme: str, database_option: str, password: str) -> str:
        query = f"?{database_option}={self.database}" if self.database else ""
        return f"{scheme}://{self._login(password)}{quote(self.socket)}{query}"

    def _login(self, password: str) -> str:
        return f"{quote(self.user, safe='')}:{password}@" if password else ""


class _Reader:
    """Takes one address apart, and says what is wrong with it without showing its password."""

    def __init__(self, text: str) -> None:
        self._text = text

    def address(self) -> BrokerAddress:
        kind, parts = self._split()
        user, password = unquote(parts.username or ""), unquote(parts.password or "")
        if user and not password:
            self._refuse("it has a name but no password")
        options = dict(parse_qsl(parts.query, keep_blank_values=True))
        database = options.pop("db", options.pop("virtual_host", ""))
        if kind != "tls" and options:
            self._refuse(f"{', '.join(options)} is for encrypted connections", _TLS_EXAMPLE)
        is_socket = kind == "socket"
        return BrokerAddress(
            host="" if is_socket else self._host(parts),
            port=DEFAULT_PORT if is_socket else self._port(parts),
            socket=self._socket(parts) if is_socket else "",
            user=user,
            password=password,
            database=self._database(database or ("" if is_socket else parts.path.strip("/"))),
            is_tls=kind == "tls",
            tls_options=self._tls_options(options) if kind == "tls" else (),
        )

    def _split(self) -> tuple[str, SplitResult]:
        if not self._text:
            self._refuse("it is empty")
        if re.search(r"[\s\x00-\x1f\x7f]", self._text):
            self._refuse("it holds a blank; write %20 for one inside a password")
        scheme, mark, rest = self._text.partition("://")
        if not mark:
            self._refuse("it does not say how to connect", self._as_redis())
        if scheme.lower() not in _KINDS:
            self._refuse(f"Proxima connects to {', '.join(f'{kind}://' for kind in _KINDS)}")
        try:
            # Parsed as http: urlsplit treats unknown schemes differently between versions.
            parts = urlsplit(f"http://{rest}")
            _ = parts.port
        except ValueError as error:
            self._refuse(_complaint(error))
        if "#" in rest or "@" in parts.path + parts.query:
            self._refuse(_ENCODE)
        return _KINDS[scheme.lower()], parts

    def _as_redis(self) -> str:
        """The line that somebody meant who typed a bare host."""
        login, _, place = self._text.rpartition("@")
        host, _, port = place.partition(":")
        if not re.fullmatch(r"[\w.-]+", host) or not re.fullmatch(r"[0-9]*", port):
            return _EXAMPLE
        return f"redis://{':PASSWORD@' if login else ''}{host}:{port or DEFAULT_PORT}"

    def _host(self, parts: SplitResult) -> str:
        if not parts.hostname:
            self._refuse("it names no host", "redis://localhost:6379/0")
        return unquote(parts.hostname)

    def _port(self, parts: SplitResult) -> int:
        if parts.port == 0:
            self._refuse("a port is a number from 1 to 65535")
        return parts.port or DEFAULT_PORT

    def _socket(self, parts: SplitResult) -> str:
        path = unquote(parts.path)
        if parts.hostname or not path.strip("/"):
            self._refuse(
                "a socket is named by its whole path, after three slashes", _SOCKET_EXAMPLE
            )
        return path

    def _database(self, text: str) -> int:
        if not re.fullmatch(r"[0-9]{0,5}", text):
            self._refuse(f'a database is a number, not "{text}"')
        return int(text or 0)

    def _tls_options(self, options: dict[str, str]) -> Options:
        try:
            return checked(options)
        except ValueError as error:
            self._refuse(str(error), _TLS_EXAMPLE)

    def _refuse(self, why: str, example: str = _EXAMPLE) -> NoReturn:
        raise BrokerAddressInvalid(
            f'"{_masked(self._text)}" is not the address of a broker: {why} (write: {example})'
        )


def _masked(text: str) -> str:
    """*text* without what may be a password, however badly it is written."""
    scheme, mark, rest = text.partition("://") if "://" in text else ("", "", text)
    login, at, place = rest.rpartition("@")
    if at:
        return f"{scheme}{mark}{'*****' if login else ''}@{place}"
    # Somebody who forgot "@HOST" has a password where the port belongs.
    return f"{scheme}{mark}" + re.sub(r":(?![0-9]+(/|$))[^\]]*$", ":*****", place)


def _complaint(error: ValueError) -> str:
    """In our words: Python's own may quote the password."""
    if "port" in str(error).lower():
        return f"a port is a number from 1 to 65535; {_ENCODE}"
    return f"it cannot be taken apart; {_ENCODE}"
