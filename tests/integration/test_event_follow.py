"""Following the events over cuts, on the real server."""

import msgspec
import pytest
from redis import exceptions

from proxima.broker import batches, keys
from proxima.broker.address import BrokerAddress
from proxima.errors import BrokerUnreachable
from proxima.queuer import event_follow
from proxima.queuer.event_follow import EventFollower


@pytest.fixture
def told():
    return []


@pytest.fixture
def follower(client, address, told):
    return EventFollower(client, address, "0-0", tell=told.append, sleep=lambda _: None)


def queue(client, make_batch, batch_id):
    batches.save(client, msgspec.structs.replace(make_batch(0), id=batch_id))


def seen(follower):
    """Batches of the events in one answer that are queued."""
    return [event.batch for event in follower.read() if event.type == "batch.queued"]


def test_events_are_given_once_and_in_order(client, make_batch, follower):
    for batch_id in ("one", "two"):
        queue(client, make_batch, batch_id)
    assert seen(follower) == ["one", "two"]
    queue(client, make_batch, "three")
    assert seen(follower) == ["three"]


def test_after_a_cut_it_goes_on_where_it_was(client, make_batch, follower, told, monkeypatch):
    queue(client, make_batch, "one")
    assert seen(follower) == ["one"]
    queue(client, make_batch, "two")
    with monkeypatch.context() as cut:
        error = exceptions.ConnectionError("cut")
        cut.setattr(event_follow, "entries", lambda *_: (_ for _ in ()).throw(error))
        assert seen(follower) == seen(follower) == []
    assert len(told) == 1
    assert seen(follower) == ["two"]


def test_what_makes_no_sense_is_passed_over(client, make_batch, follower, told):
    client.xadd(keys.EVENTS, {"type": "batch.queued", "version": 99})
    assert seen(follower) == []
    assert "version 99" in told[0]
    queue(client, make_batch, "one")
    assert seen(follower) == ["one"]


def test_events_that_are_gone_are_told_of(client, address, make_batch, told):
    queue(client, make_batch, "one")
    client.set(keys.EVENTS_TRIMMED, client.xrevrange(keys.EVENTS, count=1)[0][0])
    late = EventFollower(client, address, "1-0", tell=told.append)
    assert seen(late) == ["one"]
    assert told == ["some events after 1-0 are gone: they were too old, or too many"]


def test_a_broker_that_is_not_there_is_an_error_at_once():
    from proxima.broker.connection import connect

    nobody = BrokerAddress.parse("redis://127.0.0.1:1/0")
    with pytest.raises(BrokerUnreachable):
        EventFollower(connect(nobody), nobody)
