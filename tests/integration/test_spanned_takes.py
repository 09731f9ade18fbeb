"""One recording in several files, as AVCHD cameras write it."""

from pathlib import Path

import clips
import pytest
from encodes import compared, even_times, frame_times, transcode

from proxima.config.schema import Config
from proxima.errors import JobFailed
from proxima.ffmpeg.probe import probe
from proxima.paths import PathMaps
from proxima.queuer.discover import discover
from proxima.queuer.spans import with_spans
from proxima.spanned_take import SpannedTake
from proxima.worker.access import Access
from proxima.worker.blackness import refuse_black

PACKET = 192


def recording(folder: Path, seconds: float) -> bytes:
    """A whole take, as AVCHD has it."""
    codecs = ("-c:v", "libx264", "-g", "12", "-c:a", "ac3", "-mpegts_m2ts_mode", "1")
    streams = (*clips.picture(seconds), *clips.tones(1, seconds), *clips.all_inputs(2))
    path = clips.make_clip(folder, "whole.mts", *streams, *codecs)
    data = path.read_bytes()
    path.unlink()
    return data


@pytest.fixture
def card(tmp_path: Path) -> Path:
    """A take of 5 s in two files, and one of its own that follows by number."""
    stream = tmp_path / "PRIVATE" / "AVCHD" / "BDMV" / "STREAM"
    stream.mkdir(parents=True)
    take = recording(tmp_path, 5)
    cut = len(take) // PACKET // 2 * PACKET
    files = (take[:cut], take[cut:], recording(tmp_path, 1))
    for number, data in enumerate(files):
        (stream / f"{number:05}.MTS").write_bytes(data)
    return tmp_path


def found(card: Path) -> list[str]:
    sources = discover([str(card)], Config().sources.suffixes, card)
    return [source.name for source in with_spans(sources).sources]


def test_files_that_go_on_in_one_another_are_one_source(card: Path) -> None:
    assert found(card) == ["[00000+00001].MTS", "00002.MTS"]


def test_the_rest_of_a_take_alone_stays_as_it_is_and_says_so(card: Path) -> None:
    stream = card / "PRIVATE" / "AVCHD" / "BDMV" / "STREAM"
    (stream / "00000.MTS").unlink()
    assert found(card) == ["00001.MTS", "00002.MTS"]
    parts = [probe(stream / name).is_rest_of_take for name in ("00001.MTS", "00002.MTS")]
    assert parts == [True, False]


def test_no_frame_is_lost_where_files_meet(card: Path) -> None:
    source = card / "PRIVATE" / "AVCHD" / "BDMV" / "STREAM" / "[00000+00001].MTS"
    output = transcode(source)
    assert frame_times(output.path) == even_times(125, 25, frame_times(output.path)[0])
    assert output.warnings == {}
    assert compared(source, output.path).worst > 0.85


def test_a_black_output_of_a_take_is_wrong(card: Path) -> None:
    source = card / "PRIVATE" / "AVCHD" / "BDMV" / "STREAM" / "[00000+00001].MTS"
    black = ("-f", "lavfi", "-i", "color=black:s=320x180:r=25:d=1")
    output = clips.make_clip(card, "black.mov", *black)
    with pytest.raises(JobFailed, match="the output is black"):
        refuse_black(output, probe(output), source=source, media=probe(source))


def test_a_file_that_is_a_link_to_elsewhere_is_refused(card: Path, tmp_path: Path) -> None:
    stream = card / "PRIVATE" / "AVCHD" / "BDMV" / "STREAM"
    (stream / "00001.MTS").rename(tmp_path / "other.mts")
    (stream / "00001.MTS").symlink_to(tmp_path / "other.mts")
    access = Access(PathMaps.here(()), [str(stream)], "w@h")
    with pytest.raises(JobFailed, match="outside the roots"):
        access.source(str(stream / "[00000+00001].MTS"))


def test_a_bar_in_a_folder_names_no_other_file(tmp_path: Path) -> None:
    folder = tmp_path / "a|file:" / "etc"
    assert SpannedTake.of(folder / "[00000+00001].MTS") is None


@pytest.mark.parametrize("name", ["[00000].MTS", "[0+1].MTS", "[00000+00001].mov", "00000.MTS"])
def test_other_names_are_no_takes(tmp_path: Path, name: str) -> None:
    assert SpannedTake.of(tmp_path / name) is None
