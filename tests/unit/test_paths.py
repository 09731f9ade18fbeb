"""Portable paths, and what each machine makes of them."""

import os
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proxima.errors import FailureKind, JobFailed
from proxima.paths import PathMap, PathMaps, Place, find_spelling, place
from proxima.printable import printable

MEDIA = PathMap(name="media", linux="/mnt/media", macos="/Volumes/Media", windows="M:\\")
CARDS = PathMap(name="cards", linux="/mnt/media/cards", windows="//nas/cards/in")

LINUX = PathMaps([MEDIA, CARDS], "linux", "node1")
MACOS = PathMaps([MEDIA, CARDS], "macos", "edit1.local")
WINDOWS = PathMaps([MEDIA, CARDS], "windows", "EDIT2")


@pytest.mark.parametrize(
    ("maps", "path", "portable"),
    [
        (LINUX, "/mnt/media/A001/C001.mov", "media:/A001/C001.mov"),
        (LINUX, "/mnt/media", "media:/"),
        (LINUX, "//mnt//media/./A001//C001.mov", "media:/A001/C001.mov"),
        (LINUX, "/mnt/media/cards/A/C.mov", "cards:/A/C.mov"),
        (LINUX, "/mnt/media2/C.mov", "/mnt/media2/C.mov"),
        (LINUX, "/mnt/Media/C.mov", "/mnt/Media/C.mov"),
        (LINUX, "/mnt", "/mnt"),
        (LINUX, "/mnt/media/a\\b.mov", "media:/a\\b.mov"),
        (MACOS, "/Volumes/Media/A/C.mov", "media:/A/C.mov"),
        (WINDOWS, "M:\\A001\\C001.mov", "media:/A001/C001.mov"),
        (WINDOWS, "m:/A001/C001.mov", "media:/A001/C001.mov"),
        (WINDOWS, "\\\\NAS\\Cards\\IN\\A\\C.mov", "cards:/A/C.mov"),
        (WINDOWS, "\\\\?\\UNC\\nas\\cards\\in\\C.mov", "cards:/C.mov"),
        (WINDOWS, "\\\\?\\M:\\C.mov", "media:/C.mov"),
        (WINDOWS, "\\\\nas\\cards2\\in\\C.mov", "\\\\nas\\cards2\\in\\C.mov"),
        (WINDOWS, "C:\\Clips\\C.mov", "C:\\Clips\\C.mov"),
    ],
)
def test_a_path_travels_below_the_longest_root_that_holds_it(
    maps: PathMaps, path: str, portable: str
) -> None:
    assert maps.to_portable(path) == portable


@pytest.mark.parametrize(
    ("maps", "portable", "path"),
    [
        (LINUX, "media:/A001/C001.mov", "/mnt/media/A001/C001.mov"),
        (LINUX, "Media:/A001/C001.mov", "/mnt/media/A001/C001.mov"),
        (LINUX, "media:/", "/mnt/media"),
        (LINUX, "/data/C.mov", "/data/C.mov"),
        (MACOS, "media:/A001/C001.mov", "/Volumes/Media/A001/C001.mov"),
        (WINDOWS, "media:/A001/C001.mov", "M:\\A001\\C001.mov"),
        (WINDOWS, "cards:/A/C.mov", "\\\\nas\\cards\\in\\A\\C.mov"),
        (WINDOWS, "D:/x/C.mov", "D:\\x\\C.mov"),
    ],
)
def test_a_portable_path_resolves_below_the_root_of_this_machine(
    maps: PathMaps, portable: str, path: str
) -> None:
    assert str(maps.to_local(portable)) == path


@pytest.mark.parametrize(
    ("maps", "portable", "why"),
    [
        (LINUX, "music:/C.mov", "no path map is called music (there are: media, cards)"),
        (MACOS, "cards:/C.mov", "the path map cards has no root for macos or edit1.local"),
        (LINUX, "media:/../etc/passwd", "it climbs out of its folder"),
        (LINUX, "/mnt/media/../../etc/passwd", "it climbs out of its folder"),
        (LINUX, "media:/a\0b", "it is no path on linux"),
        (LINUX, "/a\0b", "it climbs out of its folder"),
        (LINUX, "C.mov", "it is no path on linux"),
        (LINUX, "media:C.mov", "it is no path on linux"),
        (LINUX, "M:\\C.mov", "it is no path on linux"),
        (LINUX, "http://farm/C.mov", "no path map is called http"),
        (WINDOWS, "/mnt/media/C.mov", "it is no path on windows"),
        (WINDOWS, "media:/..\\..\\C.mov", "no file on Windows is called"),
        (WINDOWS, "media:/C:/Windows", "no file on Windows is called"),
        (WINDOWS, "media:/A/C.mov:stream", "no file on Windows is called"),
        (WINDOWS, "media:/.. /C.mov", "no file on Windows is called"),
        (WINDOWS, "\\\\.\\PhysicalDrive0\\C.mov", "it is no path on windows"),
    ],
)
def test_a_path_without_a_place_here_is_refused(maps: PathMaps, portable: str, why: str) -> None:
    with pytest.raises(JobFailed) as caught:
        maps.to_local(portable)
    assert caught.value.kind is FailureKind.PATH_REFUSED
    assert why in caught.value.message
    assert caught.value.message.startswith(f"{maps._host} cannot resolve {printable(portable)}: ")
    assert caught.value.hint


