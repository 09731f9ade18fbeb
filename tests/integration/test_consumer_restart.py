"""A consumer whose broker is killed and started again."""

import os
import signal
import threading
import time

from proxima.broker import keys
from proxima.broker.connection import connect
from proxima.broker.embedded import EmbeddedServer
from proxima.broker.event_care import EventCare
from proxima.broker.event_group import EventGroup, groups
from proxima.hooks.consumer import Consumer


def test_a_consumer_goes_on_when_its_broker_is_killed_and_started_again(tmp_path):
    def start(port=0):
        return EmbeddedServer.start(folder=tmp_path, password="p", port=port, persist=True)

    def put(address, count):
        client = connect(address)
        fields = {"version": "1", "type": "worker.up", "time": "1.0"}
        ids = [client.xadd(keys.EVENTS, fields).decode() for _ in range(count)]
        client.close()
        return ids

    def until(condition):
        deadline = time.monotonic() + 60
        while not condition():
            assert time.monotonic() < deadline
            time.sleep(0.01)

    server = start()
    handled, said = [], []
    client = connect(server.address)
    consumer = Consumer(
        EventGroup(client, "g", "one"),
        server.address,
        EventCare(client),
        lambda event, _: handled.append(event.id),
        tell=said.append,
    )
    thread = threading.Thread(target=consumer.run, args=("0",), daemon=True)
    thread.start()
    first = put(server.address, 3)
    until(lambda: len(handled) == 3)
    until(lambda: groups(client)[0].pending == 0)
    # Until all that is in the append-only file, which is written once a second.
    connect(server.address).execute_command("WAITAOF", 1, 0, 10_000)
    os.kill(server.pid, signal.SIGKILL)
    until(lambda: not server.alive and said)
    server = start(server.address.port)
    second = put(server.address, 3)
    until(lambda: set(handled) >= {*first, *second})
    consumer.stop()
    thread.join(30)
    server.stop()
    assert handled == [*first, *second]
