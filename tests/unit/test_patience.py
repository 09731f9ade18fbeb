"""Waiting for a broker that is away."""

import pytest
import redis

from proxima.broker.address import BrokerAddress
from proxima.errors import BrokerUnreachable, UnknownBatch
from proxima.worker.patience import Patience


def patience_with(stopping=lambda: False):
    slept = []
    return Patience(BrokerAddress(host="b"), stopping, slept.append), slept


def asking(*answers):
    left = list(answers)

    def ask():
        answer = left.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    return ask


def test_it_asks_until_there_is_an_answer():
    patience, slept = patience_with()
    assert patience(asking(redis.ConnectionError("gone"), redis.TimeoutError("slow"), 7)) == 7
    assert len(slept) == 2


def test_a_worker_that_stops_waits_no_more():
    patience, slept = patience_with(lambda: True)
    with pytest.raises(BrokerUnreachable):
        patience(asking(redis.ConnectionError("gone")))
    assert not slept


def test_what_is_no_trouble_of_the_broker_is_passed_on():
    patience, _ = patience_with()
    with pytest.raises(UnknownBatch):
        patience(asking(UnknownBatch("no such batch")))


def test_a_worker_that_leaves_waits_for_a_while_only():
    clock = iter([0.0, 10.0, 61.0])
    patience = Patience(
        BrokerAddress(host="b"),
        lambda: False,
        lambda _: None,
        leaving=lambda: True,
        clock=lambda: next(clock),
    )
    gone = redis.ConnectionError("gone")
    with pytest.raises(BrokerUnreachable):
        patience(asking(gone, gone, 7))
