"""What probing says of real files; the ids in brackets are the field cases that they come from."""

import os
import shutil
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import clips
import mp4_patch
import pytest

from proxima.errors import FailureKind, SourceUnreadable
from proxima.ffmpeg.probe import probe, probe_all
from proxima.media import Colour, FieldOrder, MediaInfo, OtherStream, VideoStream


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("probe")


@pytest.fixture(scope="module")
def good_clip(folder: Path) -> Path:
    return clips.good_clip(folder, "good.mov", tracks=4)


def picture(info: MediaInfo) -> VideoStream:
    assert info.picture
    return info.picture


def test_a_clip_is_known_from_its_header(good_clip: Path) -> None:
    """AU-02: four mono tracks stay four."""
    info = probe(good_clip)
    assert info.container == "mov,mp4,m4a,3gp,3g2,mj2"
    assert info.size_bytes == good_clip.stat().st_size
    assert (info.duration, info.start) == (1, 0)
    assert info.video == (
        VideoStream(
            index=0,
            codec="h264",
            profile="Constrained Baseline",
            pixel_format="yuv420p",
            width=320,
            height=180,
            frame_rate=Fraction(25),
            average_rate=Fraction(25),
            time_base=Fraction(1, 12800),
            frame_count=25,
            start=Fraction(0),
            duration=Fraction(1),
            field_order=FieldOrder.PROGRESSIVE,
        ),
    )
    tracks = [(t.index, t.codec, t.sample_rate, t.channels, t.bit_depth) for t in info.sound]
    assert tracks == [(n, "pcm_s24le", 48000, 1, 24) for n in (1, 2, 3, 4)]
    assert info.others == (OtherStream(index=5, kind="data", codec="tmcd"),)
    assert (info.missing_bytes, info.has_unreadable_timecode) == (0, False)


@pytest.mark.parametrize("name", ["good.mov", "good.mp4", "good.mkv", "good.mxf"])
def test_every_container_keeps_timecode_and_tracks(folder: Path, name: str) -> None:
    """TC-07, AU-01."""
    info = probe(clips.good_clip(folder, f"all_{name}", timecode="11:22:33:10"))
    assert str(info.timecode) == "11:22:33:10"
    assert [(track.channels, track.language) for track in info.sound] == [(1, None)] * 2
    assert picture(info).frame_rate == 25


@pytest.mark.parametrize(
    ("name", "frames"), [("good.mov", 25), ("good.mxf", 25), ("good.mkv", None), ("good.ts", None)]
)
def test_frames_are_counted_where_the_header_knows_them(
    folder: Path, name: str, frames: int | None
) -> None:
    assert picture(probe(clips.good_clip(folder, f"count_{name}"))).frame_count == frames


@pytest.mark.parametrize(
    ("rate", "label"),
    [
        pytest.param("30000/1001", "01:00:00;02", id="TC-01"),
        pytest.param("30000/1001", "01:00:00:02", id="TC-02"),
        pytest.param("25", "23:59:58:00", id="TC-04"),
        pytest.param("50", "10:11:12:49", id="TC-10"),
        pytest.param("120000/1001", "01:00:00:100", id="TC-11"),
    ],
)
def test_a_label_and_a_rate_are_carried_as_they_are(folder: Path, rate: str, label: str) -> None:
    info = probe(clips.good_clip(folder, "label.mov", rate=rate, timecode=label, tracks=0))
    assert str(info.timecode) == label
    assert picture(info).frame_rate == info.timecode_rate == Fraction(rate)


def test_a_drop_frame_mxf_keeps_its_mark_and_its_reel(folder: Path) -> None:
    path = clips.good_clip(
        folder,
        "drop.mxf",
        rate="30000/1001",
        timecode="01:00:00;02",
        extra=("-metadata", "reel_name=TAPE9"),
    )
    info = probe(path)
    assert (str(info.timecode), info.reel_name) == ("01:00:00;02", "TAPE9")


