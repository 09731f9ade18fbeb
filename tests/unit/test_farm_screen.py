"""The farm on one screen, drawn at several widths; and the same for programs."""

import json
from collections import Counter

import pytest
from farms import HEALTH, busy_farm, encoding, farm, finished, line, worker
from rich.cells import cell_len
from standings import EDIT, GRADE, NOON, drawn, make_job, utc  # noqa: F401

from proxima.broker.health import BrokerHealth
from proxima.cli.farm_fields import of_farm
from proxima.cli.farm_screen import render_farm
from proxima.job import JobState
from proxima.progress import Stage

WIDTHS = (60, 80, 200)
HOSTILE = "[red]名前\x1b[2J\u202e\n[/bold]" + "x" * 300


def screen(standing, width=80, **options):
    return drawn(render_farm(standing, width=width, **options), width)


@pytest.mark.usefixtures("utc")
def test_a_farm_on_eighty_columns():
    assert screen(busy_farm()) == [
        "redis://broker:6399/0",
        "Valkey 9.1.2, on disk, 27 MiB, 0.3 ms away, 14 connections",
        "3 workers, 2/6 slots busy, 240 fps, 8 queued (3 at priority 2, 5 at 5)",
        "2 held for later, 1 message made no sense and were set aside",
        "",
        "worker        slots    fps      free   load  version    doing",
        "grade 3f2a      2/2    240    1.2 TB    3.2  0.1.0      C001.mov 50%, C002.mov …",
        "edit 9c1e       0/2          80.0 GB         0.1.0      drained",
        "render 77aa     0/2           1.2 TB    3.2  0.1.0      unwell: no room for the…",
        "",
        "batch     label   done                                           left  ready by",
        "k3m9x2qp  Day 12  4/10           ━━━━━━━━━────────────   45%    12:05  14:13",
        "b2        B002    0/3            ─────────────────────    0%  unknown",
        "old9x2qp  Day 12  9/10 1 failed  ━━━━━━━━━━━━━━━━━━╾╌╌   90%           in 5:00",
    ]


@pytest.mark.usefixtures("utc")
def test_a_narrow_terminal_keeps_what_is_done_and_when_it_is_ready():
    lines = screen(busy_farm(), 60)
    assert "grade 3f2a      2/2    240  C001.mov 50%, C002.mov 12%" in lines
    assert "k3m9x2qp Day 12 4/10          ━━━────  45%   12:05 14:13" in lines


@pytest.mark.usefixtures("utc")
def test_a_wide_terminal_tells_all_of_it():
    text = "\n".join(screen(busy_farm(), 200))
    assert "unwell: no room for the output in /mnt/media/A001/Proxy: 0.1 GB free" in text
    assert "ann@edit" in text


@pytest.mark.parametrize("width", WIDTHS)
def test_hostile_names_break_no_line(width):
    """Brackets are no markup, control characters no commands, and CJK takes two cells."""
    job = make_job(1, name=HOSTILE)
    standing = farm(
        line(label=HOSTILE),
        line("b2", label="素材" * 40),
        workers=(worker(f"3f2a@{HOSTILE}", encoding(job), version="\x1b[2J", unwell=HOSTILE),),
    )
    lines = screen(standing, width, trouble=HOSTILE)
    assert len(lines) == len(screen(farm(line(), line("b2"), workers=(worker(),)), width)) + 1
    assert all(cell_len(one) <= width for one in lines)
    assert not any(char in "".join(lines) for char in "\x1b\u202e\n")
    assert "[red]" in "".join(lines)


@pytest.mark.parametrize("width", [1, 20, 40, *WIDTHS, 500])
@pytest.mark.parametrize("height", [1, 5, 10, 24, 100])
def test_a_screen_is_never_too_large(width, height):
    workers = tuple(worker(f"{n:04}@edit{n}", encoding()) for n in range(50))
    batches = [line(f"batch{n:03}") for n in range(30)]
    lines = screen(farm(*batches, workers=workers), width, height=height)
    assert len(lines) <= height
    assert all(cell_len(one) <= width for one in lines)


