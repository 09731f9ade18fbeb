"""Groups of consumers on the real server: who gets which event, how often, and what is kept."""

import pytest

from proxima.broker import batches, keys
from proxima.broker.event_care import EventCare
from proxima.broker.event_dead import dead_letters, drop_letters, retry_letters
from proxima.broker.event_group import MOST_DELIVERIES, EventGroup, drop_group, groups
from proxima.broker.event_stream import gap_after, read_on
from proxima.broker.lease import LeaseBook
from proxima.errors import UnknownGroup
from proxima.job import JobOutcome, JobState

ONE = "abcdefgh-00001"


@pytest.fixture
def put(client):
    """Put an event into the stream, with a number for its job."""

    def add(number=1):
        fields = {"version": 1, "type": "job.started", "job": f"abcdefgh-{number:05}"}
        return client.xadd(keys.EVENTS, fields).decode()

    return add


@pytest.fixture
def group(client):
    """A consumer of a group; the others count as gone at once if they say nothing."""

    def join(consumer="a", idle_seconds=30.0):
        made = EventGroup(client, "mail", consumer, idle_seconds)
        made.join()
        return made

    return join


def ids(client):
    return [event_id for event_id, _ in read_on(client, "0-0", 0.001)]


def test_each_event_goes_to_one_consumer(group, put):
    first, second = group("a"), group("b")
    sent = [put(), put()]
    assert [first.next(0.001).event_id, second.next(0.001).event_id] == sent
    assert first.next(0.001) is None


def test_a_group_begins_now_or_where_it_is_told(client, put):
    before = put()
    now, all_of_it = EventGroup(client, "now", "a"), EventGroup(client, "all", "a")
    now.join()
    all_of_it.join("0")
    assert now.next(0.001) is None
    assert all_of_it.next(0.001).event_id == before


def test_an_acknowledged_event_is_over(group, put):
    mine = group()
    event_id = put()
    mine.next(0.001)
    assert mine.ack(event_id) == "ours"
    assert mine.ack(event_id) == "done"
    assert mine.take() is None


def test_a_failure_is_tried_again_when_it_is_due_by_whoever_is_free(group, put):
    mine, other = group("a"), group("b")
    mine.next(0.001)
    event_id = put()
    mine.next(0.001)
    assert mine.fail(event_id, "exit code 1", seconds=60) == "again"
    assert other.take() is None
    assert mine.fail(event_id, "exit code 1", seconds=0) == "again"
    delivery = other.take()
    assert (delivery.event_id, delivery.count) == (event_id, 2)
    assert mine.ack(event_id) == "lost"
    assert mine.fail(event_id, "late", seconds=0) == "lost"
    assert not mine.renew(event_id)
    assert other.ack(event_id) == "ours"


def test_what_waits_for_its_next_try_is_not_taken_for_lost(group, put):
    mine, other = group("a"), group("b", idle_seconds=0)
    event_id = put()
    mine.next(0.001)
    mine.fail(event_id, "exit code 1", seconds=60)
    assert other.take() is None


def test_the_events_of_a_consumer_that_is_gone_are_claimed_with_their_count(group, put, client):
    mine, other = group("a"), group("b", idle_seconds=0)
    event_id = put()
    mine.next(0.001)
    assert group("c").take() is None
    assert other.take().count == 2
    assert other.renew(event_id)
    (held,) = client.xpending_range(keys.EVENTS, "mail", "-", "+", 10)
    assert (held["consumer"], held["times_delivered"]) == (b"b", 2)


def exhaust(mine, event_id):
    mine.next(0.001)
    for _ in range(MOST_DELIVERIES - 1):
        assert mine.fail(event_id, "exit code 1", seconds=0) == "again"
        assert mine.take().event_id == event_id
    return mine.fail(event_id, "exit code 3", seconds=0)


def test_after_five_deliveries_an_event_is_set_aside_with_the_reason(group, put, client):
    mine = group()
    event_id = put(7)
    assert exhaust(mine, event_id) == "dead"
    assert mine.take() is None
    (letter,) = dead_letters(client)
    assert (letter.group, letter.event_id, letter.deliveries) == ("mail", event_id, 5)
    assert (letter.reason, letter.event.job) == ("exit code 3", "abcdefgh-00007")
    assert dead_letters(client, "other") == []


def test_an_event_that_takes_consumer_after_consumer_down_is_set_aside(group, put, client):
    mine = group("a")
    put()
    mine.next(0.001)
    for _ in range(MOST_DELIVERIES - 1):
        assert group("b", idle_seconds=0).take()
    assert group("b", idle_seconds=0).take() is None
    assert [letter.reason for letter in dead_letters(client)] == ["consumer b was lost with it"]


def test_what_was_set_aside_is_tried_again_by_its_group_alone(group, put, client):
    mine, other = group(), EventGroup(client, "other", "x")
    other.join()
    event_id = put()
    other.ack(other.next(0.001).event_id)
    exhaust(mine, event_id)
    assert retry_letters(client, dead_letters(client)) == (1, 0)
    delivery = mine.take()
    assert (delivery.event_id, delivery.count) == (event_id, 1)
    assert dead_letters(client) == []
    assert other.take() is None


def test_what_was_set_aside_can_be_dropped(group, put, client):
    exhaust(group(), put())
    assert drop_letters(client, dead_letters(client)) == 1
    assert dead_letters(client) == []


