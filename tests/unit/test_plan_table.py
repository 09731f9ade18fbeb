"""How a plan is drawn."""

import io
import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from plans import PROXY, make_media, make_sound
from rich.cells import cell_len
from rich.console import Console

from proxima.batch import Settled
from proxima.cli.plan_table import Command, plan_json, plan_lines, plan_table
from proxima.cli.plan_words import describe
from proxima.errors import FailureKind
from proxima.job import JobState, JobWarning, Problem
from proxima.media import FieldOrder
from proxima.preset import Preset
from proxima.queuer.plan import Plan
from proxima.queuer.planned_job import PlannedJob

ODD_NAMES = [
    "[bold red]take[/bold red].mov",
    "[/]:smile:.mov",
    "東京ロケ 非常に長い名前のクリップ その二 最終版 本当の最終版.mov",
    "new\nline\ttab\x1b[2J\x07.mov",
    "bad-\udce9\udcff.mov",
    "\u202evom.exe.mov",
    "cafe\u0301 👩\u200d🎤 😀.mov",
    "L" * 250 + ".mov",
    "trailing  spaces   .mov",
]


def job(name: str = "C001.mov", **fields: object) -> PlannedJob:
    """A job in /media/A001."""
    source = Path("/media/A001") / name
    given = {
        "source": source,
        "output": source.parent / "Proxy" / source.name,
        "media": make_media(frames=1025, channels=(1, 1, 1, 1)),
        "estimated_bytes": 21_400_000,
        **fields,
    }
    return PlannedJob(**given)  # type: ignore[arg-type]


def refused(name: str, message: str = "no moov", hint: str = "copy it again") -> Settled:
    """A refusal in /media/A001."""
    source = f"/media/A001/{name}"
    problem = Problem(kind=FailureKind.SOURCE_DAMAGED, message=f"{source}: {message}", hint=hint)
    return Settled(source=source, state=JobState.REFUSED, problem=problem)


def skipped(name: str, *warnings: JobWarning) -> Settled:
    """A source in /media/A001 whose output is there."""
    return Settled(
        source=f"/media/A001/{name}",
        output=f"/media/A001/Proxy/{name}",
        state=JobState.SKIPPED,
        warnings=warnings,
    )


PLAN = Plan(
    preset=PROXY,
    jobs=(
        job("C10.mov", reason="it is older than its source", replace=True),
        job("C2.mov", warnings=(JobWarning(code="data_dropped", message="left out: data"),)),
        job("C3.mov", media=make_media(frames=None), estimated_bytes=None),
    ),
    settled=(skipped("C1.mov"), refused("C4.mov")),
)


def draw(plan: Plan, width: int, command: Command | None = None) -> list[str]:
    """The table's lines, without the blanks at their ends."""
    console = Console(width=width, record=True, file=io.StringIO())
    console.print(plan_table(plan, width, command))
    return [line.rstrip() for line in console.export_text().splitlines()]


def test_a_narrow_terminal_gets_some_lines_for_each_source() -> None:
    assert draw(PLAN, 60) == [
        "sources in /media/A001",
        "outputs in /media/A001/Proxy",
        "skip     C1.mov",
        "         its output is complete and newer",
        "         to C1.mov",
        "encode   C2.mov                                     ~21.4 MB",
        "         h264 1920x1080 25 fps 0:41 4x1ch",
        "         to C2.mov",
        "         left out: data",
        "encode   C3.mov                                            ?",
        "         h264 1920x1080 25 fps unknown length 2x1ch",
        "         to C3.mov",
        "refused  C4.mov",
        "         no moov (copy it again)",
        "encode   C10.mov                                    ~21.4 MB",
        "         h264 1920x1080 25 fps 0:41 4x1ch",
        "         to C10.mov",
        "         made again: it is older than its source",
        "5 sources: 3 to encode (1:22 of media, ~42.8 MB), 1 skipped,",
        "1 refused",
    ]


def test_a_wide_terminal_gets_one_line_for_each_source() -> None:
    what = "h264 1920x1080 25 fps 0:41 4x1ch          "
    assert draw(PLAN, 200) == [
        "sources in /media/A001",
        "outputs in /media/A001/Proxy",
        "skip     C1.mov   its output is complete and newer            C1.mov",
        f"encode   C2.mov   {what}  C2.mov   ~21.4 MB",
        "         left out: data",
        "encode   C3.mov   h264 1920x1080 25 fps unknown length 2x1ch  C3.mov          ?",
        "refused  C4.mov",
        "         no moov (copy it again)",
        f"encode   C10.mov  {what}  C10.mov  ~21.4 MB",
        "         made again: it is older than its source",
        "5 sources: 3 to encode (1:22 of media, ~42.8 MB), 1 skipped, 1 refused",
    ]


@pytest.mark.parametrize("width", [20, 60, 80, 110, 200])
@pytest.mark.parametrize("name", ODD_NAMES)
def test_no_name_breaks_the_table(name: str, width: int) -> None:
    plan = Plan(
        preset=PROXY,
        jobs=(job(name), job("sub/C1.mov", output=Path("/elsewhere") / name)),
        settled=(refused(name, "x\x1b[31m" * 9), skipped(name)),
    )
    lines = draw(plan, width)
    assert max(map(cell_len, lines)) <= width
    text = "\n".join(lines)
    text.encode("utf-8")
    assert not set(text) & {"\x1b", "\x07", "\t", "\u202e"}


def test_names_show_as_they_are_in_brackets_and_by_escapes() -> None:
    plan = Plan(preset=PROXY, jobs=tuple(job(name) for name in ODD_NAMES))
    text = "\n".join(draw(plan, 200))
    for shown in ("[bold red]take[/bold red].mov", "[/]:smile:.mov", "new\\nline\\ttab\\x1b[2J"):
        assert shown in text
    assert "bad-\\xe9\\xff.mov" in text
    assert "\\u202evom.exe.mov" in text