@pytest.mark.parametrize("path", ["A001/C001.mov", "", "/mnt/media/../C.mov", "/mnt/a\0b"])
def test_only_whole_paths_can_be_sent(path: str) -> None:
    with pytest.raises(JobFailed, match="cannot be sent"):
        LINUX.to_portable(path)


def test_without_maps_absolute_paths_travel_as_they_are() -> None:
    maps = PathMaps([], "linux", "node1")
    assert maps.to_portable("/mnt/./media//C.mov") == "/mnt/./media//C.mov"
    assert str(maps.to_local("/mnt/media/C.mov")) == "/mnt/media/C.mov"


@pytest.mark.parametrize(
    ("host", "root"),
    [
        ("edit-07", "/short"),
        ("EDIT-07.studio.lan", "/short"),
        ("edit-08.studio.lan", "/full"),
        ("edit-08", "/full"),
        ("edit-08.other.lan", "/mnt/media"),
        ("edit-09", "/mnt/media"),
        ("both", "/both"),
        ("both.studio.lan", "/both-full"),
    ],
)
def test_the_root_of_a_host_goes_before_that_of_its_platform(host: str, root: str) -> None:
    hosts = {
        "edit-07": "/short",
        "edit-08.studio.lan": "/full",
        "both": "/both",
        "Both.studio.lan": "/both-full",
    }
    media = PathMap(name="media", linux="/mnt/media", hosts=hosts)
    assert str(PathMaps([media], "linux", host).to_local("media:/C.mov")) == f"{root}/C.mov"


def test_a_root_of_another_kind_of_system_is_refused_only_when_needed() -> None:
    media = PathMap(name="media", hosts={"node1": "M:\\"})
    maps = PathMaps([media], "linux", "node1")
    assert maps.to_portable("/mnt/C.mov") == "/mnt/C.mov"
    with pytest.raises(JobFailed, match="is no absolute path on linux"):
        maps.to_local("media:/C.mov")


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_roots_match_in_both_unicode_forms_and_the_rest_is_kept(form: str) -> None:
    root, clip = "/mnt/Médias", "Scène é.mov"
    maps = PathMaps([PathMap(name="media", linux=unicodedata.normalize("NFC", root))], "linux", "n")
    path = f"{unicodedata.normalize(form, root)}/{unicodedata.normalize('NFD', clip)}"
    assert maps.to_portable(path) == f"media:/{unicodedata.normalize('NFD', clip)}"


@pytest.mark.parametrize("root", ["/mnt/media/", "/mnt//media", "/mnt/./media"])
def test_slashes_too_many_in_a_root_mean_nothing(root: str) -> None:
    maps = PathMaps([PathMap(name="media", linux=root)], "linux", "node1")
    assert maps.to_portable("/mnt/media/C.mov") == "media:/C.mov"
    assert str(maps.to_local("media:/C.mov")) == "/mnt/media/C.mov"


def test_the_whole_file_system_can_be_a_root() -> None:
    maps = PathMaps([PathMap(name="all", linux="/", windows="M:")], "linux", "node1")
    assert maps.to_portable("/C.mov") == "all:/C.mov"
    assert str(maps.to_local("all:/A/C.mov")) == "/A/C.mov"


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("M:", Place("M:\\", ())),
        ("M:a", None),
        ("\\\\nas\\share", Place("\\\\nas\\share\\", ())),
        ("\\\\nas", None),
        ("\\a", None),
        ("/a", None),
    ],
)
def test_drives_and_shares_are_absolute_on_windows(path: str, found: Place | None) -> None:
    assert place(path, "windows") == found


NAMES = st.text(st.characters(exclude_characters="/\0"), min_size=1, max_size=8).filter(
    lambda name: name not in {".", ".."}
)
#: Names that Linux gives for bytes that are no UTF-8.
BYTES = (
    st.binary(min_size=1, max_size=8)
    .map(os.fsdecode)
    .filter(lambda name: not {"/", "\0"} & set(name) and name not in {".", ".."})
)
ROOTS = st.lists(NAMES, max_size=3).map(lambda names: "/" + "/".join(names))


