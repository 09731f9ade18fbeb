"""The live view, drawn to text."""

import re

import pytest
from rich.cells import cell_len
from standings import (
    EDIT,
    GRADE,
    NOON,
    cancelled,
    done,
    drawn,
    event,
    failed,
    make_job,
    make_standing,
    running,
    utc,  # noqa: F401 - a fixture
    waiting,
)

from proxima.batch import Settled
from proxima.cli.live_view import MOST_WIDTH, render
from proxima.job import JobState
from proxima.progress import Stage
from proxima.queuer.standing import BatchStanding, EventKind, JobStanding

pytestmark = pytest.mark.usefixtures("utc")

SIZES = [(60, 24), (80, 24), (200, 50), (60, 10), (80, 10), (200, 10), (60, 5), (20, 3)]
NASTY = [
    "[bold red]take [link=x] [bold].mov",
    "東京の撮影_インタビュー_カメラB_テイク003.mxf",
    "line\nfeed\x1b[2J\ttab\u202egnp.mov",
    "\N{FAMILY} \N{HEAVY BLACK HEART}\ufe0f \U0001f469\u200d\U0001f4bb.mp4",
    "e\u0301tude_" + "a\u0301" * 60 + ".mov",
    "C" * 300 + "_take_0042.mov",
    "bad\udcffbyte.mov",
    "\u0301\u0301.mov",
]


def lines(standing: BatchStanding, width: int = 80, height: int = 24, **options: str) -> list[str]:
    return drawn(render(standing, width=width, height=height, **options), width)


def nasty_standing() -> BatchStanding:
    jobs = [
        running(make_job(n, name=name), worker=f"{n}{'w' * 40}@{'host' * n}.example", fps=99.0)
        for n, name in enumerate(NASTY, 1)
    ]
    bad = failed(make_job(99, name=NASTY[2]), message=f"{NASTY[2]}\n{NASTY[3]}")
    events = (event(EventKind.FAILED, bad.job, worker=f"{NASTY[1]}@{NASTY[2]}"),)
    return make_standing(*jobs, bad, events=events, label=NASTY[2] * 5)


def test_the_whole_picture() -> None:
    standing = make_standing(
        done(make_job(1)),
        running(make_job(2), 50.0, fps=142.4, speed=5.0, eta_seconds=10.0),
        running(make_job(3), 99.9, worker=EDIT, stage=Stage.VERIFYING),
        running(make_job(4, seconds=None), None, worker=EDIT, slot=1, position=72.0, frame=1800),
        waiting(make_job(5)),
        settled=(Settled(source="media:/A001/C000.mov", state=JobState.SKIPPED),),
        events=(event(EventKind.STARTED, make_job(4), EDIT),),
        eta_seconds=20.0,
    )
    assert lines(standing, 72, 20) == [
        "Day 12  prores-proxy  batch k3m9x2qp",
        "━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━╾─────────────────────────────────   49%",
        "1/5 done, 1 skipped, 3 slots on 2 workers",
        "5.0x realtime, 0:20 left, ready by 14:01",
        "13:59:59 started C004.mov on edit 9c1e",
        "",
        "C003.mov  edit 9c1e   ━━━━━━━━━━━━━━━━━━━━━━━━━╾   99%         verifying",
        "C004.mov  edit 9c1e   ──────────────────━━━━━━──       1:12, 1800 frames",
        "C002.mov  grade 3f2a  ━━━━━━━━━━━━━─────────────   50%  142 fps     0:10",
        "and 1 waiting",
    ]


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_no_name_breaks_a_line_at_any_size(width: int, height: int) -> None:
    told = lines(nasty_standing(), width, height)
    assert len(told) <= height
    assert max(map(cell_len, told)) <= width
    assert not re.search(r"[\x00-\x1f\x7f\u202e\u200d\ufe0f\ud800-\udfff]", "".join(told))


@pytest.mark.parametrize("width", [60, 80, 200])
def test_every_running_job_has_one_row_and_all_rows_align(width: int) -> None:
    told = lines(nasty_standing(), width, 40)
    rows = [line for line in told if " 50%" in line and line.endswith("99 fps")]
    assert len(rows) == len(NASTY)
    assert len({cell_len(row[: row.index(" 50%")]) for row in rows}) == 1


