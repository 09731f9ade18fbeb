"""Reading ffmpeg's progress."""

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proxima.ffmpeg.progress_lines import parse
from proxima.progress import Progress

BLOCK = """frame=60
fps=29.97
stream_0_0_q=-0.0
bitrate=5326.6kbits/s
total_size=1332988
out_time_us=2002000
out_time_ms=2002000
out_time=00:00:02.002000
dup_frames=0
drop_frames=0
speed=14.1x
progress=continue"""


def readings(text: str, duration: float | None = None) -> list[Progress]:
    return list(parse(text.splitlines(), duration))


def test_a_block_is_a_reading() -> None:
    assert readings(BLOCK, 4.0) == [
        Progress(position=2.002, frame=60, duration=4.0, fps=29.97, speed=14.1)
    ]


def test_a_block_that_never_ends_is_none() -> None:
    assert readings(BLOCK.removesuffix("progress=continue")) == []


@pytest.mark.parametrize("value", ["N/A", "", "-9223372036854775808", "nan", "inf", "1e300", "x"])
def test_an_unknown_position_is_zero(value: str) -> None:
    """PR-01: what is not known stays what it was."""
    assert readings(f"frame=0\nout_time_us={value}\nprogress=continue") == [Progress(position=0.0)]


def test_nothing_known_is_no_reading() -> None:
    assert readings("out_time_us=N/A\nspeed=N/A\nprogress=continue") == []


@pytest.mark.parametrize("speed", ["N/A", "0x", "0.00x", "x", "-1x"])
def test_a_speed_that_ffmpeg_does_not_know_is_none(speed: str) -> None:
    """PR-02."""
    (reading,) = readings(f"out_time_us=1\nspeed={speed}\nprogress=continue")
    assert reading.speed is None


def test_positions_never_go_back_or_below_zero() -> None:
    """PR-04."""
    times = [-42_666, 1_000_000, 500_000, -1, 2_000_000]
    text = "\n".join(
        f"out_time_us={t}\nframe={max(t, 0) // 40_000}\nprogress=continue" for t in times
    )
    found = readings(text)
    assert [r.position for r in found] == [0.0, 1.0, 1.0, 1.0, 2.0]
    assert [r.frame for r in found] == [0, 25, 25, 25, 50]


def test_the_last_block_counts_too() -> None:
    assert readings("frame=1\nout_time_us=78\nprogress=end")[0].frame == 1


def test_bytes_with_any_line_end_are_read() -> None:
    lines = [line.encode() + b"\r\n" for line in BLOCK.splitlines()]
    assert [r.position for r in parse(lines, None)] == [2.002]


def test_noise_between_lines_is_passed_over() -> None:
    """PR-13."""
    noise = ["\xff\x00", "=", "===", "frame", "out_time_us", "a" * 100_000, ""]
    lines = [part for line in BLOCK.splitlines() for part in (*noise, line)]
    assert [r.position for r in parse(lines, None)] == [2.002]


@given(
    st.lists(
        st.one_of(
            st.text(),
            st.binary(),
            st.sampled_from([*BLOCK.splitlines(), "progress=end", "out_time_us=-1", "frame=N/A"]),
        )
    ),
    st.one_of(st.none(), st.floats(min_value=0, max_value=1e6)),
)
def test_no_input_raises_or_goes_below_zero(
    lines: Iterable[bytes | str], duration: float | None
) -> None:
    for reading in parse(lines, duration):
        assert reading.position >= 0
        assert reading.frame >= 0
        assert reading.fraction is None or 0 <= reading.fraction <= 1


def test_more_than_the_length_is_all_of_it() -> None:
    """PR-05: never above 100 %; that it is done is known from the job's end alone."""
    (reading,) = readings("frame=99\nout_time_us=9000000\nprogress=continue", 4.0)
    assert reading.fraction == 1.0


def test_the_share_done_goes_by_time_whatever_frames_there_are() -> None:
    """PR-11: a source of 24 frames a second may become one of 30."""
    (reading,) = readings("frame=30\nout_time_us=1000000\nprogress=continue", 4.0)
    assert reading.fraction == 0.25
