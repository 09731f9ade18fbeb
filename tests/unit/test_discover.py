"""From arguments to sources."""

import os
import socket
from collections.abc import Callable
from pathlib import Path, PureWindowsPath

import pytest

from proxima.errors import FailureKind, UsageError
from proxima.job import JobState
from proxima.queuer import discover as discovering
from proxima.queuer.discover import Discovery, absolute, discover
from proxima.queuer.natural_order import natural_key

EXTENSIONS = frozenset({".mov", ".mxf"})

Make = Callable[..., Path]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Make files that are not empty, below the test's folder."""

    def files(*names: str) -> Path:
        for name in names:
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(b"media")
        return tmp_path

    return files


def found(folder: Path, *arguments: str, output: Path | None = None) -> list[str]:
    """The sources by their names below *folder*; nothing may be refused."""
    discovery = discover(arguments, EXTENSIONS, folder, output)
    assert discovery.refused == ()
    return [path.relative_to(folder).as_posix() for path in discovery.sources]


def refusals(folder: Path, *arguments: str) -> dict[str, tuple[str, str]]:
    """Kind and message of what is refused, without the folder; there must be no source."""
    discovery = discover(arguments, EXTENSIONS, folder)
    assert discovery.sources == ()
    return {
        settled.source.replace(f"{folder}/", ""): (
            settled.problem.kind.value,
            settled.problem.message.replace(f"{folder}/", ""),
        )
        for settled in discovery.refused
        if settled.problem
    }


def test_a_file_that_is_named_is_taken_whatever_its_extension(make: Make) -> None:
    folder = make("NOEXT", ".hidden.mov", "notes.txt", "--help.mov")
    names = ["--help.mov", ".hidden.mov", "NOEXT", "notes.txt"]
    assert found(folder, *names) == names


def test_a_folder_gives_what_is_below_it_by_extension_in_any_case(make: Make) -> None:
    folder = make("A/C1.MOV", "A/C1.xml", "A/deep/er/C2.Mxf", "A/NOEXT", "A/x.mov.part", "B/C.mov")
    assert found(folder, "A") == ["A/C1.MOV", "A/deep/er/C2.Mxf"]


def test_hidden_files_system_folders_and_proxies_are_left_out_of_folders(make: Make) -> None:
    folder = make(
        "A/C1.mov",
        "A/._C1.mov",
        "A/.C2.mov",
        "A/.Trashes/C3.mov",
        "A/Proxy/C1.mov",
        "A/sub/proxies/C4.mov",
        "A/$RECYCLE.BIN/C5.mov",
    )
    assert found(folder, "A") == ["A/C1.mov"]


def test_a_folder_of_proxies_is_searched_when_it_is_named(make: Make) -> None:
    assert found(make("A/Proxy/C1.mov", "A/C1.mov"), "A/Proxy") == ["A/Proxy/C1.mov"]


def test_the_folder_for_outputs_is_not_searched_by_whatever_name(make: Make) -> None:
    folder = make("A/C1.mov", "out/A/C1.mov")
    (folder / "link").symlink_to("out")
    assert found(folder, ".", output=Path("link")) == ["A/C1.mov"]


def test_sources_are_in_natural_order(make: Make) -> None:
    folder = make("A10/C1.mov", "A2/C10.mov", "A2/C2.mov", "A2/c1.mov", "A2/C02.mov")
    names = ["A2/c1.mov", "A2/C02.mov", "A2/C2.mov", "A2/C10.mov", "A10/C1.mov"]
    assert found(folder, "A10", "A2") == names
    assert found(folder, *reversed(names)) == names


def test_natural_order_compares_names_that_begin_with_numbers_and_letters() -> None:
    names = ["10.mov", "a.mov", "9.mov", "a1b.mov", "²3.mov", "", "1" * 255]
    assert sorted(map(Path, names), key=natural_key)[1:4] == [
        Path("9.mov"),
        Path("10.mov"),
        Path("1" * 255),
    ]


def test_a_file_is_a_source_once_by_its_own_name(make: Make) -> None:
    folder = make("A/C1.mov")
    (folder / "A/B.mov").symlink_to("C1.mov")
    (folder / "link").symlink_to("A")
    os.link(folder / "A/C1.mov", folder / "A/hard.mov")
    names = ["A", "A/C1.mov", str(folder / "A/C1.mov"), "A/../A/C1.mov", "link/C1.mov"]
    discovery = discover(names, EXTENSIONS, folder)
    assert discovery.sources == (folder / "A/C1.mov",)
    assert [
        Path(settled.source).relative_to(folder).as_posix() for settled in discovery.repeated
    ] == [
        "A/B.mov",
        "A/hard.mov",
        "link/C1.mov",
    ]
    assert {settled.state for settled in discovery.repeated} == {JobState.SKIPPED}
    assert discovery.repeated[0].warnings[0].message == (
        f"{folder}/A/B.mov is the same file as {folder}/A/C1.mov"
    )


