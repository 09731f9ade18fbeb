"""The last words on a batch."""

import pytest
from rich.cells import cell_len
from standings import (
    cancelled,
    done,
    drawn,
    failed,
    make_job,
    make_standing,
)

from proxima.batch import Settled
from proxima.cli.batch_summary import MOST_CARDS, summary
from proxima.errors import FailureKind, ProximaError
from proxima.job import JobState, JobWarning, Problem
from proxima.queuer.standing import BatchStanding


def lines(standing: BatchStanding, width: int = 80, **options: object) -> list[str]:
    return drawn(summary(standing, width, **options), width)


def local(path: str) -> str:
    if not path.startswith("media:/"):
        raise ProximaError("no root")
    return path.replace("media:/", "/Volumes/Media/", 1)


def test_all_went_well() -> None:
    standing = make_standing(done(make_job(1)), done(make_job(2)), spent=59.0)
    assert lines(standing, local=local) == [
        "Day 12",
        "2/2 done",
        "in 0:59, 3.4x realtime, 2.0 MB",
        "outputs in",
        "    /Volumes/Media/A001/Proxy",
    ]


def test_a_failure_is_a_card_with_file_worker_reason_and_hint() -> None:
    told = lines(make_standing(failed(make_job(1), "the disk of edit is full", "make room")))
    assert told[:4] == [
        "failed  C001.mov  on edit 9c1e",
        "    the disk of edit is full",
        "    make room",
        "",
    ]


def test_a_refused_source_is_a_card_too_and_a_cancelled_job_is_none() -> None:
    problem = Problem(kind=FailureKind.SOURCE_UNSUPPORTED, message="this is text", hint="")
    settled = (Settled(source="media:/x.mov", state=JobState.REFUSED, problem=problem),)
    assert lines(make_standing(cancelled(make_job(1)), settled=settled)) == [
        "refused  x.mov",
        "    this is text",
        "",
        "Day 12",
        "0/1 done, 1 cancelled, 1 refused",
    ]


def test_hundreds_of_failures_are_cards_first_and_kinds_then() -> None:
    told = lines(make_standing(*(failed(make_job(n)) for n in range(MOST_CARDS + 9))))
    assert sum(line.startswith("failed  C") for line in told) == MOST_CARDS
    assert "and 9 more: 9 disk_full" in told


def test_warnings_are_grouped_by_their_code() -> None:
    def dropped(number: int) -> JobWarning:
        return JobWarning(code="sound_dropped", message=f"track {number} is left out")

    varied = JobWarning(code="variable_rate", message="S1.mov: frames are uneven")
    settled = (Settled(source="media:/S1.mov", state=JobState.SKIPPED, warnings=(varied,)),)
    jobs = [done(make_job(n), dropped(n)) for n in range(1, 6)]
    assert lines(make_standing(*jobs, settled=settled))[:8] == [
        "warning  sound_dropped, 5 files",
        "    C001.mov: track 1 is left out",
        "    C002.mov: track 2 is left out",
        "    C003.mov: track 3 is left out",
        "    and 2 more",
        "",
        "warning  variable_rate, 1 file",
        "    S1.mov: frames are uneven",
    ]


def test_nothing_to_do() -> None:
    settled = (Settled(source="media:/x.mov", state=JobState.SKIPPED),) * 20
    assert lines(make_standing(settled=settled)) == ["Day 12", "nothing to do, 20 skipped"]


def test_many_folders_are_named_by_what_they_share() -> None:
    jobs = [done(make_job(n, name=f"../CARD{n}/C.mov")) for n in range(9)]
    for job in jobs:
        assert job.job.output.startswith("media:/A001/Proxy/..")
    told = lines(make_standing(*jobs), local=lambda path: f"/mnt{path[6:]}")
    assert told[-2:] == ["outputs in 9 folders below", "    /mnt/A001/Proxy/.."]


def test_folders_that_share_nothing_are_listed_in_part() -> None:
    jobs = [done(make_job(n)) for n in range(6)]
    drives = iter("CDEFGH")
    told = lines(make_standing(*jobs), local=lambda _: f"{next(drives)}:\\Proxy\\C.mov")
    assert told[-6:] == [
        "outputs in",
        "    C:\\Proxy",
        "    D:\\Proxy",
        "    E:\\Proxy",
        "    F:\\Proxy",
        "    and 2 more",
    ]


def test_how_long_it_took_is_not_guessed() -> None:
    """Of a batch that ended before anybody looked."""
    assert lines(make_standing(done(make_job(1))))[:3] == ["Day 12", "1/1 done", "1.0 MB"]


@pytest.mark.parametrize("width", [40, 60, 80, 200])
def test_no_name_breaks_a_line_and_no_reason_is_cut(width: int) -> None:
    name = "東京\x1b[2J\n[red]" + "x" * 100 + ".mov"
    bad = failed(make_job(1, name=name), "because " * 50, "do this " * 50)
    told = lines(make_standing(bad, label=name), width)
    assert max(map(cell_len, told)) <= width
    assert " ".join(told).split().count("because") == 50
    assert "".join(told).isprintable()
