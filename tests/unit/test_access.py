"""What a job may touch on a worker."""

import pytest

from proxima.errors import FailureKind, JobFailed
from proxima.paths import PathMap, PathMaps
from proxima.worker.access import Access, permitted


def access(roots=(), maps=()):
    return Access(PathMaps(maps, "linux", "node7"), [str(root) for root in roots], "a@node7")


def test_a_source_below_a_root_is_given(tmp_path):
    clip = tmp_path / "C001.mov"
    clip.touch()
    assert access([tmp_path]).source(str(clip)) == clip


def test_without_roots_whatever_the_user_may_read_is_given(tmp_path):
    clip = tmp_path / "C001.mov"
    clip.touch()
    assert access().source(str(clip)) == clip


def test_a_mapped_source_is_found(tmp_path):
    (tmp_path / "C001.mov").touch()
    maps = [PathMap(name="media", linux=str(tmp_path))]
    assert access(maps=maps).source("media:/C001.mov") == tmp_path / "C001.mov"


def test_a_missing_source_names_worker_path_and_what_was_tried(tmp_path):
    (tmp_path / "C001.mov").touch()
    maps = [PathMap(name="media", linux=str(tmp_path))]
    with pytest.raises(JobFailed) as caught:
        access(maps=maps).source("media:/C009.mov")
    assert caught.value.kind is FailureKind.SOURCE_MISSING
    assert "a@node7 does not see media:/C009.mov" in str(caught.value)
    assert str(tmp_path / "C009.mov") in str(caught.value)


def test_an_empty_root_is_a_storage_that_is_not_mounted(tmp_path):
    maps = [PathMap(name="media", linux=str(tmp_path))]
    with pytest.raises(JobFailed, match="mount the storage") as caught:
        access(maps=maps).source("media:/C009.mov")
    assert caught.value.kind is FailureKind.MOUNT_MISSING


def test_no_output_goes_below_a_root_that_is_not_there(tmp_path):
    maps = [PathMap(name="media", linux=str(tmp_path / "gone"))]
    with pytest.raises(JobFailed) as caught:
        access(maps=maps).output("media:/Proxy/C001.mov")
    assert caught.value.kind is FailureKind.MOUNT_MISSING


def test_a_source_that_leaves_the_roots_by_a_link_is_refused(tmp_path):
    root = tmp_path / "media"
    root.mkdir()
    (tmp_path / "secret.mov").touch()
    (root / "C001.mov").symlink_to(tmp_path / "secret.mov")
    with pytest.raises(JobFailed, match="outside the roots") as caught:
        access([root]).source(str(root / "C001.mov"))
    assert caught.value.kind is FailureKind.PATH_REFUSED


def test_an_output_that_leaves_the_roots_by_a_linked_folder_is_refused(tmp_path):
    root = tmp_path / "media"
    root.mkdir()
    (root / "Proxy").symlink_to(tmp_path)
    with pytest.raises(JobFailed, match="outside the roots"):
        access([root]).output(str(root / "Proxy" / "C001.mov"))


@pytest.mark.parametrize("path", ["/media/../etc/x.mov", "relative.mov"])
def test_a_path_that_climbs_or_is_relative_is_refused(path):
    with pytest.raises(JobFailed):
        access().output(path)


def test_permitted_options_pass_with_their_values():
    assert permitted(["-tune", "film"], ["-tune"], "a@x") == ("-tune", "film")


@pytest.mark.parametrize(
    "args",
    [
        ["-vf", "movie=/etc/passwd"],
        ["-tune", "film", "/evil/output.mov"],
        ["-tune", "-f"],
        ["-tune"],
        ["/evil/output.mov", "x"],
    ],
)
def test_anything_else_is_refused(args):
    with pytest.raises(JobFailed, match="does not permit"):
        permitted(args, ["-tune"], "a@x")
