"""The screen of `proxima work`, and its plain lines."""

import dataclasses

import pytest
from rich.cells import cell_len
from standings import GRADE, drawn

from proxima.cli.worker_view import changed_lines, render
from proxima.worker.slot_board import SlotLine, WorkerStanding

STANDING = WorkerStanding(
    name=GRADE,
    host="grade.studio.example",
    broker_shown="redis://:*****@farm:6379",
    slots=(
        SlotLine(slot=0, job="a", file="C001.mov", percent=42.9, fps=141.7, stage="encoding"),
        SlotLine(slot=1),
        SlotLine(slot=2, job="b", file="cam.ts", stage="encoding", position=72.0),
        SlotLine(slot=3, job="c", file="C003.mov", percent=100.0, stage="verifying"),
    ),
    done=12,
    failed=1,
    recent=("14:02:11 finished C000.mov", "14:01:07 failed C999.mov"),
)


def changed(**fields: object) -> WorkerStanding:
    return dataclasses.replace(STANDING, **fields)


def lines(standing: WorkerStanding, width: int = 60, height: int = 20) -> list[str]:
    return drawn(render(standing, width=width, height=height), width)


def test_the_whole_screen() -> None:
    assert lines(STANDING) == [
        "grade 3f2a  worker of redis://:*****@farm:6379",
        "12 done, 1 failed",
        " 1  C001.mov  ━━━━━━━━━━━━────────────────   42%     142 fps",
        " 2  waits for work",
        " 3  cam.ts    ────────────━━━━━━━─────────         1:12 done",
        " 4  C003.mov  ━━━━━━━━━━━━━━━━━━━━━━━━━━━╾   99%   verifying",
        "",
        "14:02:11 finished C000.mov",
        "14:01:07 failed C999.mov",
    ]


def test_a_draining_worker_says_what_a_second_interrupt_does() -> None:
    told = lines(changed(draining=True), 80)
    assert told[1] == "12 done, 1 failed, finishing what runs, Ctrl-C again stops now"


def test_trouble_is_shown() -> None:
    assert "nobody answers at redis://farm" in lines(
        changed(trouble="nobody answers at redis://farm")
    )


@pytest.mark.parametrize("width", [20, 60, 80, 200])
@pytest.mark.parametrize("height", [1, 3, 5, 10, 40])
def test_no_name_breaks_a_line_at_any_size(width: int, height: int) -> None:
    names = ["東京" * 50, "[red]\x1b[31m\n.mov", "x" * 300, "bad\udcff.mov"] * 3
    slots = tuple(
        SlotLine(slot=n, job=str(n), file=name, percent=50.0, fps=12345.0, stage="encoding")
        for n, name in enumerate(names)
    )
    told = lines(changed(slots=slots, recent=tuple(names), trouble=names[1] * 9), width, height)
    assert len(told) <= height
    assert max(map(cell_len, told)) <= width
    assert "".join(told).isprintable()


def test_slots_that_do_not_fit_are_counted() -> None:
    slots = tuple(SlotLine(slot=n) for n in range(20))
    told = lines(changed(slots=slots), 60, 10)
    assert len(told) == 10
    assert told[-1] == "and 13 slots more"


def test_the_first_lines_say_who_works_for_whom() -> None:
    idle = WorkerStanding(
        name=GRADE, host="grade", broker_shown="redis://farm:6379", slots=(SlotLine(slot=0),)
    )
    assert list(changed_lines(None, idle)) == [f"worker {GRADE} of redis://farm:6379, 1 slot"]


def test_a_slot_that_takes_a_job_says_so_once() -> None:
    further = SlotLine(slot=0, job="a", file="C001.mov", percent=50.0)
    taken = SlotLine(slot=1, job="z", file="C009.mov")
    now = changed(slots=(further, taken, *STANDING.slots[2:]))
    assert list(changed_lines(STANDING, now)) == ["started C009.mov in slot 2"]
    assert list(changed_lines(now, now)) == []


def test_new_events_are_told_in_their_order() -> None:
    now = changed(recent=("c", "b", *STANDING.recent))
    assert list(changed_lines(STANDING, now)) == ["b", "c"]
    cut = changed(recent=("c", STANDING.recent[0]))
    assert list(changed_lines(STANDING, cut)) == ["c"]


def test_trouble_and_draining_are_told_when_they_begin() -> None:
    now = changed(trouble="nobody answers", draining=True)
    assert list(changed_lines(STANDING, now)) == [
        "nobody answers",
        "finishing what runs, taking nothing new",
    ]
    assert list(changed_lines(now, changed(draining=True))) == ["the trouble is over"]
