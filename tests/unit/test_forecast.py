"""When batches will be ready: the queue played through at measured speeds."""

from dataclasses import replace

import pytest

from proxima.broker.loads import Loads
from proxima.broker.speeds import Kind, Measured, Speeds
from proxima.job import Job, Load
from proxima.progress import Reading, Stage
from proxima.queuer.forecast import Bench, QueuedBatch, RunningJob, Scene, forecast

HD, UHD = "1920x1080", "3840x2160"
FAST, SLOW = "grade*2", "edit*1"


def kind(machine=FAST, preset="prores-proxy", size=HD):
    return Kind(machine, preset, size)


def bench(worker="a@grade", machine=FAST, slots=2):
    return Bench(worker=worker, machine=machine, slots=slots)


def loads(*amounts, size=(1920, 1080)):
    jobs = [
        Job(id="", batch="", source="", output="", frames=amount, size=size) for amount in amounts
    ]
    return Loads.of(jobs)


def queued(*amounts, batch="one", size=(1920, 1080)):
    numbers = range(1, len(amounts) + 1)
    return QueuedBatch(
        id=batch, preset="prores-proxy", loads=loads(*amounts, size=size), numbers=numbers
    )


def running(percent=50.0, *, batch="one", worker="a@grade", **reading):
    fields = {"worker": worker, "slot": 0, "attempt": 1, "stage": Stage.ENCODING, **reading}
    return RunningJob(
        batch=batch,
        worker=worker,
        preset="prores-proxy",
        load=Load(HD, 1000),
        reading=Reading(percent=percent, **fields),
    )


def ready(*queue, benches=None, jobs=(), measured=None):
    benches = [bench()] if benches is None else benches
    found = {kind(): Measured(100.0, 1.0)} if measured is None else measured
    return forecast(Scene(benches=benches, running=jobs, queue=queue, measured=found))


def test_jobs_of_one_length_go_through_the_slots_in_turns():
    """Three jobs of 10 s on two slots: 20 s, and not the 15 s that a mean would give."""
    assert ready(queued(1000, 1000, 1000)) == {"one": 20.0}


def test_a_batch_waits_for_those_before_it():
    assert ready(queued(1000, 1000), queued(500, batch="two")) == {"one": 10.0, "two": 15.0}


def test_a_slow_machine_is_counted_as_slow():
    benches = (bench(slots=1), bench("b@edit", SLOW, 1))
    measured = {kind(): Measured(100.0, 1.0), kind(SLOW): Measured(10.0, 1.0)}
    assert ready(queued(100, 100), benches=benches, measured=measured) == {"one": 10.0}


def test_a_slot_is_free_when_its_running_job_ends():
    job = running(50.0, batch="zero", fps=100.0, frame=500)
    found = ready(queued(1000, 1000), benches=(bench(slots=1),), jobs=(job,))
    assert found == {"zero": 5.0, "one": 25.0}


def test_the_first_seconds_of_a_job_tell_nothing_yet():
    """It seems ten times as fast as its kind has ever been."""
    job = running(40.0, fps=1000.0, frame=400)
    assert ready(jobs=(job,)) == {"one": pytest.approx(6.0)}


def test_a_job_tells_more_of_its_own_speed_the_longer_it_runs():
    """Half done at 50 a second, 100 were measured: the rest is expected at 75."""
    job = running(50.0, fps=50.0, frame=500)
    assert ready(jobs=(job,)) == {"one": pytest.approx(500 / 75)}


def test_a_new_farm_goes_by_what_runs_once_that_has_run_for_a_while():
    early, later = running(10.0, fps=100.0, frame=100), running(60.0, fps=100.0, frame=600)
    assert ready(queued(1000), jobs=(early,), measured={}) == {"one": None}
    assert ready(queued(1000), jobs=(later,), measured={}) == {"one": 10.0}


def test_workers_that_take_nothing_new_finish_what_runs():
    job = running(50.0, fps=100.0, frame=500, batch="zero")
    found = ready(queued(1000), benches=(bench(slots=0),), jobs=(job,))
    assert found == {"zero": 5.0, "one": None}


def test_without_a_worker_nobody_can_tell():
    assert ready(queued(1000), benches=()) == {"one": None}


def test_what_was_never_measured_makes_all_after_it_unknown():
    other = QueuedBatch(id="new", preset="dnxhr-lb", loads=loads(10), numbers=[1])
    found = ready(queued(1000, batch="first"), other, queued(10, batch="last"))
    assert found == {"first": 10.0, "new": None, "last": None}


def test_a_job_of_unknown_length_weighs_as_the_others_of_its_size_do():
    batch = QueuedBatch(
        id="one",
        preset="prores-proxy",
        loads=Loads(sizes=(HD,), size_of=(0, 0), amounts=(1000.0, 0.0), seconds=(40.0, 0.0)),
        numbers=[1, 2],
    )
    assert ready(batch, benches=(bench(slots=1),)) == {"one": 20.0}


def test_a_batch_that_starts_later_is_counted_from_then():
    later = replace(queued(1000, 1000, 1000, batch="night"), after=600.0)
    assert ready(queued(1000), later) == {"one": 10.0, "night": 620.0}


def test_a_batch_with_a_tag_goes_to_workers_with_it_alone():
    benches = (bench(slots=1), replace(bench("b@gpu", slots=1), tags=("gpu",)))
    tagged = replace(queued(1000, 1000, batch="tagged"), tag="gpu")
    found = ready(tagged, queued(1000, 1000, batch="any"), benches=benches)
    assert found == {"tagged": 20.0, "any": 20.0}


def test_a_batch_that_no_worker_may_take_holds_up_no_other():
    tagged = replace(queued(1000, batch="tagged"), tag="gpu")
    assert ready(tagged, queued(1000)) == {"tagged": None, "one": 10.0}


def test_a_job_that_stands_still_keeps_its_slot():
    still = running(50.0, batch="still", stage=Stage.SUSPENDED, fps=100.0, frame=500)
    found = ready(queued(1000, 1000), benches=(bench(slots=2),), jobs=(still,))
    assert found == {"still": None, "one": 20.0}
    assert ready(queued(1000), benches=(bench(slots=1),), jobs=(still,))["one"] is None


def test_a_job_whose_worker_is_lost_starts_again():
    lost = running(50.0, worker="gone@host", stage=Stage.LOST)
    assert ready(jobs=(lost,)) == {"one": 10.0}


def test_ten_thousand_jobs_on_fifty_workers_are_played_through():
    benches = [bench(f"{n}@grade", slots=4) for n in range(50)]
    assert ready(queued(*[1000] * 10_000), benches=benches) == {"one": pytest.approx(500.0)}


@pytest.mark.parametrize(
    ("machine", "size", "speed"),
    [
        (FAST, HD, 100.0),
        (FAST, "960x540", 400.0),  # by pixels
        (SLOW, UHD, 5.0),
        (SLOW, HD, 20.0),  # its own pixels rather than another machine
        ("new*1", HD, 100.0),  # all machines that have made such a size
        ("new*1", "", 8.0),
        (FAST, "", None),
    ],
)
def test_the_nearest_that_was_measured_counts(machine, size, speed):
    found = {
        kind(): Measured(1000.0, 10.0),
        kind(SLOW, size=UHD): Measured(50.0, 10.0),
        Kind(SLOW, "wav", ""): Measured(80.0, 10.0),
    }
    preset = "wav" if machine == "new*1" and not size else "prores-proxy"
    assert Speeds(found).of(machine, preset, size) == pytest.approx(speed)
