"""Webhook: an event that is posted to a URL, signed."""

import hashlib
import hmac
import time
import urllib.error
import urllib.request
from typing import Any

from proxima.errors import HandlingFailed
from proxima.event import Event
from proxima.hooks.event_text import json_text


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """What was signed for one place is not carried to another."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Webhook:
    """Posts the event as JSON to *url*."""

    def __init__(self, url: str, secret: str, timeout: float) -> None:
        """*timeout* is in seconds."""
        self._url, self._secret, self._timeout = url, secret, timeout
        self._opener = urllib.request.build_opener(_NoRedirect)

    def __call__(self, event: Event, count: int) -> None:
        """Handle the event; HandlingFailed unless the answer is 2xx."""
        body = json_text(event).encode()
        stamp = str(int(time.time()))
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "proxima",
            "Proxima-Event": event.id,
            "Proxima-Delivery": str(count),
            "Proxima-Timestamp": stamp,
            "Proxima-Signature": f"sha256={signature(self._secret, stamp, body)}",
        }
        # Only http and https: the config allows no other.
        request = urllib.request.Request(self._url, body, headers, method="POST")  # noqa: S310
        try:
            with self._opener.open(request, timeout=self._timeout):
                pass
        except urllib.error.HTTPError as error:
            error.close()
            raise HandlingFailed(f"the webhook answered {error.code}") from None
        except (OSError, ValueError) as error:
            reason = getattr(error, "reason", error)
            raise HandlingFailed(f"the webhook cannot be reached: {reason}") from None


def signature(secret: str, stamp: str, body: bytes) -> str:
    """HMAC-SHA256 of the time, a dot and the body, in hexadecimal digits (RFC 2104)."""
    return hmac.new(secret.encode(), stamp.encode() + b"." + body, hashlib.sha256).hexdigest()
