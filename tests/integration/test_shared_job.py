"""Two batches that make the same output of the same source: one job, which both see."""

import msgspec
import pytest

from proxima.broker import batches, keys, sums
from proxima.broker.lease import LeaseBook
from proxima.broker.messages import MessageQueue
from proxima.broker.steering import cancel_jobs
from proxima.errors import UnknownBatch
from proxima.job import JobOutcome, JobState
from proxima.queuer.follow import Follower
from proxima.queuer.submit import submit


@pytest.fixture
def first(client, celery, make_batch):
    return submit(make_batch(2), client, celery)


@pytest.fixture
def again(first):
    """Send the same sources once more, with changes to batch and jobs."""

    def make(name="hgfedcba", job_changes=None, **changes):
        jobs = tuple(
            msgspec.structs.replace(
                job, id=keys.job_id(name, number), batch=name, **(job_changes or {})
            )
            for number, job in enumerate(first.jobs, start=1)
        )
        return msgspec.structs.replace(first, id=name, jobs=jobs, **changes)

    return make


def ids(batch):
    return [job.id for job in batch.jobs]


def test_the_second_batch_has_the_jobs_of_the_first_and_sends_none(client, celery, first, again):
    """QU-08."""
    sent = MessageQueue(celery, client).length()
    second = submit(again(), client, celery)
    assert ids(second) == ids(first)
    assert second.own_jobs == ()
    assert sent == MessageQueue(celery, client).length() == 2
    assert ids(batches.load(client, second.id)) == ids(first)
    assert sums.make(client, [second.id])[0].counts == {JobState.QUEUED: 2}


def test_both_see_the_same_result(client, celery, address, first, again):
    second = submit(again(), client, celery)
    book = LeaseBook(client)
    claim = book.claim(first.jobs[0].id, "w@h")
    outcome = JobOutcome(state=JobState.DONE, worker="w@h", seconds=1.0)
    assert book.finish(claim.lease, outcome)
    celery.backend.store_result(first.jobs[0].id, msgspec.to_builtins(outcome), "SUCCESS")
    for batch in (first, second):
        standing = Follower(batch, client, celery, address).poll()
        assert [job.state for job in standing.jobs] == [JobState.DONE, JobState.QUEUED]
        assert standing.jobs[0].outcome == outcome


@pytest.mark.parametrize(
    "changes",
    [{"job_changes": {"source": "/other.mov"}}, {"job_changes": {"allow_damaged": True}}],
    ids=["another source", "other rules"],
)
def test_what_makes_something_else_is_a_job_of_its_own(client, celery, again, changes):
    other = again(**changes)
    assert submit(other, client, celery) == other


def test_another_preset_makes_something_else(client, celery, first, again):
    other = again(preset=msgspec.structs.replace(first.preset, profile="lt"))
    assert submit(other, client, celery) == other


def test_what_has_ended_is_made_again(client, celery, first, again):
    cancel_jobs(first.jobs[:1], client, celery)
    second = submit(again(), client, celery)
    assert ids(second) == ["hgfedcba-00001", "abcdefgh-00002"]
    third = submit(again("zyxwvuts"), client, celery)
    assert ids(third) == ["hgfedcba-00001", "abcdefgh-00002"]


def test_a_batch_that_is_half_saved_is_found_by_its_workers_alone(client, first):
    client.hdel(keys.batch(first.id), "jobs")
    assert batches.header(client, first.id).preset == first.preset
    with pytest.raises(UnknownBatch):
        batches.load(client, first.id)
