"""A worker that takes itself out, and comes back."""

import pytest

from proxima.errors import FailureKind
from proxima.preset import Preset
from proxima.worker.self_test import Ailment
from proxima.worker.wellness import Wellness


class World:
    """What the self-test finds, what failed elsewhere, and what the worker was told."""

    def __init__(self):
        self.trouble = "no room in /media"
        self.tested = []
        self.elsewhere = set()
        self.changes = []

    def self_test(self, ailment):
        self.tested.append(ailment.kind)
        return self.trouble


@pytest.fixture
def world():
    return World()


@pytest.fixture
def wellness(world):
    return Wellness(
        limit=3,
        self_test=world.self_test,
        failed_elsewhere=lambda job_id: job_id in world.elsewhere,
        changed=world.changes.append,
    )


@pytest.fixture
def fail(wellness, make_job):
    def fail(*numbers, kind=FailureKind.PERMISSION):
        for number in numbers:
            wellness.failed(
                Ailment(
                    kind=kind,
                    message=f"no permission {number}",
                    job=make_job(number),
                    preset=Preset(name="p"),
                )
            )

    return fail


def test_it_is_well_until_so_many_jobs_in_a_row_have_failed(wellness, world, fail):
    fail(1, 2)
    assert wellness.unwell == ""
    fail(3)
    assert wellness.unwell == "no permission 3"
    assert world.changes == ["no permission 3"]


def test_a_job_that_was_done_between_them_makes_it_well(wellness, fail):
    fail(1, 2)
    wellness.worked()
    fail(3, 4)
    assert wellness.unwell == ""


def test_one_job_that_fails_again_and_again_does_not_count_twice(wellness, fail):
    fail(1, 1, 1, 1)
    assert wellness.unwell == ""


def test_it_says_so_in_the_log(fail, caplog):
    fail(1, 2, 3)
    (record,) = caplog.records
    assert "takes no more until it is well again" in record.getMessage()
    assert "no permission 3" in record.getMessage()


def test_it_stays_out_while_the_test_finds_trouble(wellness, world, fail):
    fail(1, 2, 3)
    wellness.test()
    assert wellness.unwell == "no room in /media"
    assert world.changes[-1] == "no room in /media"


def test_a_job_that_still_ran_and_was_done_does_not_bring_it_back(wellness, fail):
    fail(1, 2, 3)
    wellness.worked()
    assert wellness.unwell


def test_it_comes_back_when_the_test_finds_nothing(wellness, world, fail):
    fail(1, 2, 3)
    world.trouble = None
    wellness.test()
    assert wellness.unwell == ""
    assert world.changes == ["no permission 3", ""]
    fail(4, 5)
    assert wellness.unwell == ""


def test_each_kind_of_trouble_is_tested_once(wellness, world, fail):
    world.trouble = None
    fail(1, 2)
    fail(3, kind=FailureKind.ENCODER_MISSING)
    wellness.test()
    assert world.tested == [FailureKind.PERMISSION, FailureKind.ENCODER_MISSING]


def test_jobs_that_fail_on_others_too_are_to_blame_themselves(wellness, world, fail, make_job):
    fail(1, 2, 3)
    world.elsewhere = {make_job(1).id, make_job(2).id}
    wellness.test()
    assert wellness.unwell
    world.elsewhere.add(make_job(3).id)
    wellness.test()
    assert wellness.unwell == ""


def test_a_disk_that_is_full_for_all_is_waited_for(wellness, world, fail, make_job):
    fail(1, 2, 3, kind=FailureKind.DISK_FULL)
    world.elsewhere = {make_job(number).id for number in (1, 2, 3)}
    wellness.test()
    assert wellness.unwell


def test_one_that_is_well_is_not_tested(wellness, world, fail):
    fail(1, 2)
    wellness.test()
    assert world.tested == []
