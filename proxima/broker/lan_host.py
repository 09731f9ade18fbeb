"""The name by which other machines reach this one."""

import ipaddress
import socket

# An address for documentation (TEST-NET-1, RFC 5737): nothing is there.
_ELSEWHERE = ("192.0.2.1", 9)


def lan_host() -> str:
    """Address of this machine in its network, else its name. Nothing is sent."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            # Of a datagram socket, connecting only chooses the way out.
            probe.connect(_ELSEWHERE)
            address = str(probe.getsockname()[0])
    except OSError:
        return socket.gethostname()
    is_ours = ipaddress.ip_address(address).is_loopback or address == "0.0.0.0"  # noqa: S104
    return socket.gethostname() if is_ours else address
