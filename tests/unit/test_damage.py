"""Counting what ffmpeg's log says of a source."""

from pathlib import Path

import pytest

from proxima.ffmpeg.damage import Damage, damage

CONCEALED = "[vist#0:0/h264 @ 0x1] [dec:h264 @ 0x2] [warning] corrupt decoded frame"
LOST = "[vist#0:0/h264 @ 0x1] [dec:h264 @ 0x2] [error] Error submitting packet to decoder: Invalid"
LOST_SOUND = LOST.replace("[vist#0:0/h264", "[aist#0:1/aac")
COMPLAINT = "[h264 @ 0x1] [error] no frame!"
TWICE = "    Last message repeated 2 times"
BEGIN = "[info] Stream mapping:"
OUTPUT = "[info] Output #0, mov, to 'file:/x.mov':"
RESIZED = (
    "[vf#0:0 @ 0x1] [info] Reconfiguring filter graph because video parameters changed to "
    "yuv420p(tv, bt709), 160x120, unspecified alpha"
)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([], Damage()),
        ([OUTPUT, CONCEALED], Damage(pictures=1)),
        ([OUTPUT, CONCEALED, TWICE, LOST], Damage(pictures=4)),
        ([CONCEALED, TWICE, OUTPUT], Damage(early=3)),
        (["[info] x", TWICE, "[info] corrupt decoded frame"], Damage()),
        ([LOST_SOUND, OUTPUT, CONCEALED, LOST_SOUND], Damage(pictures=1, sounds=2)),
        ([COMPLAINT, TWICE], Damage(complaints=3, complaint="no frame!")),
        ([COMPLAINT, BEGIN], Damage()),
        (["[prores_aw @ 0x1] [error] odd"], Damage()),
        (
            ["[in#0/mpegts @ 0x1] [warning] corrupt input packet in stream 0"],
            Damage(complaints=1, complaint="corrupt packet"),
        ),
        ([RESIZED, RESIZED], Damage(sizes=("160x120",))),
    ],
)
def test_each_damaged_piece_is_counted(tmp_path: Path, lines: list[str], expected: Damage) -> None:
    """BR-04: never a clean green. FR-10: what is before the first whole picture is no damage."""
    log = tmp_path / "job.log"
    log.write_text("\n".join(lines))
    assert damage(log, ("h264", "aac")) == expected


@pytest.mark.parametrize(
    ("found", "is_serious"),
    [
        (Damage(), False),
        (Damage(pictures=1), True),
        (Damage(sounds=1), False),
        (Damage(sounds=2), True),
        (Damage(early=9, complaints=9), False),
    ],
)
def test_what_is_lost_inside_is_serious(found: Damage, is_serious: bool) -> None:
    assert found.is_serious is is_serious


def test_every_loss_is_told() -> None:
    found = Damage(pictures=1, sounds=2, early=3, complaints=4, complaint="odd", sizes=("2x2",))
    assert [(w.code, w.message) for w in found.warnings] == [
        ("picture_damaged", "damaged pictures in the source: 1"),
        ("sound_damaged", "damaged pieces of sound in the source: 2"),
        ("start_damaged", "damaged pictures before the first whole one: 3"),
        ("decode_errors", "decoder errors: 4 (odd)"),
        ("size_changes", "the picture changes to 2x2; it was scaled back"),
    ]
    assert Damage().warnings == ()


def test_a_log_that_is_not_text_is_read(tmp_path: Path) -> None:
    log = tmp_path / "job.log"
    log.write_bytes(b"\xff\xfe\n" + CONCEALED.encode() + b"\n[h264 @ 0x1] [error] a\x1b[1mb\xff")
    found = damage(log, ("h264",))
    assert (found.early, found.complaint) == (1, "a [1mb\ufffd")
