"""From sources to a plan."""

import os
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from plans import PROXY, Looking, make_media, make_sound

from proxima.config.schema import IfExists
from proxima.errors import FailureKind, PlanRefused, SourceUnreadable
from proxima.job import JobState
from proxima.media import OtherStream
from proxima.preset import Preset
from proxima.queuer.discover import discover
from proxima.queuer.growth import GrowthWatch
from proxima.queuer.plan import Plan, make_plan, refuse_unless
from proxima.queuer.plan_inputs import PlanOptions
from proxima.timecode import Timecode

#: When the files of these tests were written, and a while later: seconds since the epoch.
THEN, NOW = 1_000_000, 2_000_000

DATA = OtherStream(index=9, kind="data", codec="gpmd")

Make = Callable[..., Path]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Make files of the same age below the test's folder."""

    def files(*names: str, age: int = 0) -> Path:
        for name in names:
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(b"media")
            os.utime(path, (THEN - age, THEN - age))
        return tmp_path

    return files


def plan(
    folder: Path,
    *arguments: str,
    looking: Looking | None = None,
    output: str | None = None,
    if_exists: IfExists = "skip",
    preset: Preset = PROXY,
) -> Plan:
    """The plan for *arguments* in *folder*."""
    discovery = discover(arguments or ["."], frozenset({".mov", ".mp4", ".wav"}), folder)
    options = PlanOptions(
        preset=preset, output=folder / output if output else None, if_exists=if_exists
    )
    return make_plan(discovery, options, (looking or Looking()).tools(now=NOW))


def jobs(planned: Plan, folder: Path) -> dict[str, str]:
    """Sources and outputs of the jobs, by their names below *folder*."""
    return {
        job.source.relative_to(folder).as_posix(): job.output.relative_to(folder).as_posix()
        for job in planned.jobs
    }


def faults(planned: Plan, folder: Path) -> dict[str, tuple[str, str]]:
    """Kind and message of each refusal, without the folder."""
    return {
        settled.source.replace(f"{folder}/", ""): (
            settled.problem.kind.value,
            settled.problem.message.replace(f"{folder}/", ""),
        )
        for settled in planned.refused
        if settled.problem
    }


def test_each_source_becomes_a_job_with_all_that_is_known_of_it(make: Make) -> None:
    folder = make("A/C10.mov", "A/C2.mov")
    looking = Looking(usual=replace(make_media(), others=(DATA,)))
    planned = plan(folder, "A", looking=looking)
    assert jobs(planned, folder) == {"A/C2.mov": "A/Proxy/C2.mov", "A/C10.mov": "A/Proxy/C10.mov"}
    job = planned.jobs[0]
    assert job.media == looking.usual
    assert [warning.code for warning in job.warnings] == ["data_dropped"]
    assert (job.seconds, job.frames) == (10.0, 250)
    assert (job.replace, job.reason) == (False, "")
    # A quarter of 45 Mb/s at 25 frames a second, and two channels of 16 bits.
    assert job.estimated_bytes == 13_650_469
    assert planned.settled == ()


def test_outputs_of_two_cards_keep_apart_in_one_folder(make: Make) -> None:
    folder = make("A001/C1.mov", "B002/C1.mov")
    assert jobs(plan(folder, "A001", "B002", output="out"), folder) == {
        "A001/C1.mov": "out/A001/C1.mov",
        "B002/C1.mov": "out/B002/C1.mov",
    }


