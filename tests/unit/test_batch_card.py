"""What `proxima show` and `proxima batches` tell, drawn at several widths; and for programs."""

import json
from collections import Counter
from dataclasses import replace

import msgspec
import pytest
from farms import finished, line
from rich.cells import cell_len
from rich.console import Group
from standings import EDIT, GRADE, NOON, drawn, make_job, utc  # noqa: F401

from proxima.batch import Batch, Settled
from proxima.broker.attempts import Attempt, AttemptEnd, JobRecord
from proxima.cli.batch_card import batch_lines
from proxima.cli.history_rows import history_rows
from proxima.cli.job_card import job_lines
from proxima.cli.record_fields import of_batch_record, of_job_record
from proxima.errors import FailureKind
from proxima.job import JobOutcome, JobState, JobWarning, Problem
from proxima.preset import Preset
from proxima.queuer.batch_record import BatchRecord

HOSTILE = "[red]名前\x1b[2J\u202e\n" + "x" * 300
FULL = Problem(
    kind=FailureKind.DISK_FULL, message="no room in /media: 0.1 GB free", hint="free space there"
)
WARNING = JobWarning(code="variable_rate", message="the frame rate varies")


def attempt(number=1, how=AttemptEnd.DONE, worker=GRADE, **fields):
    given = {"started": NOON, "ended": NOON + 65 if how else None, "how": how, **fields}
    return Attempt(number=number, worker=worker, **given)


def record(number, state, *attempts, name="", problem=None, warnings=()):
    outcome = None
    if state.is_final:
        outcome = JobOutcome(state=state, worker=GRADE, problem=problem, warnings=warnings)
    return JobRecord(
        job=make_job(number, name=name),
        state=state,
        priority=5,
        ended=NOON + 65 if state.is_final else None,
        outcome=outcome,
        attempts=attempts,
    )


def batch_record(*jobs, label="Day 12", is_job=False, settled=(), shown=None):
    batch = Batch(
        id="k3m9x2qp",
        label=label,
        user="ann",
        host="edit",
        created=NOON - 600,
        priority=5,
        preset=Preset(name="prores-proxy"),
        jobs=tuple(job.job for job in jobs),
        settled=settled,
    )
    return BatchRecord(line=shown or finished(), batch=batch, jobs=jobs, is_job=is_job)


RETRIED = record(
    1,
    JobState.DONE,
    attempt(1, AttemptEnd.RETRIED, EDIT, problem=FULL),
    attempt(2, warnings=(WARNING,)),
    warnings=(WARNING,),
)


@pytest.mark.usefixtures("utc")
def test_a_job_tells_every_attempt():
    told = drawn(Group(*job_lines(batch_record(RETRIED, is_job=True), 80)))
    assert told == [
        "done  job k3m9x2qp-1",
        "source   media:/A001/C001.mov",
        "output   media:/A001/Proxy/C001.mov",
        "media    1:40",
        "batch    Day 12, prores-proxy, priority 5",
        "sent by  ann@edit",
        "",
        "attempt 1  on edit 9c1e  5 Mar 14:00:00 to 14:01:05 (1:05)  failed, tried again",
        "    disk_full: no room in /media: 0.1 GB free",
        "    free space there",
        "attempt 2  on grade 3f2a  5 Mar 14:00:00 to 14:01:05 (1:05)  done",
        "    variable_rate: the frame rate varies",
        "ffmpeg's log: proxima show k3m9x2qp-1 --log",
    ]


def test_attempts_that_ended_otherwise_and_one_under_way():
    ends = (AttemptEnd.LOST, AttemptEnd.RETURNED, AttemptEnd.CANCELLED, AttemptEnd.FAILED, None)
    job = record(1, JobState.ENCODING, *(attempt(n, how) for n, how in enumerate(ends, 1)))
    told = [one.plain for one in job_lines(batch_record(job, is_job=True), 100)]
    words = ["worker lost", "handed back", "cancelled", "failed", "under way"]
    tried = [text for text in told if text.startswith("attempt")]
    assert [text.rpartition("  ")[2] for text in tried] == words


@pytest.mark.usefixtures("utc")
def test_a_job_that_no_worker_had_says_so():
    job = record(1, JobState.CANCELLED)
    told = [one.plain for one in job_lines(batch_record(job, is_job=True), 80)]
    assert told[-1] == "ended 14:01:05, before a worker had it"


@pytest.mark.usefixtures("utc")
def test_a_batch_tells_its_jobs_and_sums_up():
    failed = record(2, JobState.FAILED, attempt(1, AttemptEnd.FAILED, EDIT), problem=FULL)
    told = drawn(Group(*batch_lines(batch_record(RETRIED, failed), 80, now=NOON)))
    assert told[:8] == [
        "Day 12  prores-proxy  batch k3m9x2qp",
        "sent by ann@edit, 5 Mar 13:50:00, priority 5",
        "0.28 h of media, made on grade, ended 5 Mar 13:55:00",
        "",
        "job  source    state      worker      took     attempts",
        "1    C001.mov  done       grade 3f2a  1:05     2",
        "2    C002.mov  failed     edit 9c1e   1:05",
        "",
    ]
    assert "failed  C002.mov  on grade 3f2a" in told
    assert "    no room in /media: 0.1 GB free" in told
    assert "in 5:00, 0.33x realtime" in told


