"""Whether a worker takes new jobs."""

import pytest

from proxima.worker.intake import Bar, Intake
from proxima.worker.stop import StopOrder


@pytest.fixture
def turns():
    return []


@pytest.fixture
def order():
    return StopOrder()


@pytest.fixture
def intake(order, turns):
    return Intake(order, turns.append)


def test_it_takes_jobs_at_first(intake, turns):
    assert not intake.is_closed
    assert turns == []


def test_it_turns_once_however_many_bars_there_are(intake, turns):
    assert intake.bar(Bar.UNWELL, up=True)
    assert intake.bar(Bar.DRAINED, up=True)
    assert not intake.bar(Bar.DRAINED, up=True)
    assert turns == [False]


def test_it_takes_jobs_again_only_when_the_last_bar_is_gone(intake, turns):
    intake.bar(Bar.UNWELL, up=True)
    intake.bar(Bar.DRAINED, up=True)
    intake.bar(Bar.UNWELL, up=False)
    assert (intake.is_closed, intake.is_drained, turns) == (True, True, [False])
    intake.bar(Bar.DRAINED, up=False)
    assert (intake.is_closed, intake.is_drained, turns) == (False, False, [False, True])


def test_an_order_to_leave_closes_it_before_anybody_turns_anything(intake, order):
    order.drain()
    assert intake.is_closed
    assert intake.is_drained