def test_a_plan_of_nothing_has_totals_only() -> None:
    assert draw(Plan(preset=PROXY, jobs=()), 80) == ["0 sources: 0 to encode"]


def test_patterns_and_files_at_the_root_are_named_in_full() -> None:
    settled = Settled(
        source="*.mxf",
        state=JobState.REFUSED,
        problem=Problem(kind=FailureKind.SOURCE_MISSING, message="*.mxf: no file"),
    )
    root = job(source=Path("/C1.mov"), output=Path("/Proxy/C1.mov"))
    assert draw(Plan(preset=PROXY, jobs=(root,), settled=(settled,)), 60) == [
        "outputs in /Proxy",
        "refused  *.mxf",
        "         no file",
        "encode   /C1.mov                                    ~21.4 MB",
        "         h264 1920x1080 25 fps 0:41 4x1ch",
        "         to C1.mov",
        "2 sources: 1 to encode (0:41 of media, ~21.4 MB), 1 refused",
    ]


def test_lines_name_everything_in_full() -> None:
    a, what = "/media/A001", "h264 1920x1080 25 fps"
    assert list(plan_lines(PLAN)) == [
        f"skip {a}/C1.mov to {a}/Proxy/C1.mov (its output is complete and newer)",
        f"encode {a}/C2.mov to {a}/Proxy/C2.mov ({what} 0:41 4x1ch) ~21.4 MB",
        "  left out: data",
        f"encode {a}/C3.mov to {a}/Proxy/C3.mov ({what} unknown length 2x1ch) ?",
        f"refused {a}/C4.mov",
        "  no moov (copy it again)",
        f"encode {a}/C10.mov to {a}/Proxy/C10.mov ({what} 0:41 4x1ch) ~21.4 MB",
        "  made again: it is older than its source",
        "5 sources: 3 to encode (1:22 of media, ~42.8 MB), 1 skipped, 1 refused",
    ]


def test_commands_stand_below_their_jobs_ready_for_a_shell() -> None:
    plan = Plan(preset=PROXY, jobs=(job("a b.mov"),), settled=(skipped("C1.mov"),))

    def command(planned: PlannedJob) -> list[str]:
        return ["ffmpeg", "-i", f"file:{planned.source}"]

    assert list(plan_lines(plan, command))[1] == "  ffmpeg -i 'file:/media/A001/a b.mov'"
    assert draw(plan, 36, command)[5:9] == [
        "         to a b.mov",
        "ffmpeg -i \\",
        "  'file:/media/A001/a b.mov'",
        "skip     C1.mov",
    ]


def test_json_has_every_source_with_its_state() -> None:
    odd = "bad-\udce9.mov"
    plan = replace(PLAN, jobs=(*PLAN.jobs, job(odd)))
    told = json.loads(json.dumps(plan_json(plan, lambda planned: [str(planned.source)])))
    assert (told["type"], told["preset"]) == ("plan", "prores-proxy")
    states = {Path(entry["source"]).name: entry["state"] for entry in told["jobs"]}
    assert states == {
        odd: "planned",
        "C1.mov": "skipped",
        "C2.mov": "planned",
        "C3.mov": "planned",
        "C4.mov": "refused",
        "C10.mov": "planned",
    }
    entries = {Path(entry["source"]).name: entry for entry in told["jobs"]}
    assert entries["C10.mov"] == {
        "source": "/media/A001/C10.mov",
        "output": "/media/A001/Proxy/C10.mov",
        "state": "planned",
        "what": "h264 1920x1080 25 fps 0:41 4x1ch",
        "media_seconds": 41.0,
        "frames": 1025,
        "estimated_bytes": 21_400_000,
        "replace": True,
        "reason": "it is older than its source",
        "warnings": [],
        "command": ["/media/A001/C10.mov"],
        "error": None,
    }
    assert entries["C4.mov"]["error"] == {
        "kind": "source_damaged",
        "message": "/media/A001/C4.mov: no moov",
        "hint": "copy it again",
    }


@pytest.mark.parametrize(
    ("media", "words"),
    [
        (make_media(frames=50), "h264 1920x1080 25 fps 2.00s 2x1ch"),
        (
            make_media(frames=300, rate=Fraction(30000, 1001), channels=(2, 1, 1)),
            "h264 1920x1080 29.97 fps 0:10 1x2ch+2x1ch",
        ),
        (
            make_media(frames=1440, rate=Fraction(24000, 1001), channels=(), rotation=90),
            "h264 1080x1920 23.976 fps 1:00 no sound",
        ),
        (
            make_media(frames=250, channels=(6,), field_order=FieldOrder.TOP),
            "h264 1920x1080i 25 fps 0:10 1x6ch",
        ),
        (
            make_media(frames=250, variable_rate=True, average_rate=Fraction(297, 10)),
            "h264 1920x1080 ~29.7 fps 0:10 2x1ch",
        ),
        (make_media(frame_rate=None), "h264 1920x1080 ? fps 0:10 2x1ch"),
        (make_sound(3723), "pcm_s24le 48 kHz 1:02:03 1x2ch"),
    ],
)
def test_media_is_described_in_a_few_words(media: object, words: str) -> None:
    assert describe(media) == words  # type: ignore[arg-type]


def test_sizes_that_are_no_guess_have_no_mark() -> None:
    exact = Preset(name="dnxhr-lb", video_codec="dnxhr", profile="lb")
    assert list(plan_lines(Plan(preset=exact, jobs=(job(),))))[-1] == (
        "1 source: 1 to encode (0:41 of media, 21.4 MB)"
    )