# Never a time: a busy machine is no fault.
@settings(deadline=None)
@given(st.lists(ROOTS, min_size=1, max_size=4, unique=True), st.lists(NAMES | BYTES, max_size=4))
def test_every_path_comes_back_from_its_portable_form(roots: list[str], below: list[str]) -> None:
    maps = PathMaps(
        [PathMap(name=f"map{n}", linux=root) for n, root in enumerate(roots)], "linux", "node1"
    )
    path = "/" + "/".join([*filter(None, roots[0].split("/")), *below])
    local = str(maps.to_local(maps.to_portable(path)))
    # The part that matched a root has the spelling of the config.
    assert unicodedata.normalize("NFC", local) == unicodedata.normalize("NFC", path)
    assert local.endswith("/".join(below))


SAFE = st.text(
    st.characters(exclude_characters='/\0\\<>:"|?*', exclude_categories=["Cc", "Cs"]),
    min_size=1,
    max_size=8,
).filter(lambda name: name not in {".", ".."} and name[-1] not in ". ")


# Never a time: a busy machine is no fault.
@settings(deadline=None)
@given(st.lists(SAFE, max_size=4))
def test_a_path_means_the_same_file_on_every_platform(names: list[str]) -> None:
    machines = [PathMaps([MEDIA], "linux", "a"), PathMaps([MEDIA], "macos", "b")]
    windows = PathMaps([MEDIA], "windows", "c")
    portable = "media:/" + "/".join(names)
    assert [maps.to_portable(str(maps.to_local(portable))) for maps in machines] == [portable] * 2
    assert windows.to_portable(str(windows.to_local(portable))) == portable


def test_names_that_are_no_utf8_survive() -> None:
    path = os.fsdecode(b"/mnt/media/caf\xe9.mov")
    assert os.fsencode(LINUX.to_local(LINUX.to_portable(path))) == b"/mnt/media/caf\xe9.mov"


@pytest.mark.parametrize(("there", "asked"), [("NFC", "NFD"), ("NFD", "NFC")])
def test_a_file_is_found_under_its_other_unicode_form(
    tmp_path: Path, there: str, asked: str
) -> None:
    folder = tmp_path / unicodedata.normalize(there, "Scène")
    folder.mkdir()
    clip = folder / unicodedata.normalize(there, "prise é.mov")
    clip.touch()
    wanted = tmp_path / unicodedata.normalize(asked, "Scène/prise é.mov")
    assert os.fsencode(find_spelling(wanted)) == os.fsencode(clip)


def test_each_folder_of_a_path_may_have_another_form(tmp_path: Path) -> None:
    clip = tmp_path / unicodedata.normalize("NFC", "é") / unicodedata.normalize("NFD", "é.mov")
    clip.parent.mkdir()
    clip.touch()
    wanted = tmp_path / unicodedata.normalize("NFD", "é") / unicodedata.normalize("NFC", "é.mov")
    assert os.fsencode(find_spelling(wanted)) == os.fsencode(clip)


def test_a_file_is_looked_for_in_both_folders_where_both_exist(tmp_path: Path) -> None:
    composed, decomposed = (tmp_path / unicodedata.normalize(f, "é") for f in ("NFC", "NFD"))
    composed.mkdir()
    try:
        decomposed.mkdir()
    except FileExistsError:
        pytest.skip("this file system takes both forms for one name")
    (decomposed / "C.mov").touch()
    assert os.fsencode(find_spelling(composed / "C.mov")) == os.fsencode(decomposed / "C.mov")


def test_what_is_not_there_keeps_its_spelling_below_the_folder_that_is(tmp_path: Path) -> None:
    folder = tmp_path / unicodedata.normalize("NFD", "Scène")
    folder.mkdir()
    name = unicodedata.normalize("NFC", "é.mov")
    wanted = tmp_path / unicodedata.normalize("NFC", "Scène") / "Proxy" / name
    assert os.fsencode(find_spelling(wanted)) == os.fsencode(folder / "Proxy" / name)


@pytest.mark.parametrize("path", ["/nowhere/é.mov", "/nowhere", "nowhere/é.mov", "é", "/"])
def test_a_path_of_which_nothing_exists_stays_as_it_is(path: str) -> None:
    assert find_spelling(Path(path)) == Path(path)


def test_people_see_codes_for_what_would_disturb_a_terminal() -> None:
    assert printable("a\x1b[2Jé\udce9[b]") == "a\\x1b[2Jé\\xe9[b]"