def test_a_drop_flag_at_24_does_not_hide_the_timecode(folder: Path) -> None:
    """TC-05: ffmpeg gives no tag at all."""
    info = probe(clips.wrong_drop_flag(folder))
    assert (str(info.timecode), info.timecode_rate) == ("19:36:10:05", 24)
    assert not info.has_unreadable_timecode


def test_a_timecode_track_of_another_rate_is_told(folder: Path) -> None:
    """59.94 pictures labelled at 29.97: the label alone would be read at twice the rate."""
    path = clips.good_clip(folder, "half.mov", rate="60000/1001", tracks=0)
    mp4_patch.set_timecode_track(path, 1, drop_frame=True, rate=(30000, 1001), start=107_894)
    info = probe(path)
    assert (str(info.timecode), info.timecode_rate) == ("01:00:00;02", Fraction(30000, 1001))
    assert picture(info).frame_rate == Fraction(60000, 1001)


def test_the_reel_is_kept_with_the_timecode_track(folder: Path) -> None:
    """TC-08."""
    path = clips.good_clip(
        folder, "reel.mov", tracks=0, extra=("-metadata:s:v", "reel_name=A001R1AB")
    )
    assert probe(path).reel_name == "A001R1AB"


@pytest.mark.parametrize(
    ("fourcc", "label"),
    [
        pytest.param("gpmd", "09:23:02:23", id="CA-01"),
        pytest.param("rtmd", "09:24:53:14", id="TC-14 and CA-02"),
        pytest.param("djmd", "10:00:00:00", id="CA-04"),
    ],
)
def test_a_cameras_data_track_does_not_disturb(folder: Path, fourcc: str, label: str) -> None:
    info = probe(clips.camera_metadata(folder, f"{fourcc}.mp4", fourcc=fourcc, timecode=label))
    assert str(info.timecode) == label
    assert [(o.index, o.kind, o.codec) for o in info.others] == [
        (2, "data", fourcc),
        (3, "data", "tmcd"),
    ]


def test_a_field_recorders_sound_has_its_time(folder: Path) -> None:
    """TC-13."""
    info = probe(clips.broadcast_wave(folder))
    assert (info.time_reference, info.timecode) == (172_800_000, None)
    assert info.creation_time == "2026-05-01T12:30:00"
    assert (info.picture, len(info.decodable_sound)) == (None, 1)


def test_sixteen_channels_without_speakers_have_no_layout(folder: Path) -> None:
    """AU-04."""
    tones = "|".join(f"sin({n + 1}*2*PI*t)" for n in range(16))
    source = ("-f", "lavfi", "-i", f"aevalsrc={tones}:d=1:s=48000")
    info = probe(clips.make_clip(folder, "16.mov", *source, "-c:a", "pcm_s16le"))
    assert [(t.channels, t.layout, t.bit_depth) for t in info.sound] == [(16, None, 16)]


def test_sound_may_come_first_and_keeps_its_names(folder: Path) -> None:
    """AU-05."""
    names = ("language=fra", "title=Lav"), ("language=eng", "handler_name=Boom")
    tags = [
        arg
        for track, texts in enumerate(names)
        for text in texts
        for arg in (f"-metadata:s:a:{track}", text)
    ]
    inputs = (*clips.picture(), *clips.tones(2), "-map", "1", "-map", "0", "-map", "2")
    info = probe(clips.make_clip(folder, "first.mov", *inputs, *clips.H264, "-c:a", "aac", *tags))
    assert picture(info).index == 1
    assert [(t.index, t.language, t.title, t.handler) for t in info.sound] == [
        (0, "fra", "Lav", None),
        (2, "eng", None, "Boom"),
    ]


def test_tracks_of_different_kinds_stay_different(folder: Path) -> None:
    """AU-10."""
    inputs = (*clips.picture(), *clips.tones(1, rate=44100), *clips.tones(1), *clips.all_inputs(3))
    sound = ("-c:a", "aac", "-ac:a:0", "2", "-ac:a:1", "1")
    info = probe(clips.make_clip(folder, "mixed.mov", *inputs, *clips.H264, *sound))
    kinds = [(t.sample_rate, t.channels, t.layout) for t in info.sound]
    assert kinds == [(44100, 2, "stereo"), (48000, 1, "mono")]


