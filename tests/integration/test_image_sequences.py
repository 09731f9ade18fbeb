"""Numbered pictures as one source, with the real ffmpeg."""

import struct
from fractions import Fraction
from pathlib import Path

import pytest
from camera_files import FILM, make_preset
from clips import make_clip, picture
from encodes import compared, even_times, frame_times, transcode

from proxima.config.schema import Config
from proxima.errors import FailureKind, JobFailed, SourceUnreadable
from proxima.ffmpeg.binaries import find_ffmpeg
from proxima.ffmpeg.command import encode_command
from proxima.ffmpeg.encode import encode
from proxima.ffmpeg.probe import probe
from proxima.ffmpeg.probe_sequence import SequenceRate
from proxima.ffmpeg.sequence_header import read_header
from proxima.image_sequence import ImageSequence
from proxima.paths import PathMaps
from proxima.queuer.discover import discover
from proxima.worker.access import Access
from proxima.worker.blackness import refuse_black
from proxima.worker.verify import verify

PIXELS = {
    "dpx": "gbrp10be",
    "exr": "gbrpf32le",
    "png": "rgb48be",
    "tif": "rgb24",
    "jpg": "yuvj422p",
}


def shot(folder: Path, extension: str = "png", first: int = 86400, count: int = 6) -> Path:
    """Pictures of 160x90; the folder's name has what ffmpeg takes for a pattern."""
    place = folder / "50%d off"
    place.mkdir(exist_ok=True)
    name = f"50%%d off/shot_%07d.{extension}"
    make_clip(
        *(folder, name, *picture(count / 24, "24", "160x90"), "-start_number", str(first)),
        *("-pix_fmt", PIXELS[extension]),
    )
    return place / f"shot_[{first:07}-{first + count - 1:07}].{extension}"


def found(*arguments: Path) -> list[Path]:
    suffixes = Config().sources.suffixes
    return list(discover([str(a) for a in arguments], suffixes, Path("/")).sources)


@pytest.mark.parametrize("extension", PIXELS)
def test_a_folder_of_pictures_is_one_clip(tmp_path: Path, extension: str) -> None:
    """IM-01: whatever number is the first; it is the timecode, too."""
    source = shot(tmp_path, extension)
    assert found(source.parent) == [source]
    output = transcode(source)
    assert frame_times(output.path) == even_times(6, 24)
    assert output.picture.frame_rate == 24
    assert str(output.info.timecode) == "01:00:00:00"
    assert compared(source, output.path).worst > 0.8


@pytest.mark.parametrize("name", ["shot_[0086400-0086405].png", "shot_%07d.png"])
def test_a_sequence_can_be_named(tmp_path: Path, name: str) -> None:
    source = shot(tmp_path)
    assert found(source.with_name(name)) == [source]


def test_a_missing_picture_is_told_by_its_number(tmp_path: Path) -> None:
    """IM-02: never a short file with success."""
    source = shot(tmp_path)
    (source.parent / "shot_0086402.png").unlink()
    with pytest.raises(SourceUnreadable, match="picture 86402 missing, of 6 in all") as refused:
        probe(source)
    assert refused.value.kind is FailureKind.SOURCE_DAMAGED


def test_a_picture_that_goes_missing_on_the_way_fails_the_job(tmp_path: Path) -> None:
    """IM-02."""
    source, scratch, preset = shot(tmp_path), tmp_path / "out.mov", make_preset(size="full")
    media = probe(source)
    argv = encode_command(
        ffmpeg=find_ffmpeg(), source=source, scratch=scratch, media=media, preset=preset, threads=1
    )
    (source.parent / "shot_0086403.png").unlink()
    log = tmp_path / "log"
    *_, last = encode(argv, duration=None, log=log, should_stop=lambda: False)
    with pytest.raises(JobFailed, match="3 of 6 frames could be decoded"):
        verify(scratch, media=media, preset=preset, frames_encoded=last.frame)