def test_outputs_are_named_without_dots_and_from_the_root_on(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make("A/C1.mov", "real/deep/x")
    (folder / "link").symlink_to("real/deep")
    monkeypatch.chdir(folder)
    discovery = discover(["A"], frozenset({".mov"}), folder)
    options = PlanOptions(preset=PROXY, output=Path("link/../out"))
    (job,) = make_plan(discovery, options, Looking().tools(now=NOW)).jobs
    assert job.output == folder / "real/out/A/C1.mov"


def test_all_faults_are_found_at_once_and_the_others_are_planned(make: Make) -> None:
    folder = make("A/a.mov", "A/b.mov", "A/c.mp4", "A/c.mov", "A/tiny.mov", "A/good.mov")
    unreadable = SourceUnreadable(FailureKind.SOURCE_DAMAGED, "A/a.mov: no moov", "copy it")
    looking = Looking(
        {"a.mov": unreadable, "tiny.mov": make_media(rate=Fraction(25), width=64, height=64)}
    )
    dnxhr = Preset(name="dnxhr-lb", video_codec="dnxhr", profile="lb")
    planned = plan(folder, "A", "A/gone.mov", looking=looking, preset=dnxhr)
    assert faults(planned, folder) == {
        "A/a.mov": ("source_damaged", "A/a.mov: no moov"),
        "A/c.mov": ("output_clash", "A/c.mov: A/c.mp4 would become A/Proxy/c.mov, too"),
        "A/c.mp4": ("output_clash", "A/c.mp4: A/c.mov would become A/Proxy/c.mov, too"),
        "A/gone.mov": ("source_missing", "A/gone.mov: there is no such file"),
        "A/tiny.mov": (
            "preset_unsuitable",
            "A/tiny.mov: dnxhr holds no picture of 64x64 (at least 256x120)",
        ),
    }
    assert [Path(settled.source).name for settled in planned.settled] == [
        "a.mov",
        "c.mov",
        "c.mp4",
        "gone.mov",
        "tiny.mov",
    ]
    assert list(jobs(planned, folder)) == ["A/b.mov", "A/good.mov"]


def test_a_source_whose_end_is_missing_is_refused(make: Make) -> None:
    folder = make("A/C1.mov")
    cut = Looking(usual=replace(make_media(), missing_bytes=17))
    message = "A/C1.mov: incomplete file: its last 17 bytes are missing"
    assert faults(plan(folder, "A", looking=cut), folder) == {
        "A/C1.mov": ("source_damaged", message)
    }


def test_sound_beside_pictures_is_skipped_and_refused_only_when_named(make: Make) -> None:
    folder = make("A/C1.mov", "A/C1.wav")
    looking = Looking({"C1.wav": make_sound()})
    planned = plan(folder, "A", looking=looking)
    assert jobs(planned, folder) == {"A/C1.mov": "A/Proxy/C1.mov"}
    (skipped,) = planned.skipped
    assert (skipped.output, skipped.warnings[0].code) == (None, "source_unsuitable")
    assert list(faults(plan(folder, "A", "A/C1.wav", looking=looking), folder)) == ["A/C1.wav"]


@pytest.mark.parametrize("if_exists", ["skip", "replace", "fail"])
def test_an_output_is_never_a_source(make: Make, if_exists: IfExists) -> None:
    folder = make("A/C1.mov", "A/Proxy/C1.mov")
    os.link(folder / "A/C1.mov", folder / "hard.mov")
    clash = "A/C1.mov: its output A/Proxy/C1.mov is itself a source"
    planned = plan(folder, "A/C1.mov", "A/Proxy/C1.mov", if_exists=if_exists)
    assert faults(planned, folder) == {"A/C1.mov": ("output_clash", clash)}
    assert list(jobs(planned, folder)) == ["A/Proxy/C1.mov"]
    itself = plan(folder, "A/C1.mov", output="A", if_exists=if_exists)
    assert itself.jobs == ()
    assert faults(itself, folder)["A/C1.mov"][0] == "output_clash"


def test_an_output_that_is_a_source_by_another_name_is_found(make: Make) -> None:
    folder = make("A/C1.mov", "A/C2.mov", "A/empty.mov")
    (folder / "A/empty.mov").write_bytes(b"")
    (folder / "out").mkdir()
    os.link(folder / "A/C2.mov", folder / "out/C1.mov")
    (folder / "out/C2.mov").symlink_to(folder / "A/empty.mov")
    planned = plan(folder, "A/C1.mov", "A/C2.mov", "A/empty.mov", output="out", if_exists="replace")
    assert planned.jobs == ()
    assert {kind for kind, _ in faults(planned, folder).values()} == {
        "output_clash",
        "source_damaged",
    }


def test_a_source_that_is_not_there_yet_is_no_place_for_an_output(make: Make) -> None:
    folder = make("A/C1.mov")
    told = faults(plan(folder, "A/C1.mov", "A/Proxy/C1.mov"), folder)
    assert {name: kind for name, (kind, _) in told.items()} == {
        "A/C1.mov": "output_clash",
        "A/Proxy/C1.mov": "source_missing",
    }


def test_two_outputs_through_a_linked_folder_are_one(make: Make) -> None:
    folder = make("A/C1.mov", "B/C1.mp4", "proxies/x.mov")
    for card in "AB":
        (folder / card / "Proxy").symlink_to(folder / "proxies")
    planned = plan(folder, "A/C1.mov", "B/C1.mp4")
    assert {kind for kind, _ in faults(planned, folder).values()} == {"output_clash"}
    assert len(planned.refused) == 2


def test_a_complete_and_newer_output_is_skipped(make: Make) -> None:
    folder = make("A/C1.mov", age=10)
    make("A/Proxy/C1.mov")
    looking = Looking()
    planned = plan(folder, "A", looking=looking)
    (skipped,) = planned.settled
    assert planned.jobs == ()
    assert skipped.state is JobState.SKIPPED
    assert (skipped.source, skipped.output) == (
        str(folder / "A/C1.mov"),
        str(folder / "A/Proxy/C1.mov"),
    )
    assert looking.progress == [(1, 2), (2, 2)]


@pytest.mark.parametrize(
    ("age", "found", "reason"),
    [
        (20, make_media(), "it is older than its source"),
        (0, make_media(frames=125), "it has 125 frames, a new one 250"),
        (0, SourceUnreadable(FailureKind.SOURCE_DAMAGED, "no moov"), "it does not open"),
    ],
)
def test_an_output_that_is_older_or_incomplete_is_made_again(
    make: Make, age: int, found: object, reason: str
) -> None:
    folder = make("A/C1.mp4", age=10)
    make("A/Proxy/C1.mov", age=age)
    (job,) = plan(folder, "A", looking=Looking({"C1.mov": found})).jobs  # type: ignore[dict-item]
    assert (job.replace, job.reason) == (True, reason)


def test_a_link_to_nothing_in_the_place_of_an_output_is_replaced(make: Make) -> None:
    folder = make("A/C1.mov")
    (folder / "A/Proxy").mkdir()
    (folder / "A/Proxy/C1.mov").symlink_to("gone.mov")
    (job,) = plan(folder, "A").jobs
    assert (job.replace, job.reason) == (True, "it is no file")


def test_an_output_that_must_not_be_looked_at_is_not_replaced(make: Make) -> None:
    folder = make("A/C1.mp4", "A/Proxy/C1.mov")
    closed = SourceUnreadable(FailureKind.PERMISSION, "A/Proxy/C1.mov: no permission to read it")
    planned = plan(folder, "A", looking=Looking({"C1.mov": closed}))
    assert faults(planned, folder) == {
        "A/C1.mp4": ("permission", "A/Proxy/C1.mov: no permission to read it")
    }


def test_existing_outputs_can_be_replaced_renamed_or_refused(make: Make) -> None:
    folder = make("A/C1.mov", "A/C2.mov", "A/Proxy/C1.mov", "A/Proxy/C1_1.mov")
    replaced = plan(folder, "A", if_exists="replace")
    assert [job.replace for job in replaced.jobs] == [True, True]
    renamed = plan(folder, "A", if_exists="rename")
    assert jobs(renamed, folder) == {
        "A/C1.mov": "A/Proxy/C1_2.mov",
        "A/C2.mov": "A/Proxy/C2.mov",
    }
    assert [job.replace for job in renamed.jobs] == [False, False]
    refused = plan(folder, "A", if_exists="fail")
    assert jobs(refused, folder) == {"A/C2.mov": "A/Proxy/C2.mov"}
    assert faults(refused, folder) == {
        "A/C1.mov": ("output_exists", "A/C1.mov: its output A/Proxy/C1.mov exists")
    }


def test_only_skip_looks_into_outputs(make: Make) -> None:
    folder = make("A/C1.mov", "A/Proxy/C1.mov")
    for if_exists in ("replace", "rename", "fail"):
        looking = Looking()
        plan(folder, "A", looking=looking, if_exists=if_exists)  # type: ignore[arg-type]
        assert looking.probed == [folder / "A/C1.mov"]


def test_renamed_outputs_keep_out_of_each_others_way(make: Make) -> None:
    folder = make("A/C1.mov", "A/C1.mp4", "A/C1_1.mov")
    assert jobs(plan(folder, "A", if_exists="rename"), folder) == {
        "A/C1.mov": "A/Proxy/C1.mov",
        "A/C1.mp4": "A/Proxy/C1_1.mov",
        "A/C1_1.mov": "A/Proxy/C1_1_1.mov",
    }


@pytest.mark.parametrize("age", [0, 20], ids=["newer", "older"])
def test_the_proxy_of_another_card_is_neither_taken_nor_replaced(make: Make, age: int) -> None:
    """FN-17: C1 of the next card, into the same folder; its clip has another timecode."""
    folder = make("B/C1.mp4", age=10)
    make("out/C1.mov", age=age)
    there, new = (
        replace(make_media(), timecode=Timecode.parse(label))
        for label in ("01:00:00:00", "02:00:00:00")
    )
    looking = Looking({"C1.mov": there, "C1.mp4": new})
    why = (
        "B/C1.mp4: its output out/C1.mov exists, made of another clip: "
        "it starts at 01:00:00:00, a new one at 02:00:00:00"
    )
    refused = plan(folder, "B/C1.mp4", output="out", looking=looking)
    assert faults(refused, folder) == {"B/C1.mp4": ("output_exists", why)}
    (job,) = plan(folder, "B/C1.mp4", output="out", looking=looking, if_exists="rename").jobs
    assert job.output == folder / "out/C1_1.mov"


def test_a_folder_in_the_place_of_an_output_is_refused(make: Make) -> None:
    folder = make("A/C1.mov", "A/Proxy/C1.mov/x")
    message = "A/C1.mov: a folder has the name of its output A/Proxy/C1.mov"
    planned = plan(folder, "A", if_exists="replace")
    assert faults(planned, folder) == {"A/C1.mov": ("output_exists", message)}


def test_a_name_that_gets_too_long_is_refused(make: Make) -> None:
    name = "L" * 255
    folder = make(name, "C1.mov")
    planned = plan(folder, name, "C1.mov")
    assert faults(planned, folder)[name][0] == "path_refused"
    assert list(jobs(planned, folder)) == ["C1.mov"]


def test_a_folder_that_cannot_be_written_is_refused(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make("A/C1.mov", "B/C1.mov", "file")
    monkeypatch.setattr(os, "access", lambda path, _mode: Path(path).name != "A")
    closed = faults(plan(folder, "A", "B"), folder)
    assert closed == {"A/C1.mov": ("permission", "A/C1.mov: no permission to write to A")}
    blocked = faults(plan(folder, "B", output="file"), folder)
    message = "B/C1.mov: file is no folder, so nothing can be written there"
    assert blocked == {"B/C1.mov": ("permission", message)}


def test_what_is_skipped_needs_no_folder_that_can_be_written(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make("A/C1.mov", "A/Proxy/C1.mov")
    monkeypatch.setattr(os, "access", lambda _path, _mode: False)
    assert plan(folder, "A").refused == ()


@pytest.mark.parametrize("readable", [True, False])
def test_a_source_that_changes_during_planning_is_still_being_copied(
    make: Make, readable: bool
) -> None:
    folder = make("A/C1.mov", "A/C2.mov", "A/C3.mov", "A/Proxy/C3.mov")
    looking = Looking()
    if not readable:
        looking.known["C2.mov"] = SourceUnreadable(FailureKind.SOURCE_DAMAGED, "no moov")

    def copy_on() -> None:
        for name in ("A/C2.mov", "A/C3.mov"):
            with (folder / name).open("ab") as file:
                file.write(b"more")

    looking.meanwhile = copy_on
    planned = plan(folder, "A", looking=looking)
    growing = "it is still being copied or written"
    assert faults(planned, folder) == {
        "A/C2.mov": ("source_growing", f"A/C2.mov: {growing}"),
        "A/C3.mov": ("source_growing", f"A/C3.mov: {growing}"),
    }
    assert planned.skipped == ()
    assert list(jobs(planned, folder)) == ["A/C1.mov"]
    assert looking.waited == []


def test_a_source_written_just_now_is_looked_at_again_after_a_moment(make: Make) -> None:
    folder = make("A/C1.mov", "A/C2.mov")
    os.utime(folder / "A/C2.mov", (NOW - 1, NOW - 1))
    looking = Looking()
    assert len(plan(folder, "A", looking=looking).jobs) == 2
    assert looking.waited == [0.5]
    looking.while_waiting = lambda: (folder / "A/C2.mov").write_bytes(b"much more")
    os.utime(folder / "A/C2.mov", (NOW - 1, NOW - 1))
    assert faults(plan(folder, "A", looking=looking), folder)["A/C2.mov"][0] == "source_growing"


def test_time_spent_on_planning_need_not_be_waited_for(make: Make) -> None:
    fresh = make("C1.mov") / "C1.mov"
    times = iter([THEN + 1.0, THEN + 1.0, THEN + 1.2, THEN + 1.3])
    waited: list[float] = []
    watch = GrowthWatch.begin([fresh], clock=lambda: next(times), wait=waited.append)
    assert list(watch.growing()) == []
    assert waited == [pytest.approx(0.3)]


def test_a_source_that_goes_away_during_planning_is_not_called_growing(make: Make) -> None:
    folder = make("A/C1.mov", "A/C2.mov")
    gone = SourceUnreadable(FailureKind.SOURCE_MISSING, "A/C2.mov: there is no such file")
    looking = Looking({"C2.mov": gone})
    looking.meanwhile = (folder / "A/C2.mov").unlink
    assert faults(plan(folder, "A", looking=looking), folder)["A/C2.mov"][0] == "source_missing"


def test_a_second_name_of_a_source_is_skipped(make: Make) -> None:
    folder = make("A/C1.mov")
    (folder / "A/C2.mov").symlink_to("C1.mov")
    planned = plan(folder, "A")
    assert list(jobs(planned, folder)) == ["A/C1.mov"]
    assert [warning.code for s in planned.skipped for warning in s.warnings] == ["same_source"]


def test_a_plan_with_faults_is_refused_with_a_line_for_each(make: Make) -> None:
    folder = make("A/good.mov")
    planned = plan(folder, "A", "x\ny.mov", "A/gone.mov")
    with pytest.raises(PlanRefused) as caught:
        refuse_unless(planned, keep_going=False)
    assert str(caught.value).replace(f"{folder}/", "").splitlines() == [
        "2 of 3 sources cannot be sent, so nothing was sent:",
        "  A/gone.mov: there is no such file",
        "  x\\ny.mov: there is no such file",
        "--keep-going sends the other 1",
    ]
    refuse_unless(planned, keep_going=True)
    refuse_unless(replace(planned, settled=planned.skipped), keep_going=False)


def test_a_long_list_of_faults_is_cut_and_counted(tmp_path: Path) -> None:
    planned = plan(tmp_path, *(f"gone{number}.mov" for number in range(50)))
    with pytest.raises(PlanRefused) as caught:
        refuse_unless(planned, keep_going=False)
    lines = str(caught.value).splitlines()
    assert len(lines) == 22
    assert lines[-1] == "  and 30 more (--plan lists them all)"