def test_undecodable_sound_is_listed_by_its_fourcc(folder: Path) -> None:
    """AU-11."""
    info = probe(clips.undecodable_sound(folder))
    tracks = [(t.index, t.codec, t.channels, t.sample_rate, t.decodable) for t in info.sound]
    assert tracks == [(1, "aac", 1, 48000, True), (2, "apac", 4, 48000, False)]


def test_undecodable_sound_has_its_channels_in_older_descriptions_too(folder: Path) -> None:
    path = clips.good_clip(folder, "ac-4.mov", tracks=1)
    mp4_patch.set_fourcc(path, 1, "ac-4")
    (track,) = probe(path).sound
    assert (track.codec, track.channels, track.sample_rate) == ("ac-4", 1, 48000)


def test_a_clip_without_sound_has_none(folder: Path) -> None:
    """AU-13."""
    info = probe(clips.silent_clip(folder))
    assert (info.sound, picture(info).frame_count) == ((), 25)


def test_late_sound_has_its_start(folder: Path) -> None:
    """AU-14."""
    inputs = (*clips.picture(2), "-itsoffset", "1.5", *clips.tones(1))
    info = probe(clips.make_clip(folder, "late.mov", *inputs, *clips.H264, "-c:a", "pcm_s16le"))
    assert [track.start for track in info.sound] == [Fraction(3, 2)]


def test_a_file_of_sound_alone_has_no_picture(folder: Path) -> None:
    """AU-16."""
    info = probe(clips.sound_only(folder))
    assert (info.picture, info.video, len(info.decodable_sound)) == (None, (), 1)


@pytest.mark.parametrize("name", ["cover.mp4", "cover.mkv"])
def test_cover_art_is_not_the_picture(folder: Path, name: str) -> None:
    """CV-01 and CV-02."""
    info = probe(clips.clip_with_cover_art(folder, name))
    assert [video.is_attached_picture for video in info.video] == [False, True]
    assert (picture(info).codec, info.video[1].frame_rate) == ("h264", None)


def test_sound_with_cover_art_has_no_picture(folder: Path) -> None:
    """AU-17."""
    info = probe(clips.sound_with_cover_art(folder))
    assert (info.picture, len(info.video), len(info.decodable_sound)) == (None, 1, 1)


@pytest.mark.parametrize(
    ("make", "frames", "rate", "average"),
    [
        pytest.param(clips.variable_rate_clip, 90, 60, 45, id="FR-01"),
        pytest.param(clips.gappy_clip, 7, 30, Fraction(7, 10), id="FR-04"),
    ],
)
def test_a_variable_rate_is_told(
    folder: Path, make: Callable[[Path], Path], frames: int, rate: int, average: Fraction
) -> None:
    stream = picture(probe(make(folder)))
    assert stream.variable_rate
    assert (stream.frame_count, stream.frame_rate, stream.average_rate) == (frames, rate, average)


def test_a_phones_jitter_is_a_variable_rate(folder: Path) -> None:
    """FR-02."""
    stream = picture(probe(clips.jittery_clip(folder)))
    assert (stream.frame_count, stream.frame_rate, stream.variable_rate) == (30, 30, True)


@pytest.mark.parametrize(
    ("rate", "seconds", "extra", "frames"),
    [
        pytest.param("25", 0.04, (), 1, id="FR-05"),
        pytest.param("240", 1, (), 240, id="FR-07"),
        pytest.param("1/10", 60, (), 6, id="FR-08"),
        pytest.param("50", 1, ("-video_track_timescale", "1000"), 50, id="FR-14"),
        pytest.param("30000/1001", 1.001, ("-video_track_timescale", "600"), 30, id="coarse clock"),
    ],
)
def test_steady_rates_are_exact(
    folder: Path, rate: str, seconds: float, extra: tuple[str, ...], frames: int
) -> None:
    path = clips.good_clip(
        folder, "steady.mp4", rate=rate, seconds=seconds, timecode="", tracks=0, extra=extra
    )
    stream = picture(probe(path))
    assert (stream.frame_rate, stream.frame_count) == (Fraction(rate), frames)
    assert (stream.average_rate, stream.variable_rate) == (Fraction(rate), False)


