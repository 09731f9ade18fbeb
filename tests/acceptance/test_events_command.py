"""Events, followed and consumed by the installed command."""

import json
import os
import signal
import subprocess
import time

import pytest
from terminal import proxima_command

from proxima.broker import keys
from proxima.broker.connection import connect
from proxima.broker.event_group import groups


@pytest.fixture
def farm(address):
    """Environment for commands of the farm."""
    return {"PROXIMA_BROKER": address.redis_url}


@pytest.fixture
def start(farm):
    """Start commands; what is left of them is ended."""
    started = []

    def run(*args):
        process = subprocess.Popen(
            [proxima_command(), *map(str, args)],
            env={**os.environ, **farm},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            text=True,
        )
        started.append(process)
        return process

    yield run
    for process in started:
        process.kill()
        process.communicate()


def until(condition):
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_a_follower_sees_what_was_before_and_what_comes(start, proxima, farm, card):
    proxima("queue", card(1), "--detach", env=farm)
    follower = start("events", "follow", "--since", "1h", "--type", "batch.*", "--json")
    assert json.loads(follower.stdout.readline())["type"] == "batch.queued"
    batch = proxima("batches", "--json", env=farm)
    proxima("cancel", json.loads(batch.out)["batches"][0]["id"], env=farm)
    assert json.loads(follower.stdout.readline())["type"] == "batch.cancelled"


def test_a_consumer_that_is_killed_in_the_middle_leaves_its_event_to_another(
    start, proxima, farm, card, address, tmp_path
):
    client = connect(address)
    begun, done = tmp_path / "begun", tmp_path / "done"
    first = start(
        *("events", "consume", "--group", "g", "--consumer", "one", "--"),
        *("/bin/sh", "-c", f"touch {begun}; sleep 600"),
    )
    until(lambda: groups(client))
    proxima("queue", card(1), "--detach", env=farm)
    until(begun.exists)
    first.kill()
    # So that nobody need wait for half a minute.
    (pending,) = client.xpending_range(keys.EVENTS, "g", "-", "+", 1)
    client.xclaim(keys.EVENTS, "g", "one", 0, [pending["message_id"]], idle=60_000, justid=True)
    second = start("events", "consume", "--group", "g", "--", "/bin/sh", "-c", f"cat > {done}")
    until(lambda: done.exists() and done.read_text())
    assert json.loads(done.read_text())["type"] == "batch.queued"
    second.send_signal(signal.SIGTERM)
    assert second.wait(30) == 0
    until(lambda: groups(client)[0].pending == 0)


def test_hooks_of_the_config_are_run(start, proxima, farm, card, tmp_path):
    told, config = tmp_path / "told", tmp_path / "hooks.toml"
    config.write_text(
        '[[hooks]]\nname = "tell"\nevents = ["batch.queued"]\n'
        f'command = ["/bin/sh", "-c", "cat > {told}"]\n'
    )
    running = start("hooks", "--config", config)
    assert "tell waits for batch.queued" in running.stderr.readline()
    until(lambda: "hook.tell" in proxima("events", "groups", env=farm).out)
    proxima("queue", card(1), "--name", "Day 3", "--detach", env=farm)
    until(lambda: told.exists() and told.read_text())
    assert json.loads(told.read_text())["label"] == "Day 3"
    running.send_signal(signal.SIGTERM)
    assert running.wait(30) == 0
