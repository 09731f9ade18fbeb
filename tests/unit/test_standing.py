"""BatchStanding: sums that never promise too much."""

import dataclasses

import pytest
from standings import cancelled, done, failed, make_job, make_standing, running, waiting

from proxima.job import JobState


def test_a_running_job_is_never_wholly_done() -> None:
    assert running(make_job(), 100.0).fraction == 0.999
    assert running(make_job(), 250.0).fraction == 0.999
    assert running(make_job(), -3.0).fraction == 0.0


def test_only_a_job_that_is_done_counts_as_one() -> None:
    assert done(make_job()).fraction == 1.0
    assert failed(make_job()).fraction == 0.0
    assert waiting(make_job()).fraction == 0.0


def test_the_last_reading_of_a_failed_job_counts_for_nothing() -> None:
    left_over = dataclasses.replace(failed(make_job()), reading=running(make_job(), 97.0).reading)
    assert left_over.fraction == 0.0


def test_the_batch_is_weighted_by_media_and_not_by_files() -> None:
    standing = make_standing(done(make_job(1, seconds=300)), waiting(make_job(2, seconds=100)))
    assert standing.fraction == 0.75


def test_a_batch_with_one_running_job_is_not_done_however_late_it_is() -> None:
    jobs = [done(make_job(n, seconds=1e6)) for n in range(99)]
    standing = make_standing(*jobs, running(make_job(99, seconds=0.001), 100.0))
    assert standing.fraction < 1
    assert not standing.is_finished


def test_all_done_is_exactly_one_for_any_lengths() -> None:
    jobs = [done(make_job(n, seconds=0.1 + n / 7)) for n in range(1000)]
    assert make_standing(*jobs).fraction == 1.0


def test_failed_and_cancelled_media_is_lost_and_not_done() -> None:
    standing = make_standing(
        done(make_job(1)), failed(make_job(2)), cancelled(make_job(3)), waiting(make_job(4))
    )
    assert (standing.fraction, standing.lost_fraction) == (0.25, 0.5)


def test_a_job_of_unknown_length_weighs_as_the_average_one() -> None:
    standing = make_standing(
        done(make_job(1, seconds=None)),
        waiting(make_job(2, seconds=100)),
        waiting(make_job(3, seconds=300)),
    )
    assert standing.fraction == pytest.approx(1 / 3)


def test_jobs_of_unknown_length_only_weigh_alike() -> None:
    standing = make_standing(
        done(make_job(1, seconds=None)), running(make_job(2, seconds=None), None)
    )
    assert standing.fraction == 0.5


def test_a_batch_without_jobs_is_finished() -> None:
    standing = make_standing()
    assert standing.is_finished
    assert (standing.fraction, standing.lost_fraction) == (1.0, 0.0)


def test_a_batch_is_finished_when_every_job_has_ended_somehow() -> None:
    ended = [done(make_job(1)), failed(make_job(2)), cancelled(make_job(3))]
    assert make_standing(*ended).is_finished
    assert not make_standing(*ended, waiting(make_job(4))).is_finished


def test_states_are_counted_together_and_once() -> None:
    standing = make_standing(done(make_job(1)), failed(make_job(2)), waiting(make_job(3)))
    assert standing.count(JobState.DONE, JobState.FAILED, JobState.DONE) == 2
    assert standing.count() == 0


def test_speed_is_the_sum_over_the_running_jobs() -> None:
    standing = make_standing(
        running(make_job(1), speed=4.0), running(make_job(2), speed=2.5), running(make_job(3))
    )
    assert standing.speed == 6.5
    assert make_standing(running(make_job(1))).speed is None


def test_a_job_names_the_worker_that_has_it_or_had_it() -> None:
    assert running(make_job(), worker="a@b").worker == "a@b"
    assert failed(make_job()).worker == failed(make_job()).outcome.worker
    assert waiting(make_job()).worker is None
