"""Consumers of events on the real server: cut off, killed, and side by side."""

import threading
from collections import Counter

import pytest
from kill.tcp_proxy import TcpProxy

from proxima.broker import keys
from proxima.broker.address import BrokerAddress
from proxima.broker.connection import connect
from proxima.broker.event_care import EventCare
from proxima.broker.event_dead import dead_letters
from proxima.broker.event_group import EventGroup, groups
from proxima.errors import HandlingFailed
from proxima.hooks.consumer import Consumer
from proxima.hooks.event_command import EventCommand

COUNT = 200


@pytest.fixture
def start(address):
    """Start a consumer of the group "mail" in a thread; all are stopped in the end."""
    running = []

    def begin(handle, name="a", *, at=address, idle_seconds=30.0, **more):
        group = EventGroup(connect(at), "mail", name, idle_seconds)
        made = Consumer(group, at, EventCare(connect(address)), handle, **more)
        thread = threading.Thread(target=made.run, args=("0",), daemon=True)
        thread.start()
        running.append((made, thread))
        return made, thread

    yield begin
    for made, _ in running:
        made.stop()
    for _, thread in running:
        thread.join(20)


@pytest.fixture
def network(address):
    proxy = TcpProxy(address.port)
    yield proxy
    proxy.close()


def put(client, count=1):
    for number in range(count):
        client.xadd(keys.EVENTS, {"version": 1, "type": "job.started", "job": f"j-{number}"})


class Handled:
    """Notes what was handled by whom, and says when it was so many."""

    def __init__(self, wanted):
        self.jobs, self.shares = Counter(), Counter()
        self.enough = threading.Event()
        self._wanted, self._lock = wanted, threading.Lock()

    def by(self, name):
        def handle(event, _count):
            with self._lock:
                self.jobs[event.job] += 1
                self.shares[name] += 1
                if len(self.jobs) == self._wanted:
                    self.enough.set()

        return handle


def test_four_consumers_handle_each_event_once_and_all_take_part(start, client):
    handled, ready = Handled(COUNT), threading.Barrier(5)
    for name in "abcd":
        note = handled.by(name)

        def handle(event, count, note=note):
            if event.type == "worker.up":
                ready.wait(20)
            else:
                note(event, count)

        start(handle, name)
    # Each holds one of these until all are there: else the first would have half of it.
    for _ in range(4):
        client.xadd(keys.EVENTS, {"version": 1, "type": "worker.up"})
    put(client, COUNT)
    ready.wait(20)
    assert handled.enough.wait(30)
    assert set(handled.jobs.values()) == {1}
    assert len(handled.shares) == 4


def test_a_consumer_that_is_cut_off_acknowledges_what_it_did_when_the_broker_is_back(
    network, start, client, address
):
    at = BrokerAddress.parse(address.redis_url.replace(f":{address.port}", f":{network.port}"))
    handled, said, back = Handled(1), [], threading.Event()

    def handle(event, count):
        network.cut()
        handled.by("a")(event, count)

    def tell(text):
        said.append(text)
        if text == "the broker answers again":
            back.set()
        else:
            network.open()

    start(handle, at=at, tell=tell)
    put(client)
    assert back.wait(20)
    assert handled.jobs == {"j-0": 1}
    assert groups(client)[0].pending == 0


def test_the_event_of_a_consumer_that_is_gone_is_handled_by_another(start, client):
    put(client)
    gone = EventGroup(client, "mail", "gone")
    gone.join("0")
    assert gone.next(0.001)
    handled = Handled(1)
    start(handled.by("b"), "b", idle_seconds=0.01)
    assert handled.enough.wait(20)
    assert handled.jobs == {"j-0": 1}


def test_what_fails_five_times_is_set_aside_with_the_reason(start, client):
    counts, over = [], threading.Event()

    def handle(_event, count):
        counts.append(count)
        raise HandlingFailed("no")

    start(handle, first_pause=0.0, tell=lambda text: over.set() if "set aside" in text else None)
    put(client)
    assert over.wait(30)
    assert counts == [1, 2, 3, 4, 5]
    assert [letter.reason for letter in dead_letters(client)] == ["no"]


def test_a_consumer_that_ends_is_forgotten(start, client):
    handled = Handled(1)
    made, thread = start(handled.by("a"))
    put(client)
    assert handled.enough.wait(20)
    made.stop()
    thread.join(20)
    assert groups(client)[0].consumers == ()


def test_a_command_gets_the_event_as_json_and_in_variables(start, client, tmp_path):
    out = tmp_path / "out"
    script = f'cat > {out}.json; echo "$PROXIMA_EVENT_JOB $PROXIMA_EVENT_DELIVERY" > {out}'
    over = threading.Event()
    command = EventCommand(["sh", "-c", script], 20, str)

    def handle(event, count):
        command(event, count)
        over.set()

    start(handle)
    put(client)
    assert over.wait(20)
    assert out.read_text() == "j-0 1\n"
    assert '"job": "j-0"' in out.with_suffix(".json").read_text()