def test_pictures_behind_the_last_one_are_not_in(tmp_path: Path) -> None:
    source = shot(tmp_path)
    some = source.with_name("shot_[0086401-0086403].png")
    assert len(frame_times(transcode(some).path)) == 3


def test_photos_and_stills_beside_clips_are_no_sequences(tmp_path: Path) -> None:
    """IM-04: they are left out of folders."""
    for folder in ("DCIM/100CANON", "clips"):
        place = tmp_path / folder
        place.mkdir(parents=True)
        for number in (1, 2, 3):
            (place / f"IMG_{number:04}.JPG").write_bytes(b"x")
    (tmp_path / "clips" / "MVI_0004.MOV").write_bytes(b"x")
    assert found(tmp_path) == [tmp_path / "clips" / "MVI_0004.MOV"]


@pytest.mark.parametrize(
    ("rate", "expected"),
    [(SequenceRate(said=FILM), FILM), (SequenceRate(default=Fraction(25)), Fraction(25))],
)
def test_a_rate_can_be_said(tmp_path: Path, rate: SequenceRate, expected: Fraction) -> None:
    media = probe(shot(tmp_path), rate)
    assert media.picture
    assert media.picture.frame_rate == expected
    assert media.duration == 6 / expected


def test_dpx_tells_its_rate_and_timecode(tmp_path: Path) -> None:
    source = shot(tmp_path, "dpx")
    first = source.parent / "shot_0086400.dpx"
    header = bytearray(first.read_bytes())
    struct.pack_into(">I", header, 1920, 0x10203004)
    struct.pack_into(">f", header, 1940, 23.976)
    first.write_bytes(header)
    media = probe(source, SequenceRate(default=Fraction(25)))
    assert media.picture
    assert (media.picture.frame_rate, str(media.timecode)) == (FILM, "10:20:30:04")


def test_openexr_tells_its_rate_and_timecode(tmp_path: Path) -> None:
    source = shot(tmp_path, "exr")
    first = source.parent / "shot_0086400.exr"
    data = first.read_bytes()
    said = b"framesPerSecond\0rational\0" + struct.pack("<IiI", 8, 30000, 1001)
    said += b"timeCode\0timecode\0" + struct.pack("<III", 8, 0x01000042, 0)
    # The table behind the header counts from the start of the file: only the header is read.
    first.write_bytes(data[:8] + said + data[8:])
    header = read_header(first)
    assert header.rate == Fraction(30000, 1001)
    assert str(header.timecode) == "01:00:00;02"


def access(*roots: Path) -> Access:
    return Access(PathMaps.here(()), [str(root) for root in roots], "w@h")


def test_a_worker_takes_a_sequence_below_its_roots_only(tmp_path: Path) -> None:
    source = shot(tmp_path)
    assert access(tmp_path).source(str(source)) == source
    with pytest.raises(JobFailed, match="outside the roots"):
        access(tmp_path / "other").source(str(source))


def test_a_picture_that_is_a_link_to_elsewhere_is_refused(tmp_path: Path) -> None:
    source = shot(tmp_path)
    elsewhere = tmp_path / "secret.png"
    picture_file = source.parent / "shot_0086404.png"
    picture_file.rename(elsewhere)
    picture_file.symlink_to(elsewhere)
    with pytest.raises(JobFailed, match=r"secret\.png, outside the roots"):
        access(source.parent).source(str(source))


def test_a_name_that_claims_more_than_can_be_is_no_sequence(tmp_path: Path) -> None:
    assert ImageSequence.of(tmp_path / "a[1-999999999].png") is None


def test_a_black_output_of_a_sequence_is_wrong(tmp_path: Path) -> None:
    source = shot(tmp_path)
    black = ("-f", "lavfi", "-i", "color=black:s=160x90:r=24:d=0.25")
    output = make_clip(tmp_path, "black.mov", *black)
    with pytest.raises(JobFailed, match="the output is black"):
        refuse_black(output, probe(output), source=source, media=probe(source))
