"""The rules by which probing judges what libav says; values only, no file is read."""

from dataclasses import dataclass, field
from fractions import Fraction

import pytest

from proxima.ffmpeg.probe_atoms import Movie, TimecodeTrack, Track
from proxima.ffmpeg.probe_colour import colour
from proxima.ffmpeg.probe_first_frame import header_order, must_ask_frames, settled_order
from proxima.ffmpeg.probe_frames import frames
from proxima.ffmpeg.probe_matroska import cut_off_bytes, may_be_turned
from proxima.ffmpeg.probe_timecode import start_of
from proxima.ffmpeg.probe_video import orientation
from proxima.media import Colour, FieldOrder

TOP, BOTTOM, PROGRESSIVE, UNKNOWN = (
    FieldOrder.TOP,
    FieldOrder.BOTTOM,
    FieldOrder.PROGRESSIVE,
    FieldOrder.UNKNOWN,
)


@dataclass(frozen=True)
class Entry:
    """A frame in a container's index."""

    timestamp: int
    pos: int = 0
    size: int = 10
    is_discard: bool = False


@dataclass(frozen=True)
class Stream:
    """What the rules read of PyAV's stream."""

    index_entries: list[Entry] = field(default_factory=list)
    time_base: Fraction = Fraction(1, 600)
    guessed_rate: Fraction | None = Fraction(25)
    average_rate: Fraction | None = Fraction(25)
    duration: int | None = None
    frames: int = 0


def count(stream: Stream, container: str = "mov", size: int = 10_000, *, fragmented: bool = False):
    return frames(stream, container, size, fragmented=fragmented)  # type: ignore[arg-type]


def rows(*timestamps: int) -> list[Entry]:
    return [Entry(timestamp) for timestamp in timestamps]


@pytest.mark.parametrize(
    ("matrix", "expected"),
    [
        ((1, 0, 0, 1), (0, False)),
        ((0, 1, -1, 0), (90, False)),
        ((-1, 0, 0, -1), (180, False)),
        ((0, -1, 1, 0), (270, False)),
        ((-1, 0, 0, 1), (0, True)),
        ((1, 0, 0, -1), (180, True)),
        ((0, 0, 0, 0), (0, False)),
    ],
)
def test_a_matrix_turns_and_mirrors(
    matrix: tuple[int, int, int, int], expected: tuple[int, bool]
) -> None:
    """RO-01 to RO-04: a mirrored picture is not one upside down."""
    assert orientation(matrix) == expected


def test_colour_tags_have_ffmpegs_names_and_unspecified_ones_none() -> None:
    assert colour(9, 18, 9, 1) == Colour(
        primaries="bt2020", transfer="arib-std-b67", matrix="bt2020nc", range="tv"
    )
    assert colour(1, 2, 2, 0) == Colour(primaries="bt709")


@pytest.mark.parametrize(
    ("header", "frame", "expected"),
    [
        (TOP, BOTTOM, BOTTOM),
        (TOP, PROGRESSIVE, TOP),
        (TOP, UNKNOWN, TOP),
        (UNKNOWN, TOP, TOP),
        (UNKNOWN, PROGRESSIVE, PROGRESSIVE),
        (UNKNOWN, UNKNOWN, UNKNOWN),
    ],
)
def test_a_frame_of_fields_knows_better_than_the_header(
    header: FieldOrder, frame: FieldOrder, expected: FieldOrder
) -> None:
    assert settled_order(header, frame) is expected


def test_a_frame_is_decoded_only_where_the_header_is_no_answer() -> None:
    assert not must_ask_frames(header_order(1, "h264"), "h264")
    assert must_ask_frames(header_order(2, "h264"), "h264")
    assert must_ask_frames(header_order(1, "dvvideo"), "dvvideo")
    assert not must_ask_frames(header_order(0, "vp9"), "vp9")
    assert not must_ask_frames(header_order(0, "rawvideo"), "rawvideo")


@pytest.mark.parametrize(
    "timestamps",
    [range(0, 4000, 20), [0, 20, 40, 60, 81, 101, 121], [0, 20, 41, 60, 80], [7], []],
    ids=["even", "rounded", "a tick late", "one frame", "none"],
)
def test_a_tick_of_the_clock_is_no_variable_rate(timestamps: list[int]) -> None:
    assert not count(Stream(rows(*timestamps))).is_variable


@pytest.mark.parametrize(
    "timestamps",
    [[0, 20, 40, 50, 60, 70], [0, 20, 60, 80, 100, 120], [0, 2, 4, 5, 6, 7, 8, 9, 10]],
    ids=["rate doubles", "a frame is missing", "coarse clock"],
)
def test_uneven_frames_are_a_variable_rate(timestamps: list[int]) -> None:
    assert count(Stream(rows(*timestamps))).is_variable


def test_the_average_rate_of_uneven_frames_is_frames_over_duration() -> None:
    counted = count(Stream(rows(0, 20, 40, 50, 60, 70), duration=80))
    assert counted.average == Fraction(6 * 600, 80)


def test_frames_that_an_edit_list_hides_are_not_counted() -> None:
    entries = [Entry(0, is_discard=True), Entry(20), Entry(40)]
    counted = count(Stream(entries, frames=5))
    assert (counted.shown, counted.hidden) == (2, 3)


