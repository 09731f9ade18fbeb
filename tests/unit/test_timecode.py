from fractions import Fraction

import pytest

from proxima.timecode import Timecode

NTSC = Fraction(30000, 1001)
DAY = 24 * 60 * 60


@pytest.mark.parametrize(
    "label",
    ["01:00:00;02", "01:00:00:02", "23:59:59:24", "10:11:12:49", "01:00:00:100", "00:00:00:00"],
)
def test_a_label_is_read_and_written_alike(label: str) -> None:
    assert str(Timecode.parse(label)) == label


def test_a_semicolon_or_full_stop_marks_drop_frame() -> None:
    assert Timecode.parse("01:00:00;02") == Timecode.parse("01:00:00.02")
    assert Timecode.parse("01:00:00;02") != Timecode.parse("01:00:00:02")


@pytest.mark.parametrize(
    "text",
    [
        *("105:111:110:00", "24:00:00:00", "00:60:00:00", "00:00:60:00", "", "01:00:00"),
        *("1:2:3:4", "01:00:00:0\N{ARABIC-INDIC DIGIT THREE}", "01:00:00:00 A001", "-1:00:00:00"),
    ],
)
def test_what_is_no_label_is_none(text: str) -> None:
    """The first one is what ffmpeg makes of a sample of Sony's rtmd (TC-14)."""
    assert Timecode.parse(text) is None


@pytest.mark.parametrize(
    ("label", "rate", "number"),
    [
        ("00:00:59:29", NTSC, 1799),
        ("00:01:00:00", NTSC, 1800),
        ("00:00:59;29", NTSC, 1799),
        ("00:01:00;02", NTSC, 1800),
        ("00:10:00;00", NTSC, 17982),
        ("01:00:00;00", NTSC, 107892),
        ("00:01:00;04", Fraction(60000, 1001), 3600),
        ("19:36:10:05", Fraction(24), 1693685),
        ("01:00:00:100", Fraction(120000, 1001), 432100),
    ],
)
def test_frames_since_midnight(label: str, rate: Fraction, number: int) -> None:
    timecode = Timecode.parse(label)
    assert timecode is not None
    assert timecode.frame_number(rate) == number
    assert Timecode.at_frame(number, rate, drop_frame=timecode.drop_frame) == timecode


def test_drop_frame_that_a_rate_does_not_know_leaves_nothing_out() -> None:
    """TC-05: 24 frames a second that claim drop-frame."""
    claimed = Timecode(19, 36, 10, 5, drop_frame=True)
    assert claimed.frame_number(Fraction(24)) == 1693685


def test_every_label_of_a_drop_frame_day_has_its_number() -> None:
    for number in (*range(40_000), *range(2_580_000, 2_589_408)):
        assert Timecode.at_frame(number, NTSC, drop_frame=True).frame_number(NTSC) == number


def test_labels_start_again_at_midnight() -> None:
    """TC-04: a clip of 4 s that starts two seconds before midnight."""
    start = Timecode.parse("23:59:58:00")
    assert start is not None
    end = start.frame_number(Fraction(25)) + 100
    assert str(Timecode.at_frame(end, Fraction(25))) == "00:00:02:00"
    assert str(Timecode.at_frame(2_589_408, NTSC, drop_frame=True)) == "00:00:00;00"


def test_a_time_lapse_slower_than_a_frame_a_second_has_labels_too() -> None:
    assert str(Timecode.at_frame(61, Fraction(1, 10))) == "00:01:01:00"