def test_brackets_are_no_markup_and_the_end_of_a_name_stays() -> None:
    told = "\n".join(lines(nasty_standing(), 200, 40))
    assert NASTY[0] in told
    assert "_take_0042.mov" in told
    assert r"line\nfeed\x1b[2J\ttab\u202egnp.mov" in told
    assert r"bad\xffbyte.mov" in told
    assert "東京の撮影_インタビュー_カメラB_テイク003.mxf" in told


def test_names_that_many_cards_share_are_told_apart_by_their_folder() -> None:
    jobs = [running(make_job(n, name=f"../CARD{n}/C0001.MP4"), slot=n) for n in (1, 2)]
    told = "\n".join(lines(make_standing(*jobs)))
    assert "CARD1/C0001.MP4 " in told
    assert "CARD2/C0001.MP4 " in told


def test_a_slot_keeps_its_row_when_it_takes_another_file() -> None:
    first = make_standing(running(make_job(1), slot=0), running(make_job(2), slot=1))
    later = make_standing(
        done(make_job(1)), running(make_job(2), slot=1), running(make_job(3), slot=0)
    )
    assert [row.split()[0] for row in lines(first)[-2:]] == ["C001.mov", "C002.mov"]
    assert [row.split()[0] for row in lines(later)[-2:]] == ["C003.mov", "C002.mov"]


@pytest.mark.parametrize("height", [8, 10, 12])
def test_what_does_not_fit_is_counted_in_one_line(height: int) -> None:
    jobs = [running(make_job(n), slot=n) for n in range(20)]
    queued = [waiting(make_job(n)) for n in range(20, 47)]
    told = lines(make_standing(*jobs, *queued), 80, height)
    rows = sum(" 50%" in line and line.startswith("C") for line in told)
    assert len(told) == height
    assert rows >= 2
    assert told[-1] == f"and 27 waiting, {20 - rows} running more"


def test_ten_thousand_jobs_are_as_many_lines_as_there_is_room_for() -> None:
    jobs = [running(make_job(n), slot=n) for n in range(64)]
    queued = [waiting(make_job(n)) for n in range(64, 10_000)]
    told = lines(make_standing(*jobs, *queued), 120, 40)
    assert len(told) == 40
    assert told[-1] == "and 9936 waiting, 28 running more"


def test_counts_that_are_nought_are_left_out() -> None:
    settled = (Settled(source="x", state=JobState.REFUSED),)
    jobs = (done(make_job(1)), failed(make_job(2)), cancelled(make_job(3)))
    every = lines(make_standing(*jobs, settled=settled, workers=1, slots=1))
    assert every[2] == "1/3 done, 1 failed, 1 cancelled, 1 refused, 1 slot on 1 worker"
    assert lines(make_standing(waiting(make_job())))[2] == "0/1 done, 3 slots on 2 workers"


def test_counts_that_do_not_fit_go_on_in_a_second_line() -> None:
    jobs = [failed(make_job(n)) for n in range(1000)] + [cancelled(make_job(n)) for n in range(9)]
    told = lines(make_standing(*jobs, slots=100, workers=50), 40, 20)
    assert told[2:4] == ["0/1009 done, 1000 failed, 9 cancelled", "100 slots on 50 workers"]


def test_never_a_hundred_percent_before_all_is_done() -> None:
    nearly = make_standing(*map(done, map(make_job, range(999))), running(make_job(999), 100.0))
    assert lines(nearly)[1].endswith(" 99%")
    assert "100%" not in "\n".join(lines(nearly))
    assert "─" in lines(nearly)[1] or "╾" in lines(nearly)[1]
    assert lines(make_standing(done(make_job())))[1] == "━" * 74 + "  100%"


def test_a_failed_job_is_a_gap_in_the_bar() -> None:
    ended = make_standing(done(make_job(1)), failed(make_job(2)))
    assert lines(ended)[1] == "━" * 37 + "╌" * 37 + "   50%"


