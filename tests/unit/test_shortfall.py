"""What a source promised and did not give."""

from dataclasses import replace

import pytest
from plans import PROXY, make_media

from proxima.ffmpeg.damage import Damage
from proxima.worker.shortfall import lost_parts

BROKEN = Damage(complaints=1, complaint="corrupt packet")


@pytest.mark.parametrize(
    ("encoded", "damage", "container", "variable", "said"),
    [
        (63, BROKEN, "mpegts", False, ["63 of 75 frames could be decoded"]),
        (74, BROKEN, "mpegts", False, []),
        (63, Damage(), "mpegts", False, []),
        (63, BROKEN, "mpegts", True, []),
        (63, BROKEN, "matroska,webm", False, []),
    ],
)
def test_a_hole_in_a_stream_with_broken_packets_is_counted(
    encoded: int, damage: Damage, container: str, variable: bool, said: list[str]
) -> None:
    """BR-05: the times of what is left tell how much lay between."""
    given = make_media(frames=75, frame_count=None, variable_rate=variable)
    lost = lost_parts(
        encoded,
        make_media(frames=75),
        media=replace(given, container=container),
        preset=PROXY,
        damage=damage,
    )
    assert list(lost) == said
