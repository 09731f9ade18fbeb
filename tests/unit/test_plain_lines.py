"""A batch told in plain lines."""

import pytest
from standings import (
    EDIT,
    GRADE,
    NOON,
    cancelled,
    done,
    failed,
    make_job,
    make_standing,
    running,
    utc,  # noqa: F401 - a fixture
    waiting,
)

from proxima.cli.plain_lines import PlainLines
from proxima.queuer.standing import BatchStanding

pytestmark = pytest.mark.usefixtures("utc")

COMMAND = "proxima work --broker redis://farm:6379"


def told(*standings: BatchStanding, from_the_start: bool = True) -> list[str]:
    """Lines of the last standing, without their time."""
    written: list[str] = []
    lines = PlainLines(written.append, start_worker=COMMAND, from_the_start=from_the_start)
    for standing in standings:
        written.clear()
        lines.show(standing)
    assert all(line.startswith("14:00:00 ") for line in written)
    return [line.removeprefix("14:00:00 ") for line in written]


START = make_standing(waiting(make_job(1)), waiting(make_job(2)))


def test_the_first_lines_say_what_was_sent_and_to_whom() -> None:
    assert told(START) == [
        'batch k3m9x2qp "Day 12" to prores-proxy: 0/2 done',
        "3 slots on 2 workers",
    ]


def test_nothing_is_written_while_nothing_changes() -> None:
    assert told(START, START) == []
    before = make_standing(running(make_job(1), 11.0), waiting(make_job(2)))
    now = make_standing(running(make_job(1), 12.0), waiting(make_job(2)))
    assert told(before, now) == []


def test_start_and_end_of_a_job() -> None:
    started = make_standing(running(make_job(1), 0.0), waiting(make_job(2)))
    ended = make_standing(done(make_job(1), seconds=20.0), waiting(make_job(2)))
    assert told(START, started) == ["started C001.mov on grade 3f2a"]
    assert told(started, ended)[0] == "finished C001.mov on grade 3f2a in 0:20, 5.0x realtime"


def test_a_failure_says_why_and_what_to_do() -> None:
    bad = failed(make_job(1), "media:/A001/C001.mov: the disk is full", "make room")
    started = make_standing(running(make_job(1), 0.0), waiting(make_job(2)))
    ended = make_standing(bad, waiting(make_job(2)))
    assert told(started, ended) == ["failed C001.mov on edit 9c1e: the disk is full (make room)"]


def test_a_job_that_waits_again_and_one_that_was_cancelled() -> None:
    started = make_standing(running(make_job(1), 0.0, worker=EDIT), waiting(make_job(2)))
    later = make_standing(waiting(make_job(1)), cancelled(make_job(2)))
    assert told(started, later) == ["requeued C001.mov, was on edit 9c1e", "cancelled C002.mov"]


def test_progress_is_told_once_in_ten_percent_of_the_media() -> None:
    def at(percent: float) -> BatchStanding:
        return make_standing(running(make_job(1), percent), eta_seconds=6.5)

    assert told(at(0.0), at(9.0)) == []
    assert told(at(0.0), at(35.0)) == ["30% of the media, 0/1 done, ready by 14:01"]
    assert told(at(0.0), at(35.0), at(39.0)) == []
    assert told(at(0.0), at(35.0), at(20.0), at(39.0)) == []


def test_workers_come_and_go() -> None:
    nobody = make_standing(waiting(make_job(1)), workers=0, slots=0)
    somebody = make_standing(waiting(make_job(1)), workers=1, slots=1)
    assert told(nobody)[1:] == [f"no worker is alive; start one with: {COMMAND}"]
    assert told(nobody, nobody) == []
    assert told(nobody, somebody) == ["1 slot on 1 worker"]
    assert told(somebody, nobody) == [f"no worker is alive; start one with: {COMMAND}"]


def test_a_worker_that_was_just_started_is_not_missed_yet() -> None:
    young = make_standing(waiting(make_job(1)), workers=0, created=NOON - 1)
    old = make_standing(waiting(make_job(1)), workers=0, created=NOON - 10)
    assert len(told(young)) == 1
    assert told(young, old) == [f"no worker is alive; start one with: {COMMAND}"]


def test_trouble_with_the_broker_is_told_when_it_begins_and_ends() -> None:
    away = make_standing(waiting(make_job(1)), broker_trouble="nobody answers")
    back = make_standing(waiting(make_job(1)))
    assert told(back, away) == ["nobody answers"]
    assert told(back, away, away) == []
    assert told(back, away, back) == ["the broker answers again"]


def test_a_worker_that_takes_no_jobs_is_told_once_with_the_reason() -> None:
    well = make_standing(waiting(make_job(1)))
    ill = make_standing(waiting(make_job(1)), unwell=((GRADE, "no room in /media"),))
    still = make_standing(waiting(make_job(1)), unwell=((GRADE, "no room at all"),))
    line = "grade 3f2a takes no jobs until it is well: no room in /media"
    assert told(well, ill) == [line]
    assert told(ill, still) == []


def test_a_batch_seen_from_the_middle_does_not_tell_its_past() -> None:
    middle = make_standing(done(make_job(1)), running(make_job(2)))
    later = make_standing(done(make_job(1)), done(make_job(2)))
    assert len(told(middle)) == 6
    assert len(told(middle, from_the_start=False)) == 2
    assert told(middle, later, from_the_start=False)[0].startswith("finished C002.mov")


def test_a_notice_is_written_once() -> None:
    written: list[str] = []
    lines = PlainLines(written.append)
    for _ in range(3):
        lines.show(START, "The batch goes on.")
    assert [line for line in written if "goes on" in line] == ["14:00:00 The batch goes on."]


def test_no_name_steers_a_terminal_or_takes_two_lines() -> None:
    job = make_job(1, name="a\x1b[31m\nb\u202e[red].mov")
    standing = make_standing(failed(job, f"{job.source}\x07", "\x1b]0;x"), label="\x1b[1m\n")
    written: list[str] = []
    lines = PlainLines(written.append)
    lines.show(standing)
    lines.finish(standing)
    assert "".join(written).isprintable()


def test_the_end_is_a_summary() -> None:
    written: list[str] = []
    PlainLines(written.append).finish(make_standing(done(make_job(1))))
    assert written[:2] == ["Day 12", "1/1 done"]
