"""Batches that are paused, start later, or run at another priority; no worker runs."""

import time

import msgspec
import pytest

from proxima.broker import batches, keys, pauses
from proxima.broker.lease import LeaseBook
from proxima.broker.messages import MessageQueue
from proxima.broker.reconcile import Sweeper
from proxima.broker.steering import cancel_jobs, prioritise
from proxima.queuer.submit import submit


@pytest.fixture
def book(client):
    return LeaseBook(client, seconds=3.0)


@pytest.fixture
def sweeper(client, celery, address, book):
    return Sweeper(celery, client, address, book)


def waiting_jobs(client, celery):
    """The jobs whose messages wait, by their lists, what comes first on the left."""
    queue = MessageQueue(celery, client)
    return [list(queue._ids(name))[::-1] for name in queue._lists]


def test_a_paused_batch_starts_no_jobs_and_its_messages_do_not_come_back(
    client, celery, make_batch, book, sweeper
):
    batch = submit(make_batch(2), client, celery)
    pauses.pause(client, batch.id, suspend=False)
    client.delete(*MessageQueue(celery, client)._lists)
    claim = book.claim(batch.jobs[0].id, "w@h")
    assert claim.is_held
    assert not claim.is_granted
    client.zadd(keys.WAITING, {batch.jobs[1].id: 1})
    book.claim(batch.jobs[1].id, "w@h")
    sweeper.sweep()
    assert MessageQueue(celery, client).length() == 0
    assert {client.hget(keys.job(job.id), "state") for job in batch.jobs} == {b"queued"}


def test_a_batch_that_is_resumed_is_sent_again(client, celery, make_batch, book):
    batch = submit(make_batch(2), client, celery)
    pauses.pause(client, batch.id, suspend=False)
    client.delete(*MessageQueue(celery, client)._lists)
    book.claim(batch.jobs[0].id, "w@h")
    assert pauses.resume(batch.id, batch.jobs, client, celery) == 1
    assert MessageQueue(celery, client).job_ids() == {batch.jobs[0].id}
    assert book.claim(batch.jobs[0].id, "w@h").is_granted


def test_the_sweep_goes_on_where_a_queuer_died_while_it_resumed(
    client, celery, make_batch, book, sweeper
):
    batch = submit(make_batch(1), client, celery)
    pauses.pause(client, batch.id, suspend=False)
    client.delete(*MessageQueue(celery, client)._lists)
    book.claim(batch.jobs[0].id, "w@h")
    client.hdel(keys.PAUSED, batch.id)
    book.hasten([batch.jobs[0].id])
    sweeper.sweep()
    assert MessageQueue(celery, client).job_ids() == {batch.jobs[0].id}


def test_only_suspended_batches_let_nothing_run(client, make_batch):
    pauses.pause(client, "aaaaaaaa", suspend=False)
    pauses.pause(client, "bbbbbbbb", suspend=True)
    assert pauses.suspended(client) == {"bbbbbbbb"}


def test_a_batch_that_starts_later_is_sent_when_it_is_due(client, celery, make_batch, sweeper):
    later = submit(make_batch(1, start_at=time.time() + 3600), client, celery)
    sweeper.sweep()
    assert MessageQueue(celery, client).length() == 0
    due = client.zscore(keys.DELAYED, later.jobs[0].id) / 1000
    assert due == pytest.approx(time.time() + 3600, abs=60)
    client.zadd(keys.DELAYED, {later.jobs[0].id: 1})
    sweeper.sweep()
    assert MessageQueue(celery, client).job_ids() == {later.jobs[0].id}


def test_a_batch_that_starts_later_can_be_started_or_cancelled(client, celery, make_batch):
    later = submit(make_batch(2, start_at=time.time() + 3600), client, celery)
    assert cancel_jobs(later.jobs[:1], client, celery) == 1
    assert pauses.hasten(later.jobs, client, celery) == 1
    assert MessageQueue(celery, client).job_ids() == {later.jobs[1].id}


@pytest.mark.parametrize("why", ["later", "paused"])
def test_a_job_that_does_not_start_now_is_not_shared(client, celery, make_batch, why):
    start_at = time.time() + 3600 if why == "later" else None
    first = submit(make_batch(1, start_at=start_at), client, celery)
    if why == "paused":
        pauses.pause(client, first.id, suspend=False)
    job = msgspec.structs.replace(first.jobs[0], id="hgfedcba-00001", batch="hgfedcba")
    again = msgspec.structs.replace(first, id="hgfedcba", jobs=(job,), start_at=None)
    assert submit(again, client, celery).own_jobs == (job,)


def test_messages_move_to_another_priority_in_their_order(client, celery, make_batch, make_job):
    ours = submit(make_batch(3), client, celery)
    jobs = tuple(
        msgspec.structs.replace(
            make_job(n), id=f"hgfedcba-0000{n}", batch="hgfedcba", output=f"/o{n}"
        )
        for n in (1, 2)
    )
    submit(msgspec.structs.replace(make_batch(0), id="hgfedcba", jobs=jobs), client, celery)
    assert prioritise(ours, 1, client, celery) == 3
    lists = [ids for ids in waiting_jobs(client, celery) if ids]
    assert lists == [[job.id for job in ours.jobs], [job.id for job in jobs]]
    assert batches.header(client, ours.id).priority == 1
    assert client.hget(keys.job(ours.jobs[0].id), "priority") == b"1"


def test_jobs_for_a_tag_wait_in_a_queue_of_their_own_and_are_sent_there_again(
    client, celery, make_batch, sweeper
):
    batch = submit(make_batch(2, tag="gpu"), client, celery)
    queue = MessageQueue(celery, client)
    assert queue.job_ids() == {job.id for job in batch.jobs}
    assert not any("gpu" not in name for name in queue._lists if client.exists(name))
    client.delete(*queue._lists)
    client.zadd(keys.WAITING, {batch.jobs[0].id: 1, batch.jobs[1].id: 1})
    sweeper.sweep()
    assert [name for name in queue._lists if client.exists(name)] == [queue._name("gpu", 5)]
    assert queue.job_ids() == {job.id for job in batch.jobs}


def test_a_job_for_another_tag_is_not_shared(client, celery, make_batch):
    first = submit(make_batch(1), client, celery)
    job = msgspec.structs.replace(first.jobs[0], id="hgfedcba-00001", batch="hgfedcba")
    again = msgspec.structs.replace(first, id="hgfedcba", jobs=(job,), tag="gpu")
    assert submit(again, client, celery).own_jobs == (job,)
