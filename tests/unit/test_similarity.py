"""What ffmpeg says of two pictures, and what that means."""

import pytest

from proxima.ffmpeg.similarity import Similarity, read_similarity

SAID = """
[Parsed_metadata_9 @ 0x55] [info] frame:0    pts:0       pts_time:0
[Parsed_metadata_9 @ 0x55] [info] lavfi.ssim.All=0.98
[Parsed_metadata_9 @ 0x55] [info] lavfi.ssim.All=0.90
[ssim@early @ 0x56] [info] SSIM Y:0.8 (7.0) U:0.9 (9.1) V:0.9 (9.1) All:0.850000 (8.2)
[ssim@late @ 0x57] [info] SSIM Y:0.8 (7.0) U:0.9 (9.1) V:0.9 (9.1) All:0.860000 (8.5)
[Parsed_ssim_8 @ 0x58] [info] SSIM Y:0.9 (7.0) U:0.9 (9.1) V:0.9 (9.1) All:0.940000 (8.2)
[psnr@colour @ 0x59] [info] PSNR y:inf u:38.5 v:41.25 average:40.1 min:39.0 max:41.9
"""


def similarity(**fields: float) -> Similarity:
    """A good output of moving pictures, but for *fields*."""
    return Similarity(
        **{
            "frames": 25,
            "average": 0.97,
            "worst": 0.95,
            "worst_frame": 7,
            "early": 0.9,
            "late": 0.9,
            "colour": 40,
            **fields,
        }
    )


def test_frames_and_their_neighbours_are_read() -> None:
    found = read_similarity(SAID.splitlines())
    assert found == Similarity(
        frames=2,
        average=pytest.approx(0.94),
        worst=0.9,
        worst_frame=1,
        early=0.85,
        late=0.86,
        colour=38.5,
    )


def test_nothing_compared_gives_nothing() -> None:
    assert read_similarity(["[info] frame:0", ""]) is None


def test_good_pictures_have_no_fault() -> None:
    assert similarity().fault == ""


def test_pictures_that_stand_still_are_not_shifted() -> None:
    assert similarity(early=0.9701, late=0.9701).fault == ""


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"early": 0.98}, "a frame late: SSIM 0.9700 in place, 0.9800 against the neighbour"),
        ({"late": 0.98}, "a frame early: SSIM 0.9700 in place, 0.9800 against the neighbour"),
        ({"colour": 29.96}, "its colours or levels are not those of the source: PSNR 30.0 dB"),
        ({"worst": 0.6}, "not those of the source: SSIM 0.9700, 0.6000 in frame 7"),
        ({"average": 0.2, "worst": 0.19, "early": 0, "late": 0}, "SSIM 0.2000, 0.1900 in frame 7"),
    ],
)
def test_what_is_wrong_is_said_with_figures(fields: dict[str, float], said: str) -> None:
    assert said in similarity(**fields).fault
