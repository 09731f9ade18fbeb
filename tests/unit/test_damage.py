"""Counting what a source's decoder complained about."""

from pathlib import Path

import pytest

from proxima.ffmpeg.damage import damage

CONCEALED = "[vist#0:0/h264 @ 0x1] [dec:h264 @ 0x2] [warning] corrupt decoded frame"
LOST = "[vist#0:0/h264 @ 0x1] [dec:h264 @ 0x2] [error] Error submitting packet to decoder: Invalid"
LOST_SOUND = LOST.replace("[vist#0:0/h264", "[aist#0:1/aac")


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([], []),
        (["[h264 @ 0x1] [error] no frame!", "[info] corrupt decoded frame"], []),
        ([CONCEALED], ["damaged pictures in the source: 1"]),
        (
            [CONCEALED, "    Last message repeated 2 times", LOST],
            ["damaged pictures in the source: 4"],
        ),
        (["[info] x", "    Last message repeated 9 times"], []),
        (
            [LOST_SOUND, CONCEALED, LOST_SOUND],
            [
                "damaged pictures in the source: 1",
                "damaged pieces of sound in the source: 2",
            ],
        ),
    ],
)
def test_each_damaged_piece_is_counted(tmp_path: Path, lines: list[str], said: list[str]) -> None:
    """BR-04: never a clean green."""
    log = tmp_path / "job.log"
    log.write_text("\n".join(lines))
    assert [warning.message for warning in damage(log)] == said


def test_a_log_that_is_not_text_is_read(tmp_path: Path) -> None:
    log = tmp_path / "job.log"
    log.write_bytes(b"\xff\xfe\n" + CONCEALED.encode())
    assert [warning.code for warning in damage(log)] == ["picture_damaged"]
