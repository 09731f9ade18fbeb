"""A broker, workers and queuers, each a process of its own."""

import json
import os
import re
import signal
import subprocess
import time

import clips
import pytest
from terminal import proxima_command

from proxima.broker import batches, keys, speeds
from proxima.broker.address import BrokerAddress
from proxima.broker.connection import connect


@pytest.fixture
def farm(address):
    """Environment for commands of the farm."""
    return {"PROXIMA_BROKER": address.redis_url}


@pytest.fixture
def worker(farm, tmp_path):
    """Start workers; give their processes."""
    started = []

    def start(*args):
        log = (tmp_path / f"worker{len(started)}.log").open("w+")
        process = subprocess.Popen(
            [proxima_command(), "work", *args],
            env={**os.environ, **farm},
            stdout=log,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
        process.log = log
        started.append(process)
        return process

    yield start
    for process in started:
        if process.poll() is None:
            process.kill()
        process.wait()
        process.log.close()


def log_of(process):
    process.log.seek(0)
    return process.log.read()


def wait_for_log(process, text):
    deadline = time.monotonic() + 60
    while text not in log_of(process):
        assert time.monotonic() < deadline, log_of(process)
        assert process.poll() is None, log_of(process)
        time.sleep(0.05)


def wait_until(condition):
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def newest(farm):
    """Id of the batch that was sent last."""
    client = connect(BrokerAddress.parse(farm["PROXIMA_BROKER"]))
    return batches.newest(client)


def long_clip(tmp_path, seconds=60):
    folder = tmp_path / "long"
    folder.mkdir(exist_ok=True)
    clips.silent_clip(folder, "long.mov", seconds=seconds)
    return folder


def told_batches(proxima, farm):
    return json.loads(proxima("batches", "--json", env=farm).out)["batches"]


def test_two_queuers_each_see_their_own_batch(farm, worker, proxima, terminal, card):
    worker("--slots", "1")
    worker("--slots", "1")
    first = terminal("queue", card(2, "A001"), environment=farm)
    second = terminal("queue", card(3, "B002"), environment=farm)
    assert "A001C001" not in second.until_text("3/3 done")
    assert "B002C001" not in first.until_text("2/2 done")
    assert (first.wait(), second.wait()) == (0, 0)


def test_watch_shows_the_newest_batch_to_its_end(farm, worker, proxima, card):
    sent = proxima("queue", card(2), "--detach", env=farm)
    assert sent.code == 0
    assert "proxima watch" in sent.out
    worker()
    watched = proxima("watch", "--json", env=farm)
    assert watched.code == 0, watched.err
    assert [job["state"] for job in watched.jobs] == ["done", "done"]


def test_without_a_worker_the_view_says_so_and_waits(farm, worker, terminal, card):
    screen = terminal("queue", card(1), environment=farm)
    screen.until_text("proxima work")
    worker()
    screen.until_text("1/1 done")
    assert screen.wait() == 0


def test_ctrl_c_leaves_the_batch_running_and_shows_how_to_return(
    farm, worker, proxima, terminal, card
):
    screen = terminal("queue", card(1), environment=farm)
    screen.until_text("0/1 done")
    screen.press("\x03")
    assert screen.wait() == 130
    assert re.search(r"proxima watch \w{8}", screen.text())
    worker()
    assert proxima("watch", env=farm).code == 0


def test_ctrl_c_twice_cancels_the_batch(farm, worker, terminal, tmp_path, proxima):
    worker()
    folder = long_clip(tmp_path)
    screen = terminal("queue", folder, "--preset", "prores-hq", environment=farm)
    screen.until(lambda text: "fps" in text)
    screen.press("\x03")
    screen.until_text("proxima watch")
    screen.press("\x03")
    assert screen.wait() == 130
    assert "cancelled 1 of 1 jobs" in screen.text()
    watched = proxima("watch", "--json", env=farm)
    assert watched.code == 1
    assert [job["state"] for job in watched.jobs] == ["cancelled"]
    assert not (folder / "Proxy").exists()


def test_a_worker_without_roots_says_once_what_it_takes(worker):
    process = worker()
    wait_for_log(process, "worker ")
    assert log_of(process).count("jobs may read and write whatever this user may") == 1


def test_a_worker_told_to_stop_once_finishes_what_runs(farm, worker, terminal, tmp_path):
    one = worker("--slots", "1")
    folder = long_clip(tmp_path, seconds=20)
    screen = terminal("queue", folder, "--preset", "prores-hq", environment=farm)
    wait_for_log(one, "started long.mov")
    one.send_signal(signal.SIGTERM)
    assert one.wait(60) == 0
    screen.until_text("1/1 done")
    assert screen.wait() == 0


def test_a_worker_told_twice_hands_its_job_back(farm, worker, proxima, tmp_path):
    one = worker("--slots", "1")
    folder = long_clip(tmp_path, seconds=20)
    proxima("queue", folder, "--detach", "--preset", "prores-hq", env=farm)
    wait_for_log(one, "started long.mov")
    one.send_signal(signal.SIGINT)
    wait_for_log(one, "taking nothing new")
    one.send_signal(signal.SIGINT)
    assert one.wait(30) == 0
    assert not (folder / "Proxy").exists()
    worker("--slots", "1")
    watched = proxima("watch", "--json", env=farm)
    assert watched.code == 0, watched.out
    assert [job["state"] for job in watched.jobs] == ["done"]


def test_a_worker_process_that_dies_is_started_again(farm, worker, proxima, card):
    one = worker()
    wait_for_log(one, "worker ")
    inner = subprocess.run(
        ["pgrep", "-P", str(one.pid), "-f", "proxima.worker"], capture_output=True, text=True
    ).stdout.split()
    os.kill(int(inner[0]), signal.SIGKILL)
    wait_for_log(one, "started again")
    assert proxima("queue", card(1), env=farm).code == 0


def test_a_wrong_password_is_exit_3_with_a_remedy(proxima, address, card):
    wrong = address.redis_url.replace("test", "wrong")
    run = proxima("queue", card(1), "--broker", wrong)
    assert run.code == 3
    assert "refuses the password" in run.err
    assert "Traceback" not in run.err


def test_an_unreachable_broker_is_exit_3_with_a_remedy(proxima, card):
    run = proxima("queue", card(1), "--broker", "redis://127.0.0.1:1/0")
    assert run.code == 3
    assert "127.0.0.1:1" in run.err


def test_cancel_works_without_a_worker_and_retry_sends_it_again(farm, worker, proxima, card):
    proxima("queue", card(2), "--detach", env=farm)
    batch = newest(farm)
    assert "cancelled 2 of 2 jobs" in proxima("cancel", batch, env=farm).out
    assert proxima("watch", batch, "--json", env=farm).code == 1
    assert "sent 2 of 2 jobs again" in proxima("retry", batch, env=farm).out
    worker()
    assert proxima("watch", batch, env=farm).code == 0
    assert "sent 0 of 2 jobs again" in proxima("retry", batch, env=farm).out


def test_cancel_ends_a_running_encode_and_its_scratch(farm, worker, proxima, tmp_path):
    one = worker("--slots", "1")
    folder = long_clip(tmp_path)
    proxima("queue", folder, "--detach", "--preset", "prores-hq", env=farm)
    wait_for_log(one, "started long.mov")
    assert "cancelled 1 of 1 jobs" in proxima("cancel", newest(farm), env=farm).out
    watched = proxima("watch", "--json", env=farm)
    assert [job["state"] for job in watched.jobs] == ["cancelled"]
    assert not (folder / "Proxy").exists()


def test_a_batch_that_is_paused_now_stands_still_and_goes_on_without_loss(
    farm, worker, proxima, terminal, tmp_path
):
    one = worker("--slots", "1")
    folder = long_clip(tmp_path)
    screen = terminal("queue", folder, "--preset", "prores-hq", environment=farm)
    wait_for_log(one, "started long.mov")
    assert "stands still" in proxima("pause", newest(farm), "--now", env=farm).out
    screen.until_text("suspended")
    screen.until_text(f"proxima resume {newest(farm)}")
    assert "goes on" in proxima("resume", newest(farm), env=farm).out
    screen.until_text("1/1 done")
    assert screen.wait() == 0


def test_a_batch_that_starts_later_is_seen_and_started(farm, worker, proxima, terminal, card):
    worker()
    screen = terminal("queue", card(1), "--start-at", "23:59:59", environment=farm)
    screen.until_text("proxima start ")
    assert "started 1 of 1 jobs" in proxima("start", newest(farm), env=farm).out
    screen.until_text("1/1 done")
    assert screen.wait() == 0


def test_a_paused_worker_takes_nothing(farm, worker, proxima, terminal, card):
    one = worker()
    wait_for_log(one, "worker ")
    wait_until(lambda: json.loads(proxima("status", "--json", env=farm).out)["workers"])
    name = json.loads(proxima("status", "--json", env=farm).out)["workers"][0]["name"]
    assert "is paused" in proxima("pause", name, env=farm).out
    wait_until(lambda: "paused" in proxima("status", env=farm).out)
    screen = terminal("queue", card(1), environment=farm)
    screen.until_text("0/1 done")
    assert "takes jobs" in proxima("resume", name, env=farm).out
    screen.until_text("1/1 done")
    assert screen.wait() == 0


def test_a_batch_of_higher_priority_overtakes_one_that_waits_longer(farm, worker, proxima, card):
    first, second = card(2, "A001"), card(2, "B002")
    proxima("queue", first, "--detach", env=farm)
    proxima("queue", second, "--detach", env=farm)
    moved = proxima("priority", newest(farm), "0", env=farm)
    assert "2 waiting jobs were moved" in moved.out
    first_id, second_id = (batch["id"] for batch in told_batches(proxima, farm)[::-1])
    worker("--slots", "1")
    assert proxima("watch", first_id, env=farm).code == 0
    client = connect(BrokerAddress.parse(farm["PROXIMA_BROKER"]))
    ids = [keys.job_id(batch, number) for batch in (first_id, second_id) for number in (1, 2)]
    starts = {job_id: int(client.hget(keys.job(job_id), "start:1").split()[0]) for job_id in ids}
    assert sorted(starts, key=starts.__getitem__) == [*ids[2:], *ids[:2]]


def test_a_batch_for_a_tag_is_left_to_workers_that_have_it(
    farm, worker, proxima, terminal, card, tmp_path
):
    worker()
    screen = terminal("queue", card(1), "--on", "gpu", environment=farm)
    screen.until_text('No worker with "gpu" among its [worker] tags is alive')
    config = tmp_path / "gpu.toml"
    config.write_text('[worker]\ntags = ["gpu"]\n')
    worker("--config", str(config))
    screen.until_text("1/1 done")
    assert screen.wait() == 0


def test_a_worker_gets_more_slots_and_less_while_it_runs(farm, worker, proxima, tmp_path):
    one = worker("--slots", "1")
    wait_for_log(one, "worker ")
    wait_until(lambda: json.loads(proxima("status", "--json", env=farm).out)["workers"])

    def seen():
        (told,) = json.loads(proxima("status", "--json", env=farm).out)["workers"]
        return told["slots"], len(told["jobs"])

    name = json.loads(proxima("status", "--json", env=farm).out)["workers"][0]["name"]
    folder = tmp_path / "long"
    for number in range(3):
        long_clip(tmp_path)
        (folder / "long.mov").rename(folder / f"long{number}.mov")
    proxima("queue", folder, "--detach", "--preset", "prores-hq", env=farm)
    wait_until(lambda: seen() == (1, 1))
    assert "takes 2 jobs at a time" in proxima("workers", "slots", name, "2", env=farm).out
    wait_until(lambda: seen() == (2, 2))
    proxima("workers", "slots", name, "1", env=farm)
    wait_until(lambda: seen()[0] == 1)
    proxima("cancel", newest(farm), env=farm)
    assert proxima("watch", "--json", env=farm).code == 1


def test_status_tells_workers_batches_and_messages_set_aside(farm, worker, proxima, card, address):
    idle = proxima("status", env=farm)
    assert "No worker is alive. Start one with:\n  proxima work\n" in idle.out
    one = worker("--slots", "2")
    wait_for_log(one, "worker ")
    connect(address).lpush("proxima", "not json")
    proxima("queue", card(2), "--name", "[red]card", env=farm)
    told = json.loads(proxima("status", "--json", env=farm).out)
    assert [w["slots"] for w in told["workers"]] == [2]
    assert told["batches"][0]["jobs"]["done"] == 2
    assert told["set_aside"] == 1
    shown = proxima("status", env=farm).out
    assert "[red]card" in shown
    assert "1 message made no sense and were set aside" in shown
    batch = told["batches"][0]["id"]
    (listed,) = json.loads(proxima("batches", "--json", env=farm).out)["batches"]
    assert (listed["id"], listed["seconds"] > 0, listed["media_seconds_done"]) == (batch, True, 4)
    log = proxima("show", f"{batch}-00002", "--log", env=farm)
    assert "A001C002.mov" in log.out, log.err
    wait_until(lambda: speed_of(connect(address)))


def speed_of(client):
    """What a worker has told of the two clips; they may be told one after the other."""
    (kind, measured), *_ = speeds.read_measured(client.hgetall(keys.SPEEDS)).items() or [(0, 0)]
    return measured and kind.machine.endswith("*2") and measured.amount == 95.0


def test_a_drained_worker_takes_nothing_until_it_is_undrained(farm, worker, proxima, card):
    one = worker("--slots", "1")
    wait_for_log(one, "worker ")
    told = json.loads(proxima("status", "--json", env=farm).out)
    name = told["workers"][0]["name"]
    assert f"{name} takes nothing new" in proxima("workers", "drain", name[:8], env=farm).out
    wait_for_log(one, "taking nothing new")
    proxima("queue", card(1), "--detach", env=farm)
    other = worker("--slots", "1")
    assert proxima("watch", env=farm).code == 0
    assert "A001C001.mov" in log_of(other)
    assert ".mov" not in log_of(one)
    other.send_signal(signal.SIGTERM)
    assert other.wait(30) == 0
    proxima("queue", card(1, "B002"), "--detach", env=farm)
    proxima("workers", "undrain", name, env=farm)
    assert proxima("watch", env=farm).code == 0
    wait_for_log(one, "B002C001.mov")
    missing = proxima("workers", "drain", "nobody", env=farm)
    assert missing.code == 2
    assert name in missing.err
