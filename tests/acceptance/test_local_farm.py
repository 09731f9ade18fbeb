"""`proxima queue` without a broker: a farm for the run, and nothing left of it."""

import json
import os
import signal
import time

import clips
import pytest


def test_every_clip_gets_a_verified_proxy_and_a_second_run_skips_all(proxima, card):
    folder = card(3)
    first = proxima("queue", folder, "--json")
    assert first.code == 0, first.err
    assert [job["state"] for job in first.jobs] == ["done"] * 3
    outputs = sorted(path.name for path in (folder / "Proxy").iterdir())
    assert outputs == ["A001C001.mov", "A001C002.mov", "A001C003.mov"]
    second = proxima("queue", folder, "--json")
    assert second.code == 0
    assert [job["state"] for job in second.jobs] == ["skipped"] * 3


def test_every_picture_is_compared_if_asked(proxima, card):
    run = proxima("queue", card(1), "--verify", "full")
    assert "every picture compared: SSIM 0.9" in run.out


def test_it_says_where_it_encodes_and_how_to_use_a_farm(proxima, card):
    run = proxima("queue", card(1))
    assert "encoding on this machine" in run.err
    assert "proxima broker --lan" in run.err


def test_nothing_is_left_running(proxima, card, processes):
    proxima("queue", card(1))
    assert processes() == set()


def test_a_bad_file_stops_the_batch_before_anything_is_sent(proxima, card):
    folder = card(1)
    clips.text_named_mov(folder)
    clips.empty_file(folder)
    run = proxima("queue", folder)
    assert run.code == 2
    assert "2 of 3 sources cannot be sent" in run.err
    assert "text.mov" in run.err
    assert "empty.mov" in run.err
    assert not (folder / "Proxy").exists()


def test_a_refused_batch_is_told_to_programs_source_by_source(proxima, card):
    folder = card(1)
    clips.empty_file(folder)
    run = proxima("queue", folder, "--json")
    assert run.code == 2
    assert run.json_lines[-1]["exit_code"] == 2
    kinds = {os.path.basename(job["source"]): job["error"]["kind"] for job in run.jobs}
    assert kinds == {"empty.mov": "source_damaged", "A001C001.mov": "plan_refused"}
    assert {job["state"] for job in run.jobs} == {"refused"}
    assert not (folder / "Proxy").exists()


def test_damage_is_never_a_clean_green(proxima, tmp_path):
    """QU-07: neither in the job nor in the exit code."""
    folder = tmp_path / "card"
    folder.mkdir()
    clips.bit_rot(folder)
    run = proxima("queue", folder, "--json")
    (job,) = run.jobs
    assert (run.code, job["state"]) == (1, "failed")
    assert job["error"]["kind"] == "source_damaged"
    assert not any((folder / "Proxy").glob("*"))


def test_what_can_be_made_of_a_damaged_source_is_made_if_asked(proxima, tmp_path):
    folder = tmp_path / "card"
    folder.mkdir()
    clips.truncated_fast_start(folder)
    (job,) = proxima("queue", folder, "--allow-damaged", "--json").jobs
    said = {warning["code"]: warning["message"] for warning in job["warnings"]}
    assert job["state"] == "done"
    assert "of 100 frames could be decoded" in said["source_damaged"]


def test_keep_going_sends_the_others_and_says_what_was_refused(proxima, card):
    folder = card(1)
    clips.text_named_mov(folder)
    clips.without_moov(folder)
    run = proxima("queue", folder, "--keep-going", "--json")
    assert run.code == 1
    states = {os.path.basename(job["source"]): job["state"] for job in run.jobs}
    assert states == {"A001C001.mov": "done", "text.mov": "refused", "no_moov.mp4": "refused"}
    errors = {os.path.basename(job["source"]): job["error"] for job in run.jobs}
    assert errors["text.mov"]["kind"] == "source_unsupported" or errors["text.mov"]["message"]
    assert "moov" in errors["no_moov.mp4"]["message"]


def test_the_terminal_shows_the_batch_to_its_end(terminal, card):
    screen = terminal("queue", card(2), columns=80)
    screen.until_text("2/2 done")
    assert screen.wait() == 0


def test_ctrl_c_stops_the_work_and_leaves_nothing(terminal, tmp_path, processes):
    folder = tmp_path / "long"
    folder.mkdir()
    clips.silent_clip(folder, "long.mov", seconds=120)
    screen = terminal("queue", folder, "--preset", "prores-hq")
    screen.until(lambda text: "long.mov" in text and "%" in text)
    screen.press("\x03")
    assert screen.wait() == 130
    assert processes() == set()
    assert not (folder / "Proxy").exists()


def test_a_killed_queuer_leaves_nothing_running(terminal, tmp_path, processes):
    folder = tmp_path / "long"
    folder.mkdir()
    clips.silent_clip(folder, "long.mov", seconds=120)
    screen = terminal("queue", folder, "--preset", "prores-hq")
    screen.until(lambda text: "fps" in text)
    assert any("ffmpeg" in line for line in processes())
    screen.process.kill(signal.SIGKILL)
    screen.wait()
    deadline = time.monotonic() + 20
    while processes():
        assert time.monotonic() < deadline, "something still runs"
        time.sleep(0.05)
    assert list((folder / "Proxy").glob("*")) == []


def test_a_local_farm_that_cannot_work_says_why_and_ends(proxima, card, tmp_path):
    config = tmp_path / "proxima.toml"
    config.write_text('[worker]\nffmpeg = "/nowhere/ffmpeg"\n')
    run = proxima("queue", card(1), "--config", config)
    assert run.code != 0
    assert "/nowhere/ffmpeg" in run.err


@pytest.mark.parametrize("columns", [60, 80, 200])
def test_plan_shows_what_would_happen_and_sends_nothing(terminal, card, columns):
    folder = card(1)
    screen = terminal("queue", folder, "--plan", columns=columns)
    assert screen.wait() == 0
    assert "A001C001.mov" in screen.text()
    assert not (folder / "Proxy").exists()


def test_plan_with_v_shows_the_ffmpeg_commands(proxima, card):
    run = proxima("queue", card(1), "--plan", "-v")
    assert run.code == 0
    assert "-progress" in run.out
    assert "prores_aw" in run.out


def test_plan_as_json_is_one_object(proxima, card):
    assert json.loads(proxima("queue", card(2), "--plan", "--json").out)["jobs"]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["queue", "nowhere.mov"], ["nowhere.mov"]),
        (["queue", ".", "--preset", "prores"], ["prores", "proxima presets"]),
        (["queue", "x.mov", "--detach"], ["x.mov"]),
        (["queue", "x.mov", "-v"], ["--plan"]),
        (["watch"], ["no broker is configured", "--broker"]),
        (["work"], ["no broker is configured", "proxima broker --lan"]),
        (["queue", "--config", "missing.toml", "x.mov"], ["missing.toml"]),
    ],
)
def test_a_users_mistake_gets_a_clear_word_and_exit_2(proxima, args, words):
    run = proxima(*args)
    assert run.code == 2
    assert all(word in run.err for word in words), run.err
    assert "Traceback" not in run.err