@pytest.mark.usefixtures("utc")
def test_a_batch_that_goes_on_tells_when_it_is_ready():
    told = batch_lines(batch_record(RETRIED, shown=line()), 80, now=NOON)
    assert told[2].plain == "0.28 h of media, 12:05 left, ready by 14:13"
    paused = batch_lines(batch_record(RETRIED, shown=line(is_paused=True)), 80, now=NOON)
    assert paused[2].plain == "0.28 h of media, paused"


def test_a_job_that_another_batch_had_sent_is_named_in_full():
    found = batch_record(RETRIED)
    other = msgspec.structs.replace(found.batch, id="secondxx")
    told = batch_lines(replace(found, batch=other), 80, now=NOON)
    assert told[5].plain.startswith("k3m9x2qp-1  C001.mov")


def test_of_a_long_batch_the_jobs_that_matter_most_are_told():
    jobs = [record(n, JobState.DONE, attempt(1)) for n in range(1, 200)]
    jobs.append(record(200, JobState.FAILED, attempt(1, AttemptEnd.FAILED), problem=FULL))
    told = [one.plain for one in batch_lines(batch_record(*jobs), 80, now=NOON)]
    assert any(text.startswith("200") for text in told)
    assert "and 150 jobs more (--all)" in told
    everything = batch_lines(batch_record(*jobs), 80, now=NOON, most=None)
    assert len(everything) == len(told) + 149


@pytest.mark.parametrize("width", [20, 60, 80, 200])
def test_hostile_names_break_no_line_of_a_card(width):
    bad = Problem(kind=FailureKind.UNKNOWN, message=HOSTILE, hint=HOSTILE)
    worker = f"3f2a@{HOSTILE}"
    job = record(
        1,
        JobState.FAILED,
        attempt(1, AttemptEnd.FAILED, worker, problem=bad, warnings=(WARNING,)),
        name=HOSTILE,
        problem=bad,
    )
    settled = (Settled(source=HOSTILE, state=JobState.REFUSED, problem=bad),)
    found = batch_record(job, label=HOSTILE, settled=settled)
    found = replace(found, batch=replace_batch(found.batch))
    for lines in (batch_lines(found, width, now=NOON), job_lines(found, width)):
        told = drawn(Group(*lines), width)
        assert len(told) == len(lines)
        assert all(cell_len(one) <= width for one in told)
        assert not any(char in "".join(told) for char in "\x1b\u202e")


def replace_batch(batch):
    return msgspec.structs.replace(batch, user=HOSTILE, host=HOSTILE)


HALF = finished(
    label="Day 11",
    counts=Counter({JobState.DONE: 8, JobState.FAILED: 2}),
    hosts={"edit": 2, "grade": 8},
)
ROW = "old9x2qp  Day 11  ann@edit  5 Mar 13:50  8/10, 2 failed    5:00  0.28 h  3.3x   grade, edit"


@pytest.mark.usefixtures("utc")
def test_the_list_of_batches_tells_time_media_speed_owner_and_hosts():
    assert [row.plain for row in history_rows([line(), HALF], None)] == [
        "batch     label   from      sent         done              took  media   speed  on",
        "k3m9x2qp  Day 12  ann@edit  5 Mar 13:50  4/10, 1 encoding        0.12 h",
        ROW,
    ]


@pytest.mark.usefixtures("utc")
@pytest.mark.parametrize(
    ("width", "row"),
    [
        (60, "old9x2qp  Day 11  5 Mar 13:50  8/10, 2 failed  5:00  3.3x"),
        (80, "old9x2qp  Day 11  ann@edit  5 Mar 13:50  8/10, 2 failed  5:00  0.28 h  3.3x"),
    ],
)
def test_a_narrow_list_leaves_columns_out(width, row):
    assert [one.plain for one in history_rows([HALF], width)][1] == row


@pytest.mark.parametrize("width", [20, 60, 80, 200])
def test_hostile_names_break_no_row_of_the_list(width):
    bad = line(label=HOSTILE, hosts={HOSTILE: 1})
    rows = drawn(Group(*history_rows([bad, HALF], width)), width)
    assert len(rows) == 3
    assert all(cell_len(row) <= width for row in rows)
    assert not any(char in "".join(rows) for char in "\x1b\u202e")


def test_programs_get_every_attempt():
    told = json.loads(json.dumps(of_job_record(RETRIED, str)))
    assert (told["job"], told["state"], told["ended"]) == ("k3m9x2qp-1", "done", NOON + 65)
    first, second = told["attempts"]
    assert (first["how"], first["worker"], first["error"]["kind"]) == ("retried", EDIT, "disk_full")
    assert (second["how"], second["error"]) == ("done", None)
    assert second["warnings"] == [{"code": "variable_rate", "message": "the frame rate varies"}]
    batch = of_batch_record(batch_record(RETRIED), NOON, str)
    assert (batch["type"], batch["seconds"], len(batch["records"])) == ("batch", 300.0, 1)