def test_the_last_failure_is_told_until_the_next() -> None:
    bad = failed(make_job(1), message="media:/A001/C001.mov: the disk of grade is full")
    events = (event(EventKind.FINISHED, make_job(2)), event(EventKind.FAILED, bad.job, EDIT))
    told = lines(make_standing(bad, done(make_job(2)), events=events))
    assert told[3:5] == [
        "13:59:59 finished C002.mov on grade 3f2a",
        "last failure: C001.mov: the disk of grade is full",
    ]


@pytest.mark.parametrize(
    ("kind", "worker", "text"),
    [
        (EventKind.STARTED, GRADE, "started C001.mov on grade 3f2a"),
        (EventKind.CANCELLED, None, "cancelled C001.mov"),
        (EventKind.REQUEUED, EDIT, "requeued C001.mov (was on edit 9c1e)"),
    ],
)
def test_the_newest_event_names_file_and_worker(
    kind: EventKind, worker: str | None, text: str
) -> None:
    standing = make_standing(waiting(make_job()), events=(event(kind, make_job(), worker),))
    assert f"13:59:59 {text}" in lines(standing)


def test_without_workers_it_says_so_and_how_to_start_one() -> None:
    standing = make_standing(
        running(make_job(1)), waiting(make_job(2)), workers=0, eta_seconds=20.0
    )
    told = lines(standing, start_worker="proxima work --broker redis://farm:6379")
    assert told[2:5] == [
        "0/2 done, no worker",
        "No worker is alive. Start one with:",
        "  proxima work --broker redis://farm:6379",
    ]
    assert "ready by" not in "\n".join(told)


def test_a_long_command_is_shown_in_full() -> None:
    command = "proxima work --broker rediss://:" + "p" * 80 + "@farm:6379"
    told = lines(make_standing(waiting(make_job()), workers=0), 60, start_worker=command)
    assert command.replace(" ", "") in "".join(told).replace(" ", "")


def test_a_worker_that_was_just_started_is_not_missed_yet() -> None:
    standing = make_standing(waiting(make_job()), workers=0, created=NOON - 1)
    assert "No worker" not in "\n".join(lines(standing))


def test_without_the_broker_the_rest_is_kept() -> None:
    trouble = "nobody answers at redis://farm:6379 (start it: proxima broker --lan)"
    standing = make_standing(
        running(make_job()), workers=0, broker_trouble=trouble, eta_seconds=20.0
    )
    told = lines(standing)
    assert trouble in told
    assert any(line.startswith("C001.mov") for line in told)
    assert "ready by" not in "\n".join(told)
    assert "No worker" not in "\n".join(told)


def test_a_worker_that_takes_no_jobs_is_told_with_the_reason() -> None:
    standing = make_standing(waiting(make_job()), unwell=((GRADE, "no room in /media"),))
    assert "grade 3f2a takes no jobs until it is well: no room in /media" in lines(standing)


def test_busy_slots_are_waited_for() -> None:
    assert "waiting for a free slot" in lines(make_standing(waiting(make_job())))


def test_a_job_without_a_reading_is_starting() -> None:
    unread = JobStanding(job=make_job(), state=JobState.ENCODING)
    assert re.fullmatch(r"C001\.mov +─+ +starting", lines(make_standing(unread))[-1])


def test_a_notice_is_shown_in_full() -> None:
    notice = "The batch goes on. Again: proxima watch k3m9x2qp. Ctrl-C now cancels it."
    told = lines(make_standing(running(make_job())), 60, notice=notice)
    assert notice in " ".join(told)


def test_the_bar_and_the_count_are_the_last_to_go() -> None:
    standing = make_standing(running(make_job()), waiting(make_job(2)))
    assert [line[:8] for line in lines(standing, 80, 3)] == ["━" * 8, "0/2 done", "1 waitin"]
    assert len(lines(standing, 80, 1)) == 1


def test_a_very_wide_terminal_is_not_filled() -> None:
    told = lines(make_standing(running(make_job())), 400)
    assert max(map(len, told)) == MOST_WIDTH


def test_tomorrow_has_a_weekday() -> None:
    standing = make_standing(running(make_job(), 0.0), eta_seconds=24 * 3600.0)
    assert "24 h 00 left, ready by Fri 14:00" in lines(standing)[3]
