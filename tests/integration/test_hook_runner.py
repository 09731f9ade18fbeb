"""Hooks of the config at work."""

import threading
import time

import pytest

from proxima.broker import keys
from proxima.config.hook_rules import HookRules
from proxima.errors import UsageError
from proxima.hooks.hook_runner import consumer_of


def put(client, kind):
    fields = {"version": "1", "type": kind, "time": "1.0", "host": "edit1"}
    client.xadd(keys.EVENTS, fields)


def test_a_hook_runs_its_command_for_the_events_it_wants(address, client, tmp_path):
    told = tmp_path / "told"
    command = ("/bin/sh", "-c", f"cat >> {told}")
    hook = HookRules(name="tell", events=("worker.*",), command=command)
    runner = consumer_of(hook, client, address, consumer="one", local=str, tell=lambda _: None)
    thread = threading.Thread(target=runner.run, args=("0",), daemon=True)
    thread.start()
    for kind in ("worker.up", "batch.queued", "worker.down"):
        put(client, kind)
    deadline = time.monotonic() + 60
    while not (told.exists() and '"worker.down"' in told.read_text()):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    runner.stop()
    thread.join(30)
    assert '"worker.up"' in told.read_text()
    assert "batch.queued" not in told.read_text()


def test_a_webhook_without_its_secret_is_not_begun(address, client, monkeypatch):
    monkeypatch.delenv("PROXIMA_HOOK_SECRET", raising=False)
    hook = HookRules(name="web", events=("*",), webhook="http://127.0.0.1:9/")
    with pytest.raises(UsageError, match="PROXIMA_HOOK_SECRET is not set"):
        consumer_of(hook, client, address, consumer="one", local=str, tell=lambda _: None)
