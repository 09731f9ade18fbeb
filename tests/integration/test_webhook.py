"""Events that are posted to an address."""

import hashlib
import hmac
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from proxima.errors import HandlingFailed
from proxima.event import Event
from proxima.hooks.webhook import Webhook

EVENT = Event(version=1, id="5-0", type="job.failed", time=1.0, job="abcdefgh-00001")


@pytest.fixture
def server() -> Iterator[Any]:
    """Answers as its ``answer`` says; remembers what came."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            self.server.got.append((dict(self.headers), self.rfile.read(length)))  # type: ignore[attr-defined]
            self.send_response(self.server.answer)  # type: ignore[attr-defined]
            self.send_header("Location", "http://127.0.0.1:9/elsewhere")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    found: Any = HTTPServer(("127.0.0.1", 0), Handler)
    found.got, found.answer = [], 204
    thread = threading.Thread(target=found.serve_forever, daemon=True)
    thread.start()
    yield found
    found.shutdown()
    found.server_close()


def webhook(server: Any) -> Webhook:
    return Webhook(f"http://127.0.0.1:{server.server_port}/hook", "secret", 10)


def test_the_event_comes_signed(server: Any) -> None:
    webhook(server)(EVENT, 2)
    ((headers, body),) = server.got
    assert json.loads(body)["job"] == "abcdefgh-00001"
    assert headers["Proxima-Delivery"] == "2"
    text = headers["Proxima-Timestamp"].encode() + b"." + body
    expected = hmac.new(b"secret", text, hashlib.sha256).hexdigest()
    assert headers["Proxima-Signature"] == f"sha256={expected}"


@pytest.mark.parametrize("answer", [500, 404, 302])
def test_any_other_answer_is_a_failure(server: Any, answer: int) -> None:
    server.answer = answer
    with pytest.raises(HandlingFailed, match=f"answered {answer}"):
        webhook(server)(EVENT, 1)


def test_an_address_where_nobody_answers_is_a_failure() -> None:
    with pytest.raises(HandlingFailed, match="cannot be reached"):
        Webhook("http://127.0.0.1:9/", "secret", 5)(EVENT, 1)