def test_where_workers_and_batches_do_not_fit_both_are_told_of():
    workers = tuple(worker(f"{n:04}@edit{n}") for n in range(50))
    lines = screen(farm(*[line(f"batch{n:03}") for n in range(30)], workers=workers), height=24)
    shown = "\n".join(lines)
    assert shown.count("waits for work") >= 4
    assert shown.count("Day 12") >= 4
    shown_workers, shown_batches = shown.count("waits for work"), shown.count("Day 12")
    assert f"and {50 - shown_workers} workers more" in shown
    assert f"and {30 - shown_batches} batches more" in shown


def test_a_farm_without_workers_says_how_to_start_one():
    lines = screen(farm(), start_worker="proxima work --broker x")
    assert "No worker is alive. Start one with:" in lines
    assert "  proxima work --broker x" in lines


def test_what_is_wrong_with_the_broker_is_said_first():
    sick = BrokerHealth(
        address="redis://b", server="Redis", version="8.0", eviction="allkeys-lru", has_aof=True
    )
    lines = screen(farm(health=sick), trouble="no answer from b")
    assert lines[0] == "no answer from b"
    assert lines[1].startswith("broker: it may evict keys")
    assert "CONFIG SET maxmemory-policy" in " ".join(lines)
    brief = screen(farm(health=sick), 60, height=20)
    assert brief[0] == "broker: it may evict keys, and with them jobs (maxmemory-po…"
    assert "CONFIG" not in " ".join(brief)


def test_what_a_worker_does_is_told_by_its_stages():
    jobs = (
        encoding(make_job(1), stage=Stage.VERIFYING),
        encoding(make_job(2), None),
    )
    assert "C001.mov verifying, C002.mov" in screen(farm(workers=(worker(GRADE, *jobs),)), 120)[4]


def test_a_batch_that_no_worker_may_take_says_so():
    assert screen(farm(line(has_worker=False)))[-1].endswith(" no worker")


def test_a_paused_batch_says_so_in_place_of_its_end():
    assert " paused" in screen(farm(line(is_paused=True)))[-1]
    assert "paused" not in screen(farm(finished(is_paused=True)))[-1]


def test_batches_that_go_on_stand_before_those_that_have_ended():
    lines = screen(farm(finished("done1"), line("runs1")))
    assert [text[:5] for text in lines[-2:]] == ["runs1", "done1"]


def test_a_batch_that_has_ended_tells_how_long_it_took_and_how_fast_it_was():
    assert (finished().seconds, finished().speed) == (300.0, pytest.approx(10 / 3))
    assert (line().seconds, line().speed) == (None, None)


def test_no_batch_is_all_done_before_it_is():
    nearly = line(media_done=1000.0)
    assert nearly.fraction == 0.999
    assert finished().fraction == 1.0
    assert line(counts=Counter(), media=0.0, media_done=0.0).fraction == 1.0


def test_programs_get_all_of_it():
    told = json.loads(json.dumps(of_farm(busy_farm(), str)))
    assert told["type"] == "farm"
    assert told["queued"] == {"2": 3, "5": 5}
    assert (told["slots"], told["busy"], told["fps"], told["delayed"]) == (6, 2, 240.0, 2)
    grade, edit, _ = told["workers"]
    assert (grade["name"], grade["load"], grade["fps"]) == (GRADE, 3.2, 240.0)
    assert grade["encoding"][1]["source"] == "media:/A001/C002.mov"
    assert grade["encoding"][1]["percent"] == 12.0
    assert (edit["name"], edit["draining"], edit["free_bytes"]) == (EDIT, True, 80_000_000_000)
    batch = told["batches"][0]
    assert (batch["eta_seconds"], batch["ready_at"]) == (725.0, NOON + 725)
    assert batch["jobs"] == {"queued": 5, "encoding": 1, "done": 4, "failed": 0, "cancelled": 0}
    assert told["batches"][2]["seconds"] == 300.0
    assert told["broker"]["address"] == HEALTH.address
    assert told["broker"]["findings"] == []
    assert told["batches"][2]["jobs"][JobState.FAILED] == 1
