"""Files that are refused by their kind, name or first bytes, before any demuxer sees them."""

import errno
import os
from pathlib import Path

import pytest

from proxima.errors import FailureKind, SourceUnreadable
from proxima.ffmpeg.probe_file import file_head, file_size, why_unopened
from proxima.ffmpeg.refusal import system_refusal
from proxima.ffmpeg.unsupported import undecodable_picture
from proxima.printable import printable


def written(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def refused_size(path: Path) -> SourceUnreadable:
    with pytest.raises(SourceUnreadable) as caught:
        file_size(path)
    return caught.value


def refused_head(path: Path) -> SourceUnreadable:
    with pytest.raises(SourceUnreadable) as caught:
        file_head(path)
    return caught.value


def test_a_regular_file_has_a_size_and_a_head(tmp_path: Path) -> None:
    path = written(tmp_path, "a.mov", b"x" * 70_000)
    assert file_size(path) == 70_000
    assert file_head(path) == b"x" * 65536


def test_an_empty_file_is_damaged(tmp_path: Path) -> None:
    """BR-01."""
    error = refused_size(written(tmp_path, "a.mov", b""))
    assert error.kind is FailureKind.SOURCE_DAMAGED
    assert error.message == f"{tmp_path}/a.mov: file is empty"


def test_a_missing_file_is_missing(tmp_path: Path) -> None:
    error = refused_size(tmp_path / "gone.mov")
    assert error.kind is FailureKind.SOURCE_MISSING
    assert error.message == f"{tmp_path}/gone.mov: there is no such file"


def test_a_dead_link_names_what_it_leads_to(tmp_path: Path) -> None:
    """FN-20."""
    link = tmp_path / "link.mov"
    link.symlink_to("gone.mov")
    error = refused_size(link)
    assert error.kind is FailureKind.SOURCE_MISSING
    assert error.message == f"{link}: a dead link; gone.mov is not there"


def test_a_link_to_itself_is_missing(tmp_path: Path) -> None:
    link = tmp_path / "loop.mov"
    link.symlink_to("loop.mov")
    assert refused_size(link).kind is FailureKind.SOURCE_MISSING


def test_a_folder_is_no_clip(tmp_path: Path) -> None:
    folder = tmp_path / "folder.mov"
    folder.mkdir()
    error = refused_size(folder)
    assert error.kind is FailureKind.SOURCE_UNSUITABLE
    assert error.message == f"{folder}: a folder, not a clip"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes have names on POSIX only")
def test_a_named_pipe_is_refused_and_never_opened(tmp_path: Path) -> None:
    """An open() of it would wait for a writer."""
    pipe = tmp_path / "pipe.mov"
    os.mkfifo(pipe)
    assert refused_size(pipe).kind is FailureKind.SOURCE_UNSUPPORTED


def test_a_name_that_no_file_can_have_is_missing() -> None:
    assert refused_size(Path("a\0b.mov")).kind is FailureKind.SOURCE_MISSING
    assert refused_size(Path("x" * 400)).kind is FailureKind.SOURCE_MISSING


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        (errno.EACCES, FailureKind.PERMISSION),
        (errno.ESTALE, FailureKind.MOUNT_STALE),
        (errno.EIO, FailureKind.MOUNT_STALE),
        (errno.EMFILE, FailureKind.UNKNOWN),
    ],
)
def test_an_error_of_the_system_has_its_kind(number: int, kind: FailureKind) -> None:
    error = system_refusal(Path("a.mov"), OSError(number, os.strerror(number)))
    assert error.kind is kind
    assert error.message.startswith("a.mov: ")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may read everything")
def test_a_file_of_somebody_else_is_no_permission(tmp_path: Path) -> None:
    """DI-04."""
    path = written(tmp_path, "a.mov", b"x")
    path.chmod(0)
    assert refused_head(path).kind is FailureKind.PERMISSION


def test_zeros_were_never_written(tmp_path: Path) -> None:
    """BR-07."""
    error = refused_head(written(tmp_path, "a.mp4", bytes(70_000)))
    assert error.kind is FailureKind.SOURCE_DAMAGED
    assert "only zeros" in error.message


