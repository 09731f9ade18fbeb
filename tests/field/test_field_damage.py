"""Sources that are damaged, or none at all: each is told, with figures, and nothing is called good.

IDs as in the reports.
"""

import re
from collections.abc import Callable
from pathlib import Path

import clips
import odd_clips as odd
import pytest
from encodes import WAV, transcode

from proxima.errors import FailureKind, JobFailed, SourceUnreadable

Make = Callable[[Path], Path]
DAMAGED = FailureKind.SOURCE_DAMAGED
UNSUPPORTED = FailureKind.SOURCE_UNSUPPORTED
UNSUITABLE = FailureKind.SOURCE_UNSUITABLE
DNXHR = {"video_codec": "dnxhr", "profile": "lb"}

REFUSED = [
    ("AU-16", clips.sound_only, {}, UNSUITABLE, "no moving picture"),
    ("AU-17", clips.sound_with_cover_art, {}, UNSUITABLE, "no moving picture"),
    ("TC-13", clips.broadcast_wave, {}, UNSUITABLE, "no moving picture"),
    ("CT-13", odd.op_atom_sound, {}, UNSUITABLE, "no moving picture"),
    ("AU-13", clips.silent_clip, WAV, UNSUITABLE, "no sound"),
    ("AU-10", odd.mixed_rates, WAV, FailureKind.PRESET_UNSUITABLE, "44100 and 48000"),
    (
        "GE-08",
        lambda f: odd.with_codec(f, "s.mov", *clips.H264, size="254x120"),
        DNXHR,
        FailureKind.PRESET_UNSUITABLE,
        "254x120 .at least 256x120",
    ),
    (
        "GE-07",
        lambda f: odd.with_codec(f, "2.mkv", "-c:v", "ffv1", size="2x2"),
        {"video_codec": "hevc", "profile": "main10"},
        FailureKind.PRESET_UNSUITABLE,
        "2x2 .at least 64x64",
    ),
    ("CA-07", clips.camera_raw, {}, UNSUPPORTED, "camera RAW .R3D"),
    ("CA-07", lambda f: clips.camera_raw(f, "A001.braw"), {}, UNSUPPORTED, "camera RAW .BRAW"),
    ("CA-08", clips.undecodable_picture, {}, UNSUPPORTED, "b3dx"),
    ("CA-10", clips.appledouble, {}, UNSUPPORTED, "not a clip"),
    ("IM-04", clips.still_picture, {}, UNSUPPORTED, "still picture"),
    ("BR-01", clips.empty_file, {}, DAMAGED, "file is empty"),
    ("BR-02", clips.without_moov, {}, DAMAGED, "incomplete file .moov atom not found"),
    ("BR-03", clips.truncated_fast_start, {}, DAMAGED, r"^\d\d of 100 frames"),
    ("BR-03", lambda f: odd.avi_without_index(f, share=0.6), {}, DAMAGED, r"^\d of 10 frames"),
    ("BR-04", clips.bit_rot, {}, DAMAGED, r"damaged pictures in the source: \d+"),
    ("BR-04", clips.bit_rot, WAV, DAMAGED, r"damaged pieces of sound in the source: \d+"),
    ("BR-04", odd.one_bad_picture, {}, DAMAGED, "^damaged pictures in the source: 1$"),
    ("BR-05", odd.noisy_stream, {}, DAMAGED, r"damaged pictures in the source: \d+"),
    ("BR-07", clips.zeros, {}, DAMAGED, "only zeros"),
    (
        "BR-09",
        clips.truncated_matroska,
        {},
        DAMAGED,
        r"its last \d+ bytes are missing",
    ),
    ("BR-11", clips.garbage_samples, {}, DAMAGED, "no frame"),
]


@pytest.mark.parametrize(
    ("make", "preset", "kind", "said"), [r[1:] for r in REFUSED], ids=[r[0] for r in REFUSED]
)
def test_nothing_good_is_made(
    tmp_path: Path, make: Make, preset: dict[str, str], kind: FailureKind, said: str
) -> None:
    with pytest.raises((JobFailed, SourceUnreadable)) as failed:
        transcode(make(tmp_path), **preset)
    assert failed.value.kind is kind
    assert re.search(said, failed.value.message), failed.value.message


@pytest.mark.parametrize(
    ("make", "frames"),
    [
        (clips.truncated_fast_start, range(30, 90)),
        (clips.truncated_matroska, range(10, 25)),
        (clips.bit_rot, range(90, 101)),
        (odd.noisy_stream, range(20, 50)),
        (odd.one_bad_picture, range(10, 11)),
    ],
    ids=["BR-03", "BR-09", "BR-04", "BR-05", "BR-04"],
)
def test_what_can_be_made_is_made_if_that_is_allowed(
    tmp_path: Path, make: Make, frames: range
) -> None:
    output = transcode(make(tmp_path), allow_damaged=True)
    assert output.picture.frame_count in frames
    assert re.search(r"\d", output.warnings["source_damaged"])


def test_an_avi_that_lacks_nothing_but_its_index_is_whole(tmp_path: Path) -> None:
    output = transcode(odd.avi_without_index(tmp_path))
    assert output.picture.frame_count == 10
    assert "source_damaged" not in output.warnings


def test_an_encode_that_cannot_start_leaves_no_file(tmp_path: Path) -> None:
    """OS-05, BR-11, BR-12."""
    source = clips.garbage_samples(tmp_path)
    with pytest.raises((JobFailed, SourceUnreadable)):
        transcode(source)
    assert list(tmp_path.glob("output_*.mov")) == []


def test_a_sound_recorders_time_is_kept(tmp_path: Path) -> None:
    """TC-13."""
    assert transcode(clips.broadcast_wave(tmp_path), **WAV).info.time_reference == 172_800_000
