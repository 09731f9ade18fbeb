"""Renewing leases, and giving up in time."""

import redis

from proxima.broker.address import BrokerAddress
from proxima.broker.lease import Lease
from proxima.job import JobState
from proxima.worker.lease_keeper import LeaseKeeper

LEASE = Lease(job_id="j", worker="a@x", attempt=1)


class Book:
    """Answers as told; raises if the answer is an exception."""

    seconds = 30.0
    answer: object = JobState.ENCODING

    def renew(self, leases):
        if isinstance(self.answer, Exception):
            raise self.answer
        return [self.answer for _ in leases]


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def keeper_with(book):
    clock = Clock()
    return LeaseKeeper(book, BrokerAddress(host="b"), clock), clock


def test_a_renewed_lease_is_kept():
    keeper, _ = keeper_with(Book())
    with keeper.hold(LEASE) as held:
        keeper.renew_all()
        assert not held.must_stop()
        assert keeper.job_ids == ("j",)
    assert keeper.job_ids == ()


def test_an_order_to_cancel_comes_with_the_renewal():
    book = Book()
    keeper, _ = keeper_with(book)
    book.answer = JobState.CANCELLED
    with keeper.hold(LEASE) as held:
        keeper.renew_all()
        assert held.cancelled
        assert held.must_stop()


def test_a_lease_that_another_has_is_lost():
    book = Book()
    keeper, _ = keeper_with(book)
    book.answer = None
    with keeper.hold(LEASE) as held:
        keeper.renew_all()
        assert held.lost


def test_a_broker_away_for_less_than_three_quarters_of_the_lease_costs_nothing():
    book = Book()
    keeper, clock = keeper_with(book)
    with keeper.hold(LEASE) as held:
        book.answer = redis.ConnectionError("gone")
        clock.now = 22.0
        keeper.renew_all()
        assert not held.must_stop()
        book.answer = JobState.ENCODING
        keeper.renew_all()
        clock.now = 44.0
        keeper.renew_all()
        assert not held.must_stop()


def test_a_broker_away_for_longer_stops_the_work():
    book = Book()
    keeper, clock = keeper_with(book)
    with keeper.hold(LEASE) as held:
        book.answer = redis.ConnectionError("gone")
        clock.now = 23.0
        keeper.renew_all()
        assert held.must_stop()


def test_a_worker_that_was_frozen_stops_before_it_hears_of_anything():
    keeper, clock = keeper_with(Book())
    with keeper.hold(LEASE) as held:
        clock.now = 23.0
        assert held.must_stop()