def test_what_macos_leaves_beside_a_clip_is_named(tmp_path: Path) -> None:
    """CA-10."""
    error = refused_head(written(tmp_path, "._A001.mov", bytes.fromhex("00051607000200004d61")))
    assert error.kind is FailureKind.SOURCE_UNSUPPORTED
    assert (
        error.message == f"{tmp_path}/._A001.mov: not a clip, only what macOS noted about A001.mov"
    )


@pytest.mark.parametrize(
    ("name", "data", "what"),
    [
        ("A001_C001.R3D", bytes(100), "camera RAW (R3D) is not supported"),
        ("A001.mov", b"\0\0\x10\0RED2", "camera RAW (R3D) is not supported"),
        ("clip.braw", b"x", "camera RAW (BRAW) is not supported"),
        ("clip.ari", b"x", "camera RAW (ARRIRAW) is not supported"),
        ("clip.mp4", b"\0\0\0\x18ftypcrx ", "camera RAW (Canon CRM) is not supported"),
        ("IMG_0001.HEIC", b"x", "a still picture (HEIC), not a clip"),
        ("IMG_0001.mov", b"\0\0\0\x18ftypheic", "a still picture (HEIC), not a clip"),
    ],
)
def test_formats_without_a_decoder_are_named(
    tmp_path: Path, name: str, data: bytes, what: str
) -> None:
    """CA-07."""
    error = refused_head(written(tmp_path, name, data))
    assert error.kind is FailureKind.SOURCE_UNSUPPORTED
    assert error.message == f"{tmp_path}/{name}: {what}"
    assert error.hint


def test_a_folder_of_camera_raw_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "A001_C002.RDC"
    folder.mkdir()
    assert refused_size(folder).message == f"{folder}: camera RAW (R3D) is not supported"


@pytest.mark.parametrize(
    ("head", "what"),
    [
        (b"#EXTM3U\n#EXTINF:1,\nhttp://host/x.ts\n", "a playlist (HLS), not a media file"),
        (b"ffconcat version 1.0\n", "a list of files (ffconcat), not a media file"),
        (b"v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\n", "a description of a network stream (SDP)"),
        (b"\n <!DOCTYPE html><html>", "a web page, not a media file"),
        (b"<?xml version='1.0'?><MPD/>", "XML, not a media file"),
        ("cliché".encode()[:-1], "text, not a media file"),
        (b"\xff\xfeh\0i\0", "text, not a media file"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF", "a still picture, not a clip"),
        (b"\x89PNG\r\n\x1a\n", "a still picture, not a clip"),
        (b"SDPX\0\0\x08\0", "a still picture, not a clip"),
        (b"\x01\x02\x03\xff\xfe", "not a media file that ffmpeg knows, or damaged at its start"),
        (b"\0\0\0\x14ftypqt  ", "incomplete file (moov atom not found)"),
        (b"\0\0\0\x08wide\0\0", "incomplete file (moov atom not found)"),
    ],
)
def test_a_file_that_no_demuxer_takes_is_explained(head: bytes, what: str) -> None:
    error = why_unopened(Path("a.mov"), head, has_moov=False)
    assert error.message.startswith(f"a.mov: {what}")


def test_a_movie_with_its_header_is_not_called_incomplete() -> None:
    error = why_unopened(Path("a.mov"), b"\0\0\0\x14ftypqt  ", has_moov=True)
    assert "moov" not in error.message


@pytest.mark.parametrize(
    ("codec", "what"),
    [
        ("b3dx", "there is no decoder for its picture (codec 'b3dx')"),
        ("brxq", "camera RAW (BRAW) is not supported"),
        ("CRAW", "camera RAW (Canon CRM) is not supported"),
        ("encv", "the picture is encrypted"),
    ],
)
def test_a_picture_without_a_decoder_is_named(codec: str, what: str) -> None:
    """CA-08."""
    assert undecodable_picture(codec).what == what


def test_a_name_is_one_line_that_any_terminal_can_print() -> None:
    """FN-07 and FN-10."""
    name = os.fsdecode(b"new\nline \xe9 caf\xc3\xa9\x1b[2J.mov")
    assert printable(Path(name)) == "new\\nline \\xe9 café\\x1b[2J.mov"
