"""A broker, a network and messages that fail."""

import time

import pytest
from kill.invariant import require

from proxima.broker import dispatch, keys
from proxima.job import JobState


def test_a_broker_that_is_killed_and_started_again_loses_nothing(kill_farm):
    kill_farm.worker()
    jobs = kill_farm.send(3).jobs
    kill_farm.until_encoding(jobs[0].id)
    kill_farm.kill_broker()
    kill_farm.restart_broker()
    require(kill_farm, done=3)


def test_a_broker_away_for_longer_than_a_lease_costs_attempts_but_no_job(kill_farm):
    worker = kill_farm.worker()
    jobs = kill_farm.send(2).jobs
    kill_farm.until_encoding(jobs[0].id)
    kill_farm.kill_broker()
    kill_farm.until(lambda: worker.says("the broker at"), "the worker says what troubles it")
    time.sleep(1.5 * kill_farm.lease_seconds)
    require(kill_farm, done=2)


def test_cut_connections_cost_nothing(kill_farm):
    kill_farm.worker()
    jobs = kill_farm.send(3).jobs
    kill_farm.until_encoding(jobs[0].id)
    kill_farm.client.client_kill_filter(_type="normal", skipme=True)
    kill_farm.until_encoding(jobs[1].id)
    kill_farm.client.client_kill_filter(_type="normal", skipme=True)
    require(kill_farm, done=3)


@pytest.mark.parametrize(
    ("fault", "leases"),
    [("slow", 2.0), ("silence", 0.4), ("silence", 2.0), ("half_open", 0), ("cut", 0.4), ("cut", 2)],
)
def test_a_bad_network_costs_time_but_no_job(kill_farm, fault, leases):
    kill_farm.worker()
    jobs = kill_farm.send(2).jobs
    kill_farm.until_encoding(jobs[0].id)
    getattr(kill_farm.network, fault)(*[0.2] * (fault == "slow"))
    time.sleep(leases * kill_farm.lease_seconds)
    require(kill_farm, done=2)


@pytest.mark.parametrize("forward", [True, False], ids=["answer lost", "request lost"])
def test_a_network_that_fails_while_a_job_is_finished_costs_no_job(kill_farm, forward):
    kill_farm.ready_worker()
    caught = kill_farm.network.trap(b"$4\r\ndone\r\n", forward=forward)
    kill_farm.send()
    kill_farm.until(caught.is_set, "the worker says that it is done")
    kill_farm.network.cut()
    time.sleep(0.3 * kill_farm.lease_seconds)
    require(kill_farm, done=1)


@pytest.mark.parametrize("forward", [True, False], ids=["answer lost", "request lost"])
@pytest.mark.parametrize("word", ["published", "SUCCESS"])
def test_a_network_that_fails_after_the_end_takes_nothing_back(kill_farm, word, forward):
    kill_farm.ready_worker()
    job = kill_farm.send().jobs[0]
    kill_farm.until_encoding(job.id)
    sha = {"published": kill_farm.script_hash("published"), "SUCCESS": "SUCCESS"}[word]
    caught = kill_farm.network.trap(sha.encode(), forward=forward)
    kill_farm.until(caught.is_set, "the worker tells the end")
    kill_farm.network.cut()
    require(kill_farm, done=1)


def test_copies_of_messages_in_any_order_change_nothing(kill_farm):
    batch = kill_farm.make_batch(3)
    kill_farm.submit(batch)
    for name, messages in kill_farm.waiting_messages():
        kill_farm.random.shuffle(messages)
        kill_farm.client.rpush(name, *messages, *messages)
    kill_farm.worker()
    kill_farm.worker()
    kill_farm.until_encoding(batch.jobs[0].id)
    for job in batch.jobs:
        dispatch.send_job(kill_farm.celery, job.id, 5)
    kill_farm.until_state(batch.jobs[0].id, JobState.DONE)
    dispatch.send_job(kill_farm.celery, batch.jobs[0].id, 5)
    require(kill_farm, done=3)


def test_garbage_in_the_queue_harms_no_job(kill_farm):
    garbage = [b"not json", b"{}", b"\xff\x00", b"[]", b'{"body": 1, "headers": {}}']
    kill_farm.client.lpush(keys.QUEUE, *garbage, *garbage)
    kill_farm.worker()
    kill_farm.send()
    require(kill_farm, done=1)