def test_files_on_a_file_system_without_inodes_stay_apart(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make("C1.mov", "C2.mov")
    stat = Path.stat

    def unnumbered(path: Path, **options: bool) -> os.stat_result:
        fields = list(stat(path, **options))
        fields[1] = 0
        return os.stat_result(fields)

    monkeypatch.setattr(Path, "stat", unnumbered)
    assert found(folder, "C1.mov", "C2.mov") == ["C1.mov", "C2.mov"]


def test_loops_of_links_end_and_own_names_go_before_links(make: Make) -> None:
    folder = make("A/B/C1.mov", "elsewhere/C2.mov")
    (folder / "A/B/up").symlink_to(folder / "A")
    (folder / "A/a-link").symlink_to("B")
    (folder / "A/B/more").symlink_to(folder / "elsewhere")
    assert found(folder, "A") == ["A/B/C1.mov", "A/B/more/C2.mov"]


def test_whatever_is_no_file_is_refused_and_never_opened(make: Make, tmp_path: Path) -> None:
    folder = make("real.mov")
    os.mkfifo(folder / "fifo.mov")
    (folder / "dead.mov").symlink_to("gone.mov")
    (folder / "loop.mov").symlink_to("loop.mov")
    (folder / "here").symlink_to(".")
    (folder / "empty.mov").touch()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(os.path.relpath(folder / "socket.mov"))
    names = ["fifo.mov", "dead.mov", "loop.mov", "here", "empty.mov", "socket.mov", "gone.mov"]
    assert refusals(folder, *names, "/dev/zero", "real.mov/x.mov", "fifo.mov") == {
        "fifo.mov": (
            "source_unsupported",
            "fifo.mov: a pipe, socket or device, not a media file",
        ),
        "dead.mov": ("source_missing", "dead.mov: a dead link; gone.mov is not there"),
        "loop.mov": ("source_missing", "loop.mov: a link that leads back to itself"),
        "here": ("source_missing", "here: a link that leads back to itself"),
        "empty.mov": ("source_damaged", "empty.mov: file is empty"),
        "socket.mov": (
            "source_unsupported",
            "socket.mov: a pipe, socket or device, not a media file",
        ),
        "gone.mov": ("source_missing", "gone.mov: there is no such file"),
        "/dev/zero": (
            "source_unsupported",
            "/dev/zero: a pipe, socket or device, not a media file",
        ),
        "real.mov/x.mov": ("source_missing", "real.mov/x.mov: there is no such file"),
    }


def test_what_a_folder_holds_is_refused_like_what_is_named(make: Make) -> None:
    folder = make("A/C1.mov")
    os.mkfifo(folder / "A/fifo.mov")
    (folder / "A/dead.mov").symlink_to("gone")
    discovery = discover(["A"], EXTENSIONS, folder)
    assert discovery.sources == (folder / "A/C1.mov",)
    assert {Path(settled.source).name for settled in discovery.refused} == {"fifo.mov", "dead.mov"}


def test_clips_of_red_cameras_are_refused_as_one(make: Make) -> None:
    folder = make("A001/C1.mov", "A001/A001_C002.RDC/A001_C002_001.R3D")
    raw = "source_unsupported", "A001_C002.RDC: camera RAW (R3D) is not supported"
    assert refusals(folder, "A001/A001_C002.RDC") == {
        "A001/A001_C002.RDC": (raw[0], f"A001/{raw[1]}")
    }
    discovery = discover(["A001"], EXTENSIONS, folder)
    assert discovery.sources == (folder / "A001/C1.mov",)
    assert [Path(settled.source).name for settled in discovery.refused] == ["A001_C002.RDC"]


def test_a_folder_without_media_is_refused_with_the_extensions(make: Make) -> None:
    folder = make("A/notes.txt", "B/Proxy/C1.mov")
    nothing = "no media in this folder (looked for .mov .mxf)"
    assert refusals(folder, "A", "B") == {
        "A": ("source_missing", f"A: {nothing}"),
        "B": (
            "source_missing",
            f"B: {nothing}; folders named Proxy or Proxies are left out",
        ),
    }


def test_a_folder_that_cannot_be_entered_is_refused(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make("A/C1.mov", "A/closed/C2.mov")
    scandir = os.scandir

    def guarded(path: Path) -> object:
        if Path(path).name == "closed":
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", guarded)
    discovery = discover(["A"], EXTENSIONS, folder)
    assert discovery.sources == (folder / "A/C1.mov",)
    (refused,) = discovery.refused
    assert refused.source == str(folder / "A/closed")
    assert refused.problem
    assert refused.problem.kind is FailureKind.PERMISSION


@pytest.mark.parametrize("argument", ["", "a\0b.mov", "x" * 300, "é" * 200 + "/x.mov"])
def test_names_that_no_file_has_are_refused(tmp_path: Path, argument: str) -> None:
    (message,) = refusals(tmp_path, argument).values()
    assert message[0] == "source_missing"


def test_every_kind_of_byte_is_found(tmp_path: Path) -> None:
    names = [b"caf\xe9.mov", b"new\nline.mov", "caf\u00e9.mov".encode(), "cafe\u0301.mov".encode()]
    names += [b"[red]x.mov", b"\x1b[2J.mov", b"trailing .mov", b"a:b.mov", b"-.mov", b"\\.mov"]
    for name in names:
        (tmp_path / os.fsdecode(name)).write_bytes(b"media")
    assert {os.fsencode(name) for name in found(tmp_path, ".")} == set(names)
    assert {os.fsencode(n) for n in found(tmp_path, *map(os.fsdecode, names))} == set(names)


@pytest.mark.parametrize(
    ("pattern", "names"),
    [
        ("A/*.mov", ["A/C1.mov", "A/C2.mov"]),
        ("A/C[2-9].m?v", ["A/C2.mov"]),
        ("*/C1.mov", ["A/C1.mov", "B/C1.mov"]),
        ("A*", ["A/C1.mov", "A/C2.mov", "A/deep/C3.mov"]),
        ("**/C3.mov", ["A/deep/C3.mov"]),
        ("A/**/*.mov", ["A/C1.mov", "A/C2.mov", "A/deep/C3.mov"]),
        ("**/deep/**", ["A/deep/C3.mov"]),
        ("**/deep", ["A/deep/C3.mov"]),
        ("./A/../A/*1.mov", ["A/C1.mov"]),
        ("A/.*.mov", ["A/.C4.mov"]),
    ],
)
def test_a_pattern_that_a_shell_left_alone_is_expanded(
    make: Make, pattern: str, names: list[str]
) -> None:
    folder = make(
        "A/C1.mov", "A/C2.mov", "A/.C4.mov", "A/deep/C3.mov", "A/Proxy/C3.mov", "B/C1.mov"
    )
    (folder / "A/up").symlink_to(folder / "A")
    (folder / "A/deep/folder.mov").mkdir()
    assert found(folder, pattern) == names


def test_a_name_that_looks_like_a_pattern_is_a_name_first(make: Make) -> None:
    folder = make("glob * ?.mov", "glob x y.mov", "take[1].mov", "take1.mov")
    assert found(folder, "glob * ?.mov", "take[1].mov") == ["glob * ?.mov", "take[1].mov"]


def test_a_pattern_that_matches_nothing_is_refused(make: Make) -> None:
    assert refusals(make("A/C1.mov"), "A/*.mxf", "B/**/*.mov") == {
        "A/*.mxf": ("source_missing", "A/*.mxf: no file has this name, or matches it"),
        "B/**/*.mov": ("source_missing", "B/**/*.mov: no file has this name, or matches it"),
    }


def test_endless_loops_of_links_do_not_multiply_in_patterns(make: Make) -> None:
    folder = make("A/C1.mov")
    for number in range(20):
        (folder / f"A/up{number}").symlink_to(".")
    assert found(folder, "**/**/*.mov") == ["A/C1.mov"]


@pytest.mark.parametrize(
    ("arguments", "root"),
    [
        (["A001"], "."),
        (["A001/"], "."),
        (["A001", "B002"], "."),
        (["A001/C1.mov"], "A001"),
        (["A001/C1.mov", "A001/C2.mov"], "A001"),
        (["A001/C1.mov", "B002/C1.mov"], "."),
        (["A001/C1.mov", "A001/day"], "A001"),
        (["A001/."], "A001"),
        (["A001/day/.."], "A001"),
        (["A001/*.mov"], "A001"),
        (["*/C1.mov"], "."),
        (["A001/C1.mov", "gone/C1.mov"], "."),
    ],
)
def test_the_common_root_holds_all_arguments_and_folders_keep_their_names(
    make: Make, arguments: list[str], root: str
) -> None:
    folder = make("A001/C1.mov", "A001/C2.mov", "A001/day/C3.mov", "B002/C1.mov")
    assert discover(arguments, EXTENSIONS, folder).common_root == folder / root


def test_sources_without_a_common_folder_are_refused() -> None:
    roots = {PureWindowsPath("C:\\a\\b"), PureWindowsPath("D:\\a")}
    with pytest.raises(UsageError, match=r"several drives \(C:, D:\)"):
        discovering._common(roots)
    alike = {PureWindowsPath("C:\\Card\\b"), PureWindowsPath("c:\\card\\d")}
    assert discovering._common(alike) == PureWindowsPath("C:\\Card")


def test_two_dots_are_followed_as_the_system_does(make: Make) -> None:
    folder = make("real/sub/x.mov", "real/y.mov", "y.mov")
    (folder / "link").symlink_to("real/sub")
    assert absolute(Path("link/../y.mov"), folder) == folder / "real/y.mov"
    assert absolute(Path("link/x.mov"), folder) == folder / "link/x.mov"
    assert found(folder, "link/../y.mov") == ["real/y.mov"]


def test_it_is_known_which_sources_were_named(make: Make) -> None:
    folder = make("A/C1.mov", "A/C2.mov", "A/C3.mov")
    discovery: Discovery = discover(["A", "A/C1.mov", "A/*3.mov"], EXTENSIONS, folder)
    assert discovery.named == {folder / "A/C1.mov", folder / "A/C3.mov"}