def test_frames_past_the_end_of_the_file_are_missing() -> None:
    entries = [Entry(0, pos=0), Entry(20, pos=90), Entry(40, pos=91), Entry(60, pos=200)]
    assert count(Stream(entries), size=100).missing == 2


def test_a_fragmented_file_does_not_say_how_many_frames_it_has() -> None:
    assert count(Stream(rows(0, 20, 40)), fragmented=True).shown is None


def test_the_key_frames_that_matroska_lists_are_no_count() -> None:
    assert count(Stream(rows(0, 300)), "matroska,webm").shown is None


def test_mxf_counts_in_frames() -> None:
    assert count(Stream(time_base=Fraction(1, 25), duration=50), "mxf").shown == 50
    assert count(Stream(time_base=Fraction(1, 50), duration=50), "mxf").shown is None


def test_the_clock_of_a_container_is_no_frame_rate() -> None:
    """A screen recording "at 1000 frames a second", and raw DV "at 60000"."""
    clock = Stream(
        time_base=Fraction(1, 1000), guessed_rate=Fraction(1000), average_rate=Fraction(24)
    )
    assert count(clock, "matroska,webm").rate == 24
    dv = Stream(time_base=Fraction(1, 60000), average_rate=Fraction(60000))
    assert (count(dv, "dv").rate, count(dv, "dv").average) == (25, 25)


def test_two_fields_a_frame_are_no_variable_rate() -> None:
    fields = Stream(guessed_rate=Fraction(50), average_rate=Fraction(25))
    assert not count(fields, "mpegts").is_variable
    assert count(Stream(average_rate=Fraction(20)), "matroska,webm").is_variable


def timecode_track(track_id: int, start: int | None, *, drop_frame: bool = False) -> Track:
    counts = TimecodeTrack(rate=Fraction(24), nominal=24, drop_frame=drop_frame, start=start)
    return Track(id=track_id, codec="tmcd", timecode=counts)


def test_the_pictures_label_comes_first_and_garbage_is_no_label() -> None:
    movie = Movie(exists=True, tracks=(timecode_track(3, 0),))
    found = start_of(
        (1, {"timecode": "105:111:110:00"}), {3: {"timecode": "09:24:53:14"}}, {}, movie
    )
    assert str(found.timecode) == "09:24:53:14"
    labelled = start_of(
        (1, {"timecode": "01:00:00:00"}), {3: {"timecode": "02:00:00:00"}}, {}, movie
    )
    assert str(labelled.timecode) == "01:00:00:00"


def test_a_data_track_without_timecode_is_not_asked() -> None:
    """Sony's rtmd gives labels that are none, and some that look like one."""
    found = start_of((1, {}), {2: {"timecode": "01:02:03:04"}}, {}, Movie())
    assert found.timecode is None


def test_the_timecode_track_that_the_picture_names_comes_first() -> None:
    picture = Track(id=1, codec="avc1", timecode_ids=(4,))
    movie = Movie(exists=True, tracks=(picture, timecode_track(3, 24), timecode_track(4, 48)))
    assert str(start_of((1, {}), {}, {}, movie).timecode) == "00:00:02:00"


def test_a_claim_of_drop_frame_at_24_is_not_believed() -> None:
    movie = Movie(exists=True, tracks=(timecode_track(3, 1693685, drop_frame=True),))
    found = start_of((1, {}), {}, {}, movie)
    assert (str(found.timecode), found.is_unreadable) == ("19:36:10:05", False)


def test_a_timecode_track_that_cannot_be_read_is_told() -> None:
    found = start_of((1, {}), {}, {}, Movie(exists=True, tracks=(timecode_track(3, None),)))
    assert (found.timecode, found.is_unreadable) == (None, True)


def matroska(size: bytes, rest: bytes = b"") -> bytes:
    return b"\x1a\x45\xdf\xa3\x82\0\0\x18\x53\x80\x67" + size + rest


def test_a_matroska_file_says_how_long_it_should_be() -> None:
    head = matroska(b"\x41\x00", bytes(100))
    assert cut_off_bytes(head, 7 + 4 + 2 + 100) == 156
    assert cut_off_bytes(head, 7 + 4 + 2 + 256) == 0


def test_a_live_matroska_recording_does_not_say_how_long_it_is() -> None:
    assert cut_off_bytes(matroska(b"\x01" + b"\xff" * 7), 50) == 0
    assert cut_off_bytes(b"RIFF", 4) == 0


def test_only_the_header_of_a_matroska_file_says_that_it_is_turned() -> None:
    cluster = b"\x1f\x43\xb6\x75"
    assert may_be_turned(matroska(b"\xff", b"\x76\x75" + cluster))
    assert not may_be_turned(matroska(b"\xff", cluster + b"\x76\x75"))
    assert not may_be_turned(b"\x76\x75")


def test_a_clock_is_no_rate_of_a_stream_without_frames():
    unseen = Stream(time_base=Fraction(1, 1000), guessed_rate=Fraction(1000), average_rate=None)
    assert count(unseen, "asf").rate is None
