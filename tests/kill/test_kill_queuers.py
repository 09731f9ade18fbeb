"""A queuer that is killed in the middle of sending."""

import pytest
from kill.invariant import require

from proxima.broker import batches, keys
from proxima.errors import UnknownBatch


def test_a_batch_half_sent_is_done_whole(kill_farm):
    batch = kill_farm.make_batch(4)
    third = kill_farm.network.trap(f'"id": "{batch.jobs[2].id}"'.encode(), forward=False)
    sender = kill_farm.sender(batch)
    kill_farm.until(third.is_set, "the third message is on its way")
    kill_farm.kill_sender(sender)
    kill_farm.expect(batch)
    kill_farm.worker()
    require(kill_farm, done=4)


def test_a_batch_saved_but_not_sent_is_done_whole(kill_farm):
    batch = kill_farm.make_batch(2)
    first = kill_farm.network.trap(f'"id": "{batch.jobs[0].id}"'.encode(), forward=False)
    sender = kill_farm.sender(batch)
    kill_farm.until(first.is_set, "the first message is on its way")
    kill_farm.kill_sender(sender)
    kill_farm.expect(batch)
    kill_farm.worker()
    require(kill_farm, done=2)


def test_a_batch_half_saved_was_never_accepted_and_leaves_nothing(kill_farm):
    batch = kill_farm.make_batch(2)
    record = kill_farm.network.trap(keys.batch(batch.id).encode(), forward=False)
    sender = kill_farm.sender(batch)
    kill_farm.until(record.is_set, "the record of the batch is on its way")
    kill_farm.kill_sender(sender)
    kill_farm.worker()
    with pytest.raises(UnknownBatch):
        batches.load(kill_farm.client, batch.id)
    kill_farm.until(lambda: kill_farm.client.zcard(keys.WAITING) == 0, "nothing waits")
    require(kill_farm)
    assert not list(kill_farm.outputs.iterdir())