def test_a_consumer_is_forgotten_when_it_leaves_with_nothing_pending(group, put, client):
    mine, other = group("a"), group("b")
    put()
    mine.next(0.001)
    other.next(0.001)
    assert not mine.leave()
    assert other.leave()
    (info,) = groups(client)
    assert [(name, pending) for name, pending, _ in info.consumers] == [("a", 1)]
    assert (info.name, info.lag, info.pending, info.lost) == ("mail", 0, 1, 0)


def test_consumers_that_are_gone_are_forgotten_unless_they_have_something(group, put, client):
    mine, other = group("a"), group("b")
    put()
    mine.next(0.001)
    other.next(0.001)
    EventCare(client).forget_consumers()
    assert len(groups(client)[0].consumers) == 2
    EventCare(client, forget_seconds=-1).forget_consumers()
    assert [name for name, _, _ in groups(client)[0].consumers] == ["a"]


def test_a_group_that_vanished_with_the_stream_is_made_again_and_misses_nothing(group, put, client):
    mine = group()
    client.delete(keys.EVENTS)
    event_id = put()
    assert mine.next(0.001) is None
    assert mine.next(0.001).event_id == event_id


def test_a_group_can_be_dropped(group, client):
    group()
    drop_group(client, "mail")
    assert groups(client) == []
    with pytest.raises(UnknownGroup, match="there are: none"):
        drop_group(client, "mail")


def test_trimming_keeps_what_a_group_has_not_acknowledged(group, put, client):
    mine = group()
    first, second, third = put(), put(), put()
    mine.next(0.001)
    mine.ack(first)
    care = EventCare(client, soft=(-1, 0))
    assert care.trim() == {}
    assert ids(client) == [second, third]
    mine.next(0.001)
    assert care.trim() == {}
    assert ids(client) == [second, third]
    mine.ack(second)
    care.trim()
    assert ids(client) == [third]
    assert gap_after(client, first)
    assert not gap_after(client, second)


def test_what_every_group_has_acknowledged_stays_a_while_for_followers(put, client):
    sent = [put(), put()]
    EventCare(client).trim()
    assert ids(client) == sent
    EventCare(client, soft=(10_000, 1)).trim()
    assert ids(client) == sent[1:]


def test_beyond_the_limits_the_loss_is_logged_and_counted(group, put, client, caplog):
    mine = group()
    held, _, _ = put(), put(), put()
    mine.next(0.001)
    lost = EventCare(client, soft=(-1, 0), hard=(-1, 1)).trim()
    assert lost == {"mail": 3}
    assert "3 events that group mail had not acknowledged were trimmed away" in caplog.text
    assert groups(client)[0].lost == 3
    assert groups(client)[0].pending == 0
    assert mine.ack(held) == "done"


def test_what_was_set_aside_can_still_be_tried_again_after_trimming(group, put, client):
    exhaust(group(), put())
    EventCare(client, soft=(-1, 0)).trim()
    assert retry_letters(client, dead_letters(client)) == (1, 0)


@pytest.fixture
def ended(client, make_batch):
    """A batch of two, of which one is done and one cancelled."""
    batches.save(client, make_batch(2))
    book = LeaseBook(client)
    lease = book.claim(ONE, "a@x").lease
    book.finish(lease, JobOutcome(state=JobState.DONE))
    book.published(lease)
    book.cancel(["abcdefgh-00002"])


def ends(client):
    """Type, and whether a sweep told it, of each event of an end."""
    told = [event for _, event in read_on(client, "0-0", 0.001)]
    return [(e.type, e.swept) for e in told if e.type.split(".")[1] in ("finished", "cancelled")]


def test_the_sweep_finds_nothing_where_all_was_told(client, ended):
    assert [EventCare(client).tell_missed() for _ in range(2)] == [0, 0]


def test_the_sweep_tells_of_ends_that_are_in_no_event(client, ended):
    for event_id, event in read_on(client, "0-0", 0.001):
        if event.type in ("job.finished", "batch.cancelled"):
            client.xdel(keys.EVENTS, event_id)
    assert EventCare(client).tell_missed() == 2
    assert ends(client) == [("job.cancelled", None), ("job.finished", 1), ("batch.cancelled", 1)]
    assert EventCare(client).tell_missed() == 0


def test_the_sweep_tells_of_ends_that_an_older_proxima_did_not_tell(client, ended):
    client.delete(keys.EVENTS)
    client.hdel(keys.job(ONE), "told")
    client.hdel(keys.batch("abcdefgh"), "told", "open")
    assert EventCare(client).tell_missed() == 3


def test_the_sweep_lets_be_what_was_trimmed_or_is_old(client, ended):
    EventCare(client, soft=(-1, 0)).trim()
    assert EventCare(client).tell_missed() == 0
    client.delete(keys.EVENTS, keys.EVENTS_TRIMMED)
    assert EventCare(client, soft=(-1000, 0)).tell_missed() == 0


def test_a_consumer_that_did_more_than_its_share_lately_is_told_so(group, put):
    mine, other = group("a"), group("b")
    put()
    assert other.ack(other.next(0.001).event_id) == "ours"
    for answer in ("ours", "ours", "ours", "ours", "ahead"):
        put()
        assert mine.ack(mine.next(0.001).event_id) == answer


def test_an_event_that_vanished_with_the_stream_is_nobodys_any_more(group, put, client):
    mine = group()
    event_id = put()
    mine.next(0.001)
    for question in (
        lambda: mine.ack(event_id) == "lost",
        lambda: mine.fail(event_id, "no", seconds=0) == "lost",
        lambda: not mine.renew(event_id),
        mine.leave,
    ):
        client.delete(keys.EVENTS)
        assert question()
