"""Workers that are killed and frozen."""

import os
import signal

import pytest
from kill.invariant import require

from proxima.broker import keys
from proxima.job import JobState

#: How a worker tells that a job is done, as the last step before the output gets its name.
FINISH = b"$4\r\ndone\r\n"


@pytest.mark.parametrize("how", ["kill_python", "kill_tree", "kill_everything"])
def test_a_job_whose_worker_was_killed_is_done_by_the_next(kill_farm, how):
    """OP-07: what a killed ffmpeg leaves never has the name of an output."""
    kill_farm.worker()
    job = kill_farm.send().jobs[0]
    getattr(kill_farm.until_encoding(job.id), how)()
    require(kill_farm, done=1)
    assert kill_farm.field(job.id, "attempt") == "2"


@pytest.mark.parametrize("how", ["kill_python", "kill_tree"])
def test_an_ffmpeg_never_outlives_its_worker(kill_farm, how):
    kill_farm.ffmpeg.order("hang")
    victim = kill_farm.worker()
    job = kill_farm.send().jobs[0]
    kill_farm.until(lambda: not kill_farm.ffmpeg.pending(), "ffmpeg hangs")
    getattr(victim, how)()
    kill_farm.until(lambda: not kill_farm.stray_processes(), "ffmpeg is gone")
    require(kill_farm, done=1)
    assert kill_farm.field(job.id, "attempt") == "2"


def test_a_word_that_arrives_after_another_took_over_is_refused(kill_farm):
    kill_farm.ready_worker()
    caught = kill_farm.network.trap(FINISH, forward=False)
    job = kill_farm.send().jobs[0]
    kill_farm.until(caught.is_set, "the worker says that it is done")
    kill_farm.worker(direct=True)
    kill_farm.until_encoding(job.id, attempt=2)
    kill_farm.network.open()
    require(kill_farm, done=1)
    assert kill_farm.field(job.id, "attempt") == "2"


@pytest.mark.parametrize("whole", [True, False], ids=["with ffmpeg", "python only"])
def test_a_frozen_worker_that_wakes_up_late_changes_nothing(kill_farm, whole):
    """QU-01: a second delivery harms nothing of the first."""
    kill_farm.worker()
    job = kill_farm.send().jobs[0]
    frozen = kill_farm.until_encoding(job.id)
    frozen.freeze(whole=whole)
    kill_farm.worker()
    kill_farm.until_state(job.id, JobState.DONE)
    frozen.thaw()
    require(kill_farm, done=1)


def test_a_worker_that_wakes_up_while_another_encodes_gives_way(kill_farm):
    kill_farm.worker()
    job = kill_farm.send().jobs[0]
    frozen = kill_farm.until_encoding(job.id)
    frozen.freeze()
    kill_farm.worker()
    kill_farm.until_encoding(job.id, attempt=2)
    frozen.thaw()
    require(kill_farm, done=1)


def test_a_message_lost_in_a_frozen_idle_worker_is_sent_again(kill_farm):
    frozen = kill_farm.ready_worker()
    frozen.freeze()
    job = kill_farm.send().jobs[0]
    kill_farm.until(lambda: kill_farm.messages() == 0, "the message is in a dead socket")
    frozen.kill_everything()
    require(kill_farm, done=1)
    assert kill_farm.field(job.id, "attempt") == "1"


def test_a_job_that_takes_down_three_workers_fails_and_leaves_no_scratch(kill_farm):
    """QU-02."""
    job = kill_farm.make_batch()
    kill_farm.submit(job)
    for attempt in (1, 2, 3):
        kill_farm.worker()
        kill_farm.until_encoding(job.jobs[0].id, attempt).kill_everything()
    kill_farm.worker()
    require(kill_farm, failed=1)


@pytest.mark.parametrize("fate", ["killed", "frozen"])
def test_an_output_accepted_but_not_named_gets_its_name_once(kill_farm, fate):
    victim = kill_farm.ready_worker()
    caught = kill_farm.network.trap(FINISH, forward=True)
    job = kill_farm.send(replacing=fate == "killed").jobs[0]
    kill_farm.until(caught.is_set, "the worker says that it is done")
    kill_farm.until_state(job.id, JobState.DONE)
    if fate == "killed":
        victim.kill_everything()
        require(kill_farm, done=1)
        return
    victim.freeze()
    kill_farm.network.open()
    kill_farm.worker()
    kill_farm.until(lambda: kill_farm.field(job.id, "published"), "somebody gave it its name")
    victim.thaw()
    require(kill_farm, done=1)


def test_a_job_cancelled_while_its_worker_is_frozen_ends_as_cancelled(kill_farm):
    kill_farm.worker()
    batch = kill_farm.send()
    frozen = kill_farm.until_encoding(batch.jobs[0].id)
    frozen.freeze()
    kill_farm.cancel(batch)
    kill_farm.worker()
    kill_farm.until_state(batch.jobs[0].id, JobState.CANCELLED)
    frozen.thaw()
    require(kill_farm, cancelled=1)


def test_a_job_cancelled_after_a_power_cut_leaves_no_scratch(kill_farm):
    kill_farm.worker()
    batch = kill_farm.send()
    kill_farm.until_encoding(batch.jobs[0].id).kill_everything()
    kill_farm.cancel(batch)
    require(kill_farm, cancelled=1)


def test_a_worker_told_to_stop_now_hands_its_job_on_without_a_lease_running_out(kill_farm):
    kill_farm.ffmpeg.order("hang")
    first = kill_farm.worker()
    job = kill_farm.send().jobs[0]
    kill_farm.until_state(job.id, JobState.ENCODING)
    kill_farm.worker()
    first.signal(signal.SIGTERM)
    # Two signals at once may arrive as one.
    kill_farm.until(lambda: first.says("taking nothing new"), "the first order has arrived")
    first.signal(signal.SIGTERM)
    assert first.wait(60) == 0
    require(kill_farm, done=1)
    assert kill_farm.field(job.id, "attempt") == "2"
    assert kill_farm.field(job.id, "lost") == ""


def test_a_dead_worker_leaves_the_roster(kill_farm):
    victim = kill_farm.ready_worker()
    victim.kill_everything()
    assert kill_farm.client.hexists(keys.WORKERS, victim.name)
    assert not any(os.path.exists(f"/proc/{pid}") for pid in victim.pids[1:])
