"""Sources that tools were reported to fail on: what comes out links to them. IDs as in the reports.

Each output is held against its source by decoding both (`linked.links`); a row says what else must
be so. Warnings are complete: what a row does not name was not said.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import clips
import odd_clips as odd
import pytest
from clips import H264 as X264
from encodes import AAC_MP4, H264, Output, transcode
from linked import Decoded, links

from proxima.media import FieldOrder

DNXHR = {"video_codec": "dnxhr", "profile": "lb"}
ALPHA = {"profile": "4444", "video_codec": "prores"}
HEVC = {"video_codec": "hevc", "profile": "main10"}
PQ, HLG = "smpte2084", "arib-std-b67"
INTERLACED = ("-c:v", "mpeg2video", "-q:v", "5", "-flags", "+ildct+ilme")


@dataclass(frozen=True, kw_only=True)
class Row:
    """A source, a preset, and what must be true of the output."""

    id: str
    make: Callable[[Path], Path]
    preset: dict[str, Any] = field(default_factory=dict)
    frames: int = 25
    warnings: frozenset[str] = frozenset()
    #: Whether the times of the source jump, or it has none.
    jumps: bool = False
    #: Facts by name (see `facts`).
    facts: dict[str, Any] = field(default_factory=dict)


def row(ids: str, make: Callable[[Path], Path], *warnings: str, **fields: Any) -> Row:
    """A row; what is no field of it is a fact."""
    own = {name: fields.pop(name) for name in ("preset", "frames", "jumps") if name in fields}
    return Row(id=ids, make=make, warnings=frozenset(warnings), facts=fields, **own)


def facts(output: Output, new: Decoded) -> dict[str, Any]:
    """What rows may speak of."""
    picture, colour = output.picture, output.picture.colour
    return {
        "timecode": new.timecode,
        "reel": output.info.reel_name,
        "rate": picture.frame_rate,
        "channels": new.channels,
        "names": tuple((track.language, track.title) for track in output.info.sound),
        "begins": tuple(round(float(late), 2) for late in new.late),
        "first": round(float(new.pictures[0]), 2),
        "aspect": round(float(new.aspect), 3),
        "size": (picture.width, picture.height),
        "fields": picture.field_order,
        "interlaced": bool(new.frame.interlaced_frame),
        "pixels": picture.pixel_format,
        "tags": (colour.primaries, colour.transfer, colour.matrix),
        "codec": picture.codec,
        "created": output.info.creation_time,
    }


def ts(name: str, *args: str, seconds: float = 1) -> Callable[[Path], Path]:
    """A transport stream with sound."""

    def make(folder: Path) -> Path:
        inputs = (*clips.picture(seconds), *clips.tones(1, seconds), *clips.all_inputs(2))
        return clips.make_clip(folder, name, *inputs, *X264, *args)

    return make


def xvid(folder: Path) -> Path:
    """MPEG-4 in AVI, sound beside it."""
    inputs = (*clips.picture(), *clips.tones(1, rate=44100), *clips.all_inputs(2))
    return clips.make_clip(folder, "xvid.avi", *inputs, "-c:v", "mpeg4", "-q:v", "8", "-c:a", "mp2")


def labelled(name: str, rate: str, timecode: str, *args: str) -> Callable[[Path], Path]:
    """Silent, with a start timecode."""
    return lambda f: odd.named(f, name, "-timecode", timecode, *args, rate=rate)


def metadata(folder: Path) -> Path:
    """Words that shells and templates trip over."""
    words = ('title=He said "hi" & <b> 100% \\n', "artist=Zoë", "location=+52.8104+046.6618/")
    times = ("creation_time=2026-05-01T12:00:00Z", "make=Sony")
    return odd.named(folder, "words.mov", *(a for w in (*words, *times) for a in ("-metadata", w)))


def hdr(name: str, transfer: str) -> Callable[[Path], Path]:
    """Ten bits of H.264."""

    def make(folder: Path) -> Path:
        tags = f"setparams=color_primaries=bt2020:color_trc={transfer}:colorspace=bt2020nc"
        codec = ("-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p10le")
        return odd.with_codec(folder, name, *codec, then=tags)

    return make


ROWS = [
    row("TC-01", clips.drop_frame_clip, frames=30, timecode="01:00:00;02"),
    row("TC-01", clips.drop_frame_clip, frames=30, timecode="01:00:00;02", preset=AAC_MP4),
    row(
        "TC-02", labelled("ndf.mov", "30000/1001", "01:00:00:02"), frames=30, timecode="01:00:00:02"
    ),
    row("TC-04", labelled("midnight.mov", "25", "23:59:59:20"), timecode="23:59:59:20"),
    row("TC-05", clips.wrong_drop_flag, frames=24, timecode="19:36:10:05"),
    row(
        "TC-07",
        lambda f: clips.good_clip(f, "tc.mxf", timecode="11:22:33:10"),
        timecode="11:22:33:10",
    ),
    row(
        "TC-08",
        labelled("r.mov", "24000/1001", "00:59:58:12", "-metadata:s:v", "reel_name=A001R1AB"),
        frames=24,
        timecode="00:59:58:12",
        reel="A001R1AB",
    ),
    row("TC-10", labelled("50p.mov", "50", "10:11:12:49"), frames=50, timecode="10:11:12:49"),
    row(
        "TC-11",
        labelled("120.mov", "120000/1001", "01:00:00:100"),
        frames=120,
        timecode="01:00:00:100",
    ),
    row(
        "TC-14",
        lambda f: clips.camera_metadata(f, "sony.mp4", fourcc="rtmd", timecode="09:24:53:14"),
        "data_dropped",
        frames=30,
        timecode="09:24:53:14",
    ),
    row("TC-16", ts("late.ts", "-output_ts_offset", "10"), first=0.01),
    row(
        "TC-17",
        clips.drop_frame_clip,
        "timecode_dropped",
        "frames_resampled",
        preset={"frame_rate": "25"},
        timecode=None,
    ),
    row(
        "AU-01",
        lambda f: clips.good_clip(f, "8.mxf", tracks=8),
        channels=(1,) * 8,
        timecode="10:00:00:00",
    ),
    row("AU-02", lambda f: clips.good_clip(f, "4.mov", tracks=4), channels=(1,) * 4),
    row("AU-04", lambda f: odd.channels(f, "16.mov", [16]), channels=(16,)),
    row(
        "AU-04",
        lambda f: odd.channels(f, "16.mov", [16]),
        "sound_codec_changed",
        channels=(16,),
        preset={**H264, "sound_codec": "aac"},
    ),
    row("AU-05", odd.sound_first, names=(("fra", "Lav"), ("eng", None)), channels=(1, 1)),
    row("AU-07", lambda f: odd.uneven_lengths(f, "short.mov", 2, 1), frames=50),
    row("AU-08", lambda f: odd.uneven_lengths(f, "long.mov", 1, 3)),
    row("AU-10", odd.mixed_rates, channels=(2, 1)),
    row("AU-11", clips.undecodable_sound, "sound_dropped", channels=(1,)),
    row("AU-13", clips.silent_clip, channels=()),
    row(
        "AU-14",
        lambda f: odd.moved(f, "late.mov", 2, audio=1.5),
        frames=50,
        begins=(1.5,),
        first=0.0,
    ),
    row("FR-01", clips.variable_rate_clip, "variable_rate", frames=90),
    row("FR-02", clips.jittery_clip, "variable_rate", frames=30),
    row("FR-04", clips.gappy_clip, "variable_rate", frames=7),
    row("FR-05", lambda f: odd.named(f, "1.mov", "-frames:v", "1"), frames=1),
    row("FR-07", lambda f: odd.named(f, "240.mov", seconds=0.5, rate="240"), frames=120, rate=240),
    row(
        "FR-08",
        lambda f: odd.named(f, "slow.mp4", seconds=60, rate="1/10"),
        frames=6,
        rate=Fraction(1, 10),
    ),
    row("FR-10", odd.starts_in_mid_gop, "start_undecodable", frames=50, first=0.96),
    row("FR-11", clips.trimmed_clip, "frames_hidden", frames=67, begins=(0.0,)),
    row("FR-13", lambda f: odd.moved(f, "late.mp4", 1, video=0.68), begins=(-0.68,), first=0.68),
    row(
        "FR-14",
        lambda f: odd.named(f, "ms.mp4", "-video_track_timescale", "1000", rate="50"),
        frames=50,
        rate=50,
    ),
    row(
        "FR-16 CT-01",
        lambda f: odd.joined(f, "join.ts", 5000, "320x180", "320x180"),
        "time_jump",
        "decode_errors",
        frames=50,
        rate=25,
        jumps=True,
    ),
    row(
        "GE-01",
        lambda f: odd.with_codec(
            f, "odd.mkv", "-c:v", "ffv1", then="format=yuv444p,scale=321:181,setsar=1"
        ),
        frames=10,
        aspect=1.773,
        size=(320, 180),
    ),
    row(
        "GE-02",
        lambda f: odd.with_codec(f, "854.mp4", *X264, size="854x480"),
        frames=10,
        preset={"size": "half"},
        size=(426, 240),
    ),
    row(
        "GE-02",
        lambda f: odd.with_codec(f, "854.mp4", *X264, size="854x480"),
        frames=10,
        preset={"size": "half", **H264},
        aspect=1.779,
    ),
    row(
        "GE-03",
        lambda f: odd.with_codec(f, "hdv.mov", *X264, size="360x270", then="setsar=4/3"),
        frames=10,
        aspect=1.778,
    ),
    row(
        "GE-04 IL-02",
        clips.dv_clip,
        frames=10,
        aspect=1.778,
        fields=FieldOrder.BOTTOM,
        interlaced=True,
    ),
    row(
        "GE-05",
        lambda f: odd.with_codec(f, "wide.mp4", *X264, size="3840x16"),
        frames=10,
        size=(3840, 16),
    ),
    row(
        "GE-05",
        lambda f: odd.with_codec(f, "wide.mp4", *X264, size="3840x16"),
        frames=10,
        preset={"max_height": 1080, "max_width": 1920},
        size=(1920, 8),
    ),
    row(
        "GE-07",
        lambda f: odd.with_codec(f, "2.mkv", "-c:v", "ffv1", size="2x2"),
        frames=10,
        size=(2, 2),
    ),
    row(
        "RO-05",
        lambda f: odd.with_codec(f, "p.mp4", *X264, size="180x320"),
        frames=10,
        preset={"max_height": 160},
        size=(90, 160),
        aspect=0.562,
    ),
    row("CO-01", hdr("hlg.mov", HLG), frames=10, tags=("bt2020", HLG, "bt2020nc")),
    row(
        "CO-01",
        hdr("hlg.mov", HLG),
        "hdr_in_8_bit",
        frames=10,
        preset=H264,
        tags=("bt2020", HLG, "bt2020nc"),
    ),
    row(
        "CO-02",
        hdr("pq.mov", PQ),
        "hdr_mastering_dropped",
        frames=10,
        tags=("bt2020", PQ, "bt2020nc"),
    ),
    row(
        "CO-02",
        hdr("pq.mov", PQ),
        frames=10,
        preset=HEVC,
        tags=("bt2020", PQ, "bt2020nc"),
        pixels="yuv420p10le",
    ),
    row(
        "CO-04",
        lambda f: clips.tagged_clip(f, "ntsc.mov", *["smpte170m"] * 3),
        tags=("smpte170m",) * 3,
    ),
    row(
        "CO-04", lambda f: clips.tagged_clip(f, "pal.mov", *["bt470bg"] * 3), tags=("bt470bg",) * 3
    ),
    row(
        "CO-05",
        lambda f: odd.with_codec(f, "10.mov", "-c:v", "libx264", "-pix_fmt", "yuv422p10le"),
        frames=10,
        preset=H264,
        pixels="yuv420p",
    ),
    row(
        "CO-05",
        lambda f: odd.with_codec(f, "10.mov", "-c:v", "libx264", "-pix_fmt", "yuv422p10le"),
        frames=10,
        pixels="yuv422p10le",
    ),
    row(
        "CO-07",
        lambda f: odd.with_codec(f, "grey.mov", "-c:v", "libx264", "-pix_fmt", "gray"),
        frames=10,
        pixels="yuv422p10le",
    ),
    row(
        "CO-07",
        lambda f: odd.with_codec(f, "grey.mov", "-c:v", "libx264", "-pix_fmt", "gray"),
        frames=10,
        pixels="yuv420p",
        preset=H264,
    ),
    row(
        "CO-08",
        lambda f: clips.tagged_clip(f, "part.mov", "bt709", "", ""),
        tags=("bt709", None, None),
    ),
    row(
        "AL-01",
        lambda f: odd.with_alpha(
            f, "a.mov", "-c:v", "prores_ks", "-profile:v", "4444", "-pix_fmt", "yuva444p10le"
        ),
        "alpha_dropped",
        frames=10,
        pixels="yuv422p10le",
    ),
    row(
        "AL-02",
        lambda f: odd.with_alpha(f, "a.mov", "-c:v", "qtrle", colour="red@0.0"),
        "alpha_dropped",
        frames=10,
        preset=H264,
    ),
    row("AL-04", lambda f: odd.with_alpha(f, "a.mov", "-c:v", "png"), "alpha_dropped", frames=10),
    row("IL-01", clips.interlaced_clip, fields=FieldOrder.TOP, interlaced=True, size=(320, 180)),
    row(
        "IL-01",
        clips.interlaced_clip,
        preset={"size": "half"},
        fields=FieldOrder.TOP,
        size=(160, 180),
        aspect=1.778,
    ),
    row(
        "IL-01",
        clips.interlaced_clip,
        "deinterlaced",
        preset={"deinterlace": "frames"},
        fields=FieldOrder.PROGRESSIVE,
        interlaced=False,
    ),
    row(
        "IL-01", clips.interlaced_clip, "fields_merged", preset=DNXHR, fields=FieldOrder.PROGRESSIVE
    ),
    row(
        "IL-04", lambda f: clips.interlaced_clip(f, "i.mxf"), fields=FieldOrder.TOP, interlaced=True
    ),
    row("ST-01", lambda f: odd.captioned(f, "ass.mkv"), "subtitle_dropped", "attachment_dropped"),
    row("ST-02", lambda f: odd.captioned(f, "text.mp4"), "subtitle_dropped"),
    row("ST-04", metadata, created="2026-05-01T12:00:00.000000Z"),
    row("CV-01", clips.clip_with_cover_art, "cover_dropped"),
    row("CV-02", lambda f: clips.clip_with_cover_art(f, "cover.mkv"), "cover_dropped", rate=25),
    row("CA-01", clips.camera_metadata, "data_dropped", frames=30, timecode="09:23:02:23"),
    row("CA-02", lambda f: clips.camera_metadata(f, fourcc="rtmd"), "data_dropped", frames=30),
    row("CA-04", odd.preview_beside, "data_dropped", "cover_dropped", frames=30),
    row("CA-05", ts("avchd.mts", "-c:a", "ac3", "-mpegts_m2ts_mode", "1"), first=0.01),
    row(
        "CT-02", ts("wrap.ts", "-c:a", "mp2", "-output_ts_offset", "95442.7", seconds=2), frames=50
    ),
    row("CT-04", lambda f: odd.named(f, "raw.h264"), rate=25, jumps=True),
    row("CT-05", clips.fragmented_clip),
    row(
        "CT-07",
        lambda f: clips.make_clip(f, "a.gif", *clips.picture(1, "10", "160x90")),
        "alpha_dropped",
        frames=10,
        pixels="yuv422p10le",
    ),
    row(
        "CT-08",
        lambda f: odd.joined(f, "sizes.ts", 1, "320x180", "160x120"),
        "size_changes",
        "decode_errors",
        frames=50,
        jumps=True,
        size=(320, 180),
    ),
    row("CT-10", clips.shortened_clip, "frames_hidden", frames=13),
    row("CT-11", xvid),
    row("CT-13", odd.op_atom, "sound_elsewhere", timecode="00:00:00:00", channels=()),
    row(
        "CT-14",
        lambda f: clips.make_clip(
            f,
            "sparse.mp4",
            *clips.picture(90, "1/30"),
            *clips.tones(1, 90, 8000),
            *X264,
            "-c:a",
            "aac",
        ),
        frames=3,
        rate=Fraction(1, 30),
    ),
    row(
        "CT-14",
        lambda f: clips.make_clip(
            f,
            "sparse.mp4",
            *clips.picture(90, "1/30"),
            *clips.tones(1, 90, 8000),
            *X264,
            "-c:a",
            "aac",
        ),
        frames=3,
        preset={**H264, "container": "mkv"},
        rate=Fraction(1, 30),
    ),
]


@pytest.mark.parametrize("case", ROWS, ids=[r.id for r in ROWS])
def test_the_output_links(tmp_path: Path, case: Row) -> None:
    output = transcode(case.make(tmp_path), **case.preset)
    assert output.info.picture
    assert set(output.warnings) == case.warnings
    resampled = "frames_resampled" in case.warnings
    if resampled:
        assert output.picture.frame_count == case.frames
        return
    new = links(output, jumps=case.jumps)
    assert len(new.pictures) == case.frames
    found = facts(output, new)
    assert {name: found[name] for name in case.facts} == case.facts