def test_frames_that_an_edit_list_hides_are_not_counted(folder: Path) -> None:
    """FR-11: 100 in the file, 67 shown."""
    stream = picture(probe(clips.trimmed_clip(folder)))
    assert (stream.frame_count, stream.hidden_frames, stream.variable_rate) == (67, 33, False)


def test_a_header_that_is_too_short_hides_frames(folder: Path) -> None:
    """CT-10: 13 of 50."""
    stream = picture(probe(clips.shortened_clip(folder)))
    assert (stream.frame_count, stream.hidden_frames) == (13, 37)


def test_a_late_picture_has_its_start(folder: Path) -> None:
    """FR-13."""
    inputs = (*clips.picture(), *clips.tones(1, 1.7), "-vf", "setpts=PTS+0.7/TB")
    path = clips.make_clip(
        folder, "late.mp4", *inputs, "-fps_mode", "vfr", *clips.H264, "-c:a", "aac"
    )
    stream = picture(probe(path))
    assert (stream.start, stream.frame_count) == (Fraction(17, 25), 25)


def test_a_joined_transport_stream_has_its_own_rate(folder: Path) -> None:
    """FR-16."""
    first = clips.good_clip(folder, "join1.ts", timecode="")
    later = ("-output_ts_offset", "5000")
    second = clips.good_clip(folder, "join2.ts", timecode="", extra=later)
    joined = folder / "joined.ts"
    joined.write_bytes(first.read_bytes() + second.read_bytes())
    stream = picture(probe(joined))
    assert (stream.frame_rate, stream.frame_count) == (25, None)


def test_a_fragmented_file_cannot_tell_its_frames(folder: Path) -> None:
    """CT-05."""
    stream = picture(probe(clips.fragmented_clip(folder)))
    assert (stream.frame_rate, stream.frame_count) == (25, None)


def test_a_raw_stream_has_a_rate_but_no_length(folder: Path) -> None:
    """CT-04."""
    info = probe(clips.make_clip(folder, "raw.h264", *clips.picture(), *clips.H264))
    assert (picture(info).frame_rate, info.duration, picture(info).frame_count) == (25, None, None)


def test_an_animation_is_a_clip(folder: Path) -> None:
    """CT-07."""
    stream = picture(probe(clips.make_clip(folder, "anim.gif", *clips.picture(2, "10", "160x90"))))
    assert (stream.frame_rate, stream.frame_count, stream.pixel_format) == (10, 20, "bgra")


@pytest.mark.parametrize("degrees", [90, 180, 270])
def test_a_phones_turn_is_told_in_degrees_clockwise(folder: Path, degrees: int) -> None:
    """RO-01 and RO-02."""
    stream = picture(probe(clips.rotated_clip(folder, degrees)))
    assert (stream.rotation, stream.mirrored) == (degrees, False)
    assert (stream.width, stream.height) == (320, 180)


def test_a_mirrored_picture_is_not_upside_down(folder: Path) -> None:
    """RO-04."""
    stream = picture(probe(clips.mirrored_clip(folder)))
    assert (stream.rotation, stream.mirrored, stream.display_size) == (0, True, (320, 180))


def test_a_turned_matroska_file_is_told(folder: Path) -> None:
    source = clips.rotated_clip(folder, 90, "to_mkv.mov")
    path = clips.make_clip(folder, "turned.mkv", "-i", str(source), "-map", "0:v", "-c", "copy")
    assert picture(probe(path)).rotation == 90


def test_pixels_keep_their_shape(folder: Path) -> None:
    """GE-03."""
    path = clips.make_clip(
        folder, "hdv.mov", *clips.picture(size="360x270", then="setsar=4/3"), *clips.H264
    )
    assert picture(probe(path)).pixel_aspect == Fraction(4, 3)


