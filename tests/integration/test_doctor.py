"""What `proxima doctor` finds, and how it says so."""

import io
import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import msgspec
import pytest
from servers import free_port, start_server

from proxima.broker.health import Finding, Verdict
from proxima.cli.doctor import drawn, plain
from proxima.config.preset_book import PresetBook
from proxima.config.schema import Config, WorkerRules
from proxima.paths import PathMap
from proxima.queuer.checkup import check_broker, check_ffmpeg
from proxima.queuer.folder_check import check_folder, check_log_folder, check_roots


def doctor(*options: str) -> "subprocess.CompletedProcess[str]":
    """A run of the command without a terminal."""
    return subprocess.run(
        [sys.executable, "-m", "proxima", "doctor", *options],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_a_machine_in_order_passes(tmp_path: Path) -> None:
    (tmp_path / "proxima.toml").write_text(
        f'[worker]\nroots = ["{tmp_path}"]\nlog_folder = "{tmp_path}/logs"\n'
    )
    run = doctor("--config", str(tmp_path / "proxima.toml"))
    lines = run.stdout.splitlines()
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stderr == ""
    assert lines[0].startswith("ok       broker: none is configured: this machine encodes for")
    assert lines[1].startswith("ok       ffmpeg: ")
    presets = [line for line in lines if line.startswith("ok       preset ")]
    assert len(presets) == len(PresetBook().names())
    assert lines[-3:] == [
        f"ok       worker root: {tmp_path} is read and written",
        f"ok       log folder: {tmp_path / 'logs'} is read and written",
        "Everything is well.",
    ]


def test_what_is_wrong_is_told_to_programs_too(tmp_path: Path) -> None:
    (tmp_path / "proxima.toml").write_text(
        f'[worker]\nffmpeg = "{tmp_path}/no-ffmpeg"\nroots = ["{tmp_path}/nowhere"]\n'
    )
    url = f"redis://:secret@127.0.0.1:{free_port()}"
    run = doctor("--config", str(tmp_path / "proxima.toml"), "--broker", url, "--json")
    told = [json.loads(line) for line in run.stdout.splitlines()]
    assert run.returncode == 1
    assert [(item.get("subject"), item.get("verdict")) for item in told] == [
        ("broker", "fault"),
        ("ffmpeg", "fault"),
        ("worker root", "fault"),
        ("log folder", "ok"),
        (None, None),
    ]
    assert all(item["remedy"] for item in told[:3])
    assert told[-1] == {"type": "doctor.finished", "faults": 3, "warnings": 0}
    assert "secret" not in run.stdout + run.stderr


def test_a_finding_is_one_line_without_a_terminal() -> None:
    fault = Finding(subject="a", verdict=Verdict.FAULT, text="is\nwrong", remedy="mend it")
    assert plain(fault) == "fault    a: is\\nwrong (mend it)"
    assert plain(msgspec.structs.replace(fault, remedy="")) == "fault    a: is\\nwrong"


def test_on_a_narrow_terminal_a_finding_stays_beside_its_verdict() -> None:
    from rich.console import Console

    fault = Finding(
        subject="preset [b]", verdict=Verdict.FAULT, text="x" * 40, remedy="[red]mend it"
    )
    console = Console(width=40, record=True, file=io.StringIO())
    console.print(drawn(fault))
    assert [line.rstrip() for line in console.export_text().splitlines()] == [
        "fault    preset [b]:",
        "         " + "x" * 31,
        "         " + "x" * 9,
        "         [red]mend it",
    ]


def test_a_broker_without_persistence_is_a_warning_only(tmp_path: Path) -> None:
    server = start_server(tmp_path / "server")
    found = list(check_broker(server.url))
    server.stop()
    assert [item.text for item in found if item.verdict is not Verdict.OK] == [
        "keeps nothing on disk: a restart loses every batch"
    ]
    assert {item.verdict for item in found} == {Verdict.OK, Verdict.WARNING}


def test_a_broker_that_refuses_us_is_a_fault_with_its_remedy(tmp_path: Path) -> None:
    server = start_server(tmp_path / "server")
    (found,) = check_broker(f"redis://127.0.0.1:{server.address.port}")
    server.stop()
    assert found.verdict is Verdict.FAULT
    assert found.text.endswith("asks for a password")
    assert found.remedy == f"write: redis://:PASSWORD@127.0.0.1:{server.address.port}/0"


def test_no_address_of_a_broker_is_a_fault_too() -> None:
    (found,) = check_broker("render1")
    assert (found.verdict, found.remedy) == (Verdict.FAULT, "write: redis://render1:6379")


def test_without_a_broker_the_local_farm_is_tried() -> None:
    (found,) = check_broker("")
    assert found.verdict is Verdict.OK
    assert "with its own Valkey" in found.text


def test_each_preset_is_tried_with_a_real_ffmpeg() -> None:
    book = PresetBook()
    presets = [book.get("prores-proxy"), book.get("wav")]
    assert [(item.subject, item.verdict) for item in check_ffmpeg("", presets)] == [
        ("ffmpeg", Verdict.OK),
        ("preset prores-proxy", Verdict.OK),
        ("preset wav", Verdict.OK),
    ]


def test_an_ffmpeg_that_cannot_encode_is_found_out(tmp_path: Path) -> None:
    ffmpeg = tmp_path / "ffmpeg"
    ffmpeg.write_text(
        "#!/bin/sh\n"
        'case "$*" in *-version*) echo "ffmpeg version 9.0-small Copyright"; exit 0;; esac\n'
        "echo \"Unknown encoder 'prores_aw'\" >&2; exit 1\n"
    )
    ffmpeg.chmod(0o755)
    head, trial = check_ffmpeg(str(ffmpeg), [PresetBook().get("prores-proxy")])
    assert (head.verdict, trial.verdict) == (Verdict.OK, Verdict.FAULT)
    assert "prores_aw" in trial.text
    assert trial.remedy


def test_a_missing_ffmpeg_is_a_fault_and_no_preset_is_tried(tmp_path: Path) -> None:
    (found,) = check_ffmpeg(str(tmp_path / "no-ffmpeg"), PresetBook().presets())
    assert (found.subject, found.verdict) == ("ffmpeg", Verdict.FAULT)


def test_a_path_map_is_looked_at_where_this_machine_has_it(tmp_path: Path) -> None:
    maps = (
        PathMap(name="media", linux=str(tmp_path), macos=str(tmp_path), windows="M:\\"),
        PathMap(name="tapes", hosts={"another-machine": "/tapes"}),
    )
    media, tapes = check_roots(Config(paths=maps))
    assert media == Finding(
        subject="path map media", verdict=Verdict.OK, text=f"{tmp_path} is read and written"
    )
    assert (tapes.subject, tapes.verdict) == ("path map tapes", Verdict.WARNING)
    assert tapes.remedy
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_is_a_fault(tmp_path: Path) -> None:
    (found,) = check_roots(Config(worker=WorkerRules(roots=(str(tmp_path / "nowhere"),))))
    assert found == Finding(
        subject="worker root",
        verdict=Verdict.FAULT,
        text=f"{tmp_path / 'nowhere'} is not there",
        remedy="mount its storage, or correct the config",
    )


@pytest.mark.skipif(sys.platform != "linux", reason="needs a folder that even root cannot write")
@pytest.mark.parametrize(
    ("output", "verdict"), [("", Verdict.FAULT), ("/proxies", Verdict.WARNING)]
)
def test_a_folder_that_cannot_be_written_matters_if_outputs_go_there(
    output: str, verdict: Verdict
) -> None:
    (found,) = check_roots(Config(output=output, worker=WorkerRules(roots=("/proc",))))
    assert (found.verdict, found.text.partition(":")[0]) == (verdict, "/proc cannot be written")


def test_a_folder_that_never_answers_does_not_hold_us_up() -> None:
    answer = threading.Event()

    class Stale(type(Path())):  # type: ignore[misc] - the class depends on the system
        def __fspath__(self) -> str:
            answer.wait()
            return os.sep

    found = check_folder(Stale("/stale"), "worker root", Verdict.FAULT, patience=0.01)
    answer.set()
    assert (found.verdict, found.text) == (Verdict.FAULT, "/stale does not answer")


def test_a_log_folder_is_made_or_a_fault(tmp_path: Path) -> None:
    assert check_log_folder(tmp_path / "a" / "b").verdict is Verdict.OK
    assert (tmp_path / "a" / "b").is_dir()
    (tmp_path / "file").touch()
    found = check_log_folder(tmp_path / "file" / "logs")
    assert (found.verdict, found.remedy) == (
        Verdict.FAULT,
        "choose another: [worker] log_folder in the config",
    )
