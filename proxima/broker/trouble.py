"""What an error of redis-py means to the user: one message, with what to do."""

import contextlib
import socket
import ssl
from collections.abc import Iterator
from dataclasses import replace

from redis import exceptions

from proxima.broker.address import BrokerAddress
from proxima.errors import (
    BrokerAddressInvalid,
    BrokerError,
    BrokerPasswordWrong,
    BrokerUnfit,
    BrokerUnreachable,
)

_FULL = "its memory is full (raise its maxmemory)"
_REPLICA = "it is a read-only replica (name its primary in the address)"
_CLUSTER = "it is a cluster (name a single server in the address)"
_DISK = "it cannot write to its disk (see its log; is the disk full?)"
_LOADING = "it still loads its data (try again in a moment)"
_PROTECTED = "it takes no connections from other machines (set its requirepass)"


@contextlib.contextmanager
def translated(address: BrokerAddress) -> Iterator[None]:
    """Turn errors of redis-py, and Kombu's around them, into a BrokerError about *address*.

    What is no trouble of the broker, such as an error in a script, passes unchanged.
    """
    try:
        yield
    except Exception as error:
        explained = _explained(_of_redis(error), address)
        if explained is None:
            raise
        raise explained from error


def _of_redis(error: BaseException) -> exceptions.RedisError | None:
    """The error of redis-py in *error*: Kombu wraps it."""
    if isinstance(error, exceptions.RedisError):
        return error
    is_kombu = type(error).__module__.startswith("kombu.")
    return _of_redis(error.__cause__) if is_kombu and error.__cause__ else None


def _explained(error: exceptions.RedisError | None, address: BrokerAddress) -> BrokerError | None:
    match error:
        case exceptions.AuthenticationError():
            return _login_refused(str(error), address)
        case exceptions.NoPermissionError():
            return BrokerPasswordWrong(
                f"the broker at {address.shown} does not let its user "
                f'"{address.user or "default"}" do what Proxima needs: {error} '
                "(give it all rights: ACL SETUSER NAME ~* &* +@all)"
            )
        case exceptions.InvalidResponse():
            return BrokerUnreachable(
                f"what answers at {address.shown} is no Redis or Valkey (check host and port)"
            )
        case exceptions.ResponseError() | exceptions.BusyLoadingError():
            return _refused(error, address)
        case exceptions.ConnectionError() | exceptions.TimeoutError():
            return BrokerUnreachable(_no_connection(error, address))
    return None


def _login_refused(text: str, address: BrokerAddress) -> BrokerPasswordWrong:
    where = f"the broker at {address.shown}"
    if "without any password" in text or "no password is set" in text:
        return BrokerPasswordWrong(f"{where} has no password (leave it out of the address)")
    if not address.password:
        with_password = replace(address, password="*").shown.replace("*****", "PASSWORD")  # noqa: S106 - no secret
        return BrokerPasswordWrong(f"{where} asks for a password (write: {with_password})")
    name = f' of user "{address.user}"' if address.user else ""
    return BrokerPasswordWrong(
        f"{where} refuses the password{name} "
        "(compare it with the line that `proxima broker` printed, or with its requirepass)"
    )


def _refused(error: exceptions.RedisError, address: BrokerAddress) -> BrokerError | None:
    where = f"the broker at {address.shown} cannot serve"
    match error:
        case exceptions.BusyLoadingError():
            return BrokerUnreachable(f"{where}: {_LOADING}")
        case exceptions.OutOfMemoryError():
            return BrokerUnfit(f"{where}: {_FULL}")
        case exceptions.ReadOnlyError() | exceptions.MasterDownError():
            return BrokerUnfit(f"{where}: {_REPLICA}")
        case exceptions.ClusterError() | exceptions.MovedError() | exceptions.AskError():
            return BrokerUnfit(f"{where}: {_CLUSTER}")
    return _refused_by_text(str(error), address, where)


def _refused_by_text(text: str, address: BrokerAddress, where: str) -> BrokerError | None:
    """Refusals for which redis-py has no class of their own."""
    if text.startswith("MISCONF"):
        return BrokerUnfit(f"{where}: {_DISK}")
    if text.startswith("DENIED"):
        return BrokerUnreachable(f"{where}: {_PROTECTED}")
    if "DB index" in text:
        return BrokerAddressInvalid(
            f"{where}: it has no database {address.database} (end the address with /0)"
        )
    return None


def _no_connection(error: exceptions.RedisError, address: BrokerAddress) -> str:
    """What is between us and the broker, by the error of the system below redis-py's."""
    where = f"the broker at {address.shown}"
    text = f"{where} cannot be reached: {str(error).rstrip('.')} (is it running?)"
    match error.__context__:
        case ssl.SSLError() as cause:
            text = _no_encryption(cause, where)
        case socket.gaierror():
            text = f"{where} is not found: no machine is called {address.host} (check its name)"
        case ConnectionRefusedError():
            text = f"nobody serves at {address.shown} (is it running? start: proxima broker --lan)"
        case FileNotFoundError():
            text = f"there is no socket {address.socket} (is its server running?)"
        case PermissionError():
            text = f"you may not open the socket {address.socket} (see its unixsocketperm)"
        case _ if isinstance(error, exceptions.TimeoutError):
            text = f"{where} does not answer (is that machine on, and its port open?)"
        case _ if "max number of clients" in str(error):
            text = f"{where} takes no more connections (raise its maxclients)"
    return text


def _no_encryption(cause: ssl.SSLError, where: str) -> str:
    if isinstance(cause, ssl.SSLCertVerificationError):
        return (
            f"{where} shows a certificate that is not trusted: {cause.verify_message} "
            "(name the file of its authority in the address: ?ssl_ca_certs=FILE)"
        )
    return (
        f"{where} does not answer encrypted: {cause.reason or cause} "
        "(if it is not encrypted, write redis:// in place of rediss://)"
    )