def test_odd_sizes_are_told(folder: Path) -> None:
    """GE-01."""
    source = ("-f", "lavfi", "-i", "testsrc=s=321x181:r=25:d=0.2")
    path = clips.make_clip(folder, "odd.mkv", *source, "-c:v", "ffv1", "-pix_fmt", "yuv444p")
    stream = picture(probe(path))
    assert (stream.width, stream.height, stream.pixel_format) == (321, 181, "yuv444p")


@pytest.mark.parametrize(
    ("primaries", "transfer", "matrix"),
    [
        pytest.param("bt2020", "arib-std-b67", "bt2020nc", id="CO-01"),
        pytest.param("bt2020", "smpte2084", "bt2020nc", id="CO-02"),
        pytest.param("smpte170m", "smpte170m", "smpte170m", id="CO-04"),
        pytest.param("bt709", "bt709", "bt709", id="bt709"),
        pytest.param("bt709", None, None, id="CO-08"),
    ],
)
def test_colour_tags_have_ffmpegs_names(
    folder: Path, primaries: str, transfer: str | None, matrix: str | None
) -> None:
    path = clips.tagged_clip(folder, "tags.mp4", primaries, transfer or "", matrix or "")
    found = picture(probe(path)).colour
    expected = Colour(primaries=primaries, transfer=transfer, matrix=matrix, range=found.range)
    assert found == expected


def test_full_range_is_told(folder: Path) -> None:
    """CO-03."""
    full = clips.picture(then="scale=out_range=pc,format=yuvj420p")
    path = clips.make_clip(folder, "full.mov", *full, *clips.H264[:4], "-pix_fmt", "yuvj420p")
    assert picture(probe(path)).colour.range == "pc"


@pytest.mark.parametrize(
    ("codec", "pixels", "depth", "alpha"),
    [
        pytest.param(("libx264",), "yuv422p10le", 10, False, id="CO-05"),
        pytest.param(("prores_ks", "-profile:v", "4444"), "yuva444p10le", 12, True, id="AL-01"),
        pytest.param(("qtrle",), "argb", 8, True, id="AL-02"),
        pytest.param(("png",), "rgba", 8, True, id="AL-04"),
    ],
)
def test_depth_and_alpha_are_told(
    folder: Path, codec: tuple[str, ...], pixels: str, depth: int, *, alpha: bool
) -> None:
    source = clips.picture(0.2, then=f"format={pixels}")
    stream = picture(probe(clips.make_clip(folder, "depth.mov", *source, "-c:v", *codec)))
    assert (stream.bit_depth, stream.has_alpha) == (depth, alpha)


@pytest.mark.parametrize("top_first", [True, False])
@pytest.mark.parametrize(
    "name",
    [
        pytest.param("il.mov", id="IL-01"),
        pytest.param("il.mxf", id="IL-04"),
        pytest.param("il.ts", id="ts"),
        pytest.param("prores_il.mov", id="prores"),
    ],
)
def test_the_order_of_fields_is_told(folder: Path, name: str, *, top_first: bool) -> None:
    """The header calls an H.264 of bottom fields top first; its frames know."""
    path = clips.interlaced_clip(folder, name, top_first=top_first)
    expected = FieldOrder.TOP if top_first else FieldOrder.BOTTOM
    assert picture(probe(path)).field_order is expected


@pytest.mark.parametrize("name", ["dv.mov", "dv.avi"])
def test_dv_has_its_bottom_field_first(folder: Path, name: str) -> None:
    """IL-02 and GE-04: its header does not say so."""
    stream = picture(probe(clips.dv_clip(folder, name)))
    assert (stream.field_order, stream.pixel_aspect) == (FieldOrder.BOTTOM, Fraction(64, 45))


def test_odd_tags_are_carried(folder: Path) -> None:
    """ST-04, and a tag that is not UTF-8."""
    when = "creation_time=2026-05-01T12:00:00Z"
    title = 'title=He said "hi" & <b> 100% \\n'
    path = clips.good_clip(
        folder, "tags.mov", tracks=0, extra=("-metadata", when, "-metadata", title)
    )
    data = path.read_bytes()
    path.write_bytes(data.replace(b'He said "hi"', b'He said "h\xe9"'))
    assert probe(path).creation_time == "2026-05-01T12:00:00.000000Z"


