"""The TLS options of a broker's address: which there are, and their types. Pure."""

import ssl
from collections.abc import Mapping

#: How the server's certificate is checked: Celery refuses an encrypted address without it.
CERT_REQS = {
    "required": ssl.CERT_REQUIRED,
    "optional": ssl.CERT_OPTIONAL,
    "none": ssl.CERT_NONE,
}
#: What redis-py, Kombu and Celery's backend all understand in an address.
KNOWN = ("ssl_cert_reqs", "ssl_ca_certs", "ssl_certfile", "ssl_keyfile", "ssl_check_hostname")

Options = tuple[tuple[str, str], ...]


def checked(given: Mapping[str, str]) -> Options:
    """The options in one spelling, ``ssl_cert_reqs`` among them; ValueError says what is wrong."""
    options = {"ssl_cert_reqs": "required"} | dict(given)
    return tuple((name, _checked(name, value)) for name, value in options.items())


def typed(options: Options) -> dict[str, object]:
    """As keyword arguments of redis-py's SSLConnection."""
    arguments: dict[str, object] = dict(options)
    for name, value in options:
        if name == "ssl_cert_reqs":
            arguments[name] = CERT_REQS[value]
        if name == "ssl_check_hostname":
            arguments[name] = value == "true"
    return arguments


def _checked(name: str, value: str) -> str:
    if name not in KNOWN:
        raise ValueError(f"it has an unknown option {name} (known: {', '.join(KNOWN)})")
    if name == "ssl_cert_reqs":
        word = value.lower().removeprefix("cert_")
        if word not in CERT_REQS:
            raise ValueError(f"{name} is one of {', '.join(CERT_REQS)}")
        return word
    if name == "ssl_check_hostname":
        if value.lower() not in {"true", "false"}:
            raise ValueError(f"{name} is true or false")
        return value.lower()
    # Celery's backend decodes these twice, Kombu once: no spelling of "%" suits both.
    if not value or "%" in value:
        raise ValueError(f"{name} is the path of a file, without a percent sign in it")
    return value