def test_subtitles_and_fonts_are_listed(folder: Path) -> None:
    """ST-01 and ST-02."""
    words = folder / "words.srt"
    words.write_text("1\n00:00:00,000 --> 00:00:00,800\nHello\n\n")
    inputs = (*clips.picture(), "-i", str(words), *clips.all_inputs(2))
    mov = probe(clips.make_clip(folder, "words.mp4", *inputs, *clips.H264, "-c:s", "mov_text"))
    assert mov.others == (OtherStream(index=1, kind="subtitle", codec="tx3g"),)
    font = ("-attach", str(words), "-metadata:s:t", "mimetype=application/x-truetype-font")
    mkv = probe(clips.make_clip(folder, "words.mkv", *inputs, *clips.H264, "-c:s", "ass", *font))
    assert [(other.index, other.kind) for other in mkv.others] == [
        (1, "subtitle"),
        (2, "attachment"),
    ]


def test_picture_and_sound_of_op_atom_are_files_of_their_own(folder: Path) -> None:
    """CT-13."""
    sound = (*clips.tones(1), "-c:a", "pcm_s16le", "-mxf_audio_edit_rate", "25")
    info = probe(clips.make_clip(folder, "A1.mxf", *sound, "-f", "mxf_opatom"))
    assert (info.picture, len(info.decodable_sound)) == (None, 1)


def test_a_file_cut_in_half_says_what_is_missing(folder: Path) -> None:
    """BR-03: it opens, and its header knows of all frames."""
    path = clips.truncated_fast_start(folder)
    info = probe(path)
    stream = picture(info)
    assert (stream.frame_count, stream.missing_frames) == (100, 49)
    assert info.missing_bytes == pytest.approx(path.stat().st_size, abs=16)


def test_a_matroska_file_cut_short_says_what_is_missing(folder: Path) -> None:
    """BR-09."""
    path = clips.truncated_matroska(folder)
    assert probe(path).missing_bytes == pytest.approx(path.stat().st_size / 4, abs=1)


def test_damage_in_the_middle_does_not_show_in_the_header(folder: Path) -> None:
    """BR-04: only decoding can tell."""
    info = probe(clips.bit_rot(folder))
    assert (picture(info).frame_count, info.missing_bytes) == (100, 0)


@pytest.mark.parametrize(
    "name",
    [
        *("Can't Stop.mov", 'say "hi".mov', "-leading-dash.mov", "--help.mov"),
        *("a:b 12:30:00.mov", "concat:a|b.mov", "pipe:0.mov", "file:x.mov", "http:x.mov"),
        *("new\nline.mov", "tab\there.mov", "caf\u00e9.mov", "cafe\u0301.mov", "\u6771\u4eac.mov"),
        *("100% done %03d %s.mov", "glob * ? [a].mov", "back\\slash.mov", "hash#1?x=y.mov"),
        *(
            "trailing space.mov ",
            "NOEXT",
            os.fsdecode(b"bad-utf8-\xe9\xff.mov"),
            "L" * 251 + ".mov",
        ),
    ],
)
def test_any_name_is_but_a_name(
    good_clip: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """FN-01 to FN-16; a relative name, as it is typed."""
    shutil.copy(good_clip, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    assert probe(Path(name)) == probe(good_clip)


def test_many_files_are_probed_at_once(good_clip: Path, folder: Path) -> None:
    text = clips.text_named_mov(folder)
    answers = dict(probe_all([good_clip, text, folder / "gone.mov"], threads=2))
    assert answers[good_clip] == probe(good_clip)
    refused = [a.kind for a in answers.values() if isinstance(a, SourceUnreadable)]
    assert sorted(refused) == [FailureKind.SOURCE_MISSING, FailureKind.SOURCE_UNSUPPORTED]
