"""Whole argument lists: what ffmpeg is told for each kind of source and preset."""

import os
import shlex
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from camera_files import NTSC, PQ, label, make_picture, make_preset, make_source, make_track

from proxima.errors import JobFailed
from proxima.ffmpeg.command import encode_command
from proxima.media import Colour, FieldOrder, MediaInfo, OtherStream

pytestmark = pytest.mark.skipif(os.name == "nt", reason="absolute paths are spelt otherwise")

START = (
    "/opt/ffmpeg -hide_banner -nostdin -y -loglevel level+info -nostats -progress pipe:1 "
    "-max_error_rate 1 "
    "-filter_threads 2 -protocol_whitelist file -format_whitelist mov,mp4,m4a,3gp,3g2,mj2 "
    "-threads 2"
)
INPUT = "-i file:/card/C001.mov"
#: Frames on a grid of 25 a second.
GRID = (
    "settb=1/12800,setpts='st(0,STARTPTS+512*round((PTS-STARTPTS)/512));"
    "if(N,max(if(lte(abs(PTS-ld(0)),14),ld(0),PTS),PREV_OUTPTS+1),PTS)'"
)
EVEN = "-fps_mode:v passthrough -enc_time_base:v 1/12800 -bsf:v setts=pts=PTS:dts=DTS:duration=512"
SQUARE = "setsar=1/1:max=2147483647"
PRORES = "-c:v prores_aw -profile:v 0 -vendor apl0 -pix_fmt:v yuv422p10le"
NO_LABEL = "-metadata timecode= -metadata:s:v:0 timecode="
MOV = "-threads 2 -f mov file:/card/Proxy/.job.1.part.mov"


def command(media: MediaInfo, *, extra_args: tuple[str, ...] = (), **preset: Any) -> list[str]:
    """The command for a preset that is ProRes Proxy at half size but for *preset*."""
    made = make_preset(**preset)
    return encode_command(
        ffmpeg=Path("/opt/ffmpeg"),
        source=Path("/card/C001.mov"),
        scratch=Path(f"/card/Proxy/.job.1.part{made.extension}"),
        media=media,
        preset=made,
        threads=2,
        extra_args=extra_args,
    )


def test_a_camera_clip_to_a_prores_proxy() -> None:
    media = make_source(
        make_picture(colour=Colour(primaries="bt709", transfer="bt709", matrix="bt709")),
        (make_track(1, title="Lav", language="fra"), make_track(2)),
        timecode=label("10:00:00:00"),
        reel_name="A001R1AB",
        creation_time="2026-05-01T12:00:00Z",
    )
    assert command(media) == shlex.split(
        f"{START} -guess_layout_max 1 {INPUT} -map 0:0 -map 0:1 -map 0:2 -map_chapters -1 "
        f'-filter:v "{GRID},setparams=color_primaries=bt709:color_trc=bt709:colorspace=bt709,'
        f'scale=960:540,{SQUARE}" {EVEN} {PRORES} '
        "-c:a:0 pcm_s16le -metadata:s:a:0 title=Lav -metadata:s:a:0 language=fra "
        "-c:a:1 pcm_s16le "
        "-metadata timecode=10:00:00:00 -metadata:s:v:0 timecode=10:00:00:00 "
        "-metadata:s:v:0 reel_name=A001R1AB -metadata creation_time=2026-05-01T12:00:00Z "
        f"{MOV}"
    )


def test_drop_frame_timecode_keeps_its_mark() -> None:
    """TC-01."""
    media = make_source(
        make_picture(frame_rate=NTSC),
        timecode=label("01:00:00;02"),
        others=(OtherStream(index=1, kind="data", codec="tmcd"),),
    )
    grid = GRID.replace("1/12800", "1/30000").replace("512", "1001").replace(",14)", ",31)")
    even = EVEN.replace("1/12800", "1/30000").replace("512", "1001")
    assert command(media) == shlex.split(
        f"{START} -guess_layout_max 1 {INPUT} -map 0:0 -map_chapters -1 "
        f'-filter:v "{grid},scale=960:540,{SQUARE}" {even} {PRORES} '
        f"-metadata timecode=01:00:00;02 -metadata:s:v:0 timecode=01:00:00;02 {MOV}"
    )


def test_a_turned_phone_clip_is_measured_upright() -> None:
    """RO-01: ffmpeg turns the pixels, so nothing else may."""
    media = make_source(make_picture(rotation=90), (make_track(codec="aac"),))
    assert command(media) == shlex.split(
        f"{START} -guess_layout_max 1 {INPUT} -map 0:0 -map 0:1 -map_chapters -1 "
        f'-filter:v "{GRID},scale=540:960,{SQUARE}" {EVEN} {PRORES} '
        f"-c:a:0 pcm_s16le {NO_LABEL} {MOV}"
    )


def test_a_variable_rate_keeps_the_time_of_each_frame() -> None:
    """FR-01."""
    media = make_source(
        make_picture(frame_rate=Fraction(60), average_rate=Fraction(45), variable_rate=True)
    )
    assert command(media) == shlex.split(
        f"{START} -guess_layout_max 1 {INPUT} -map 0:0 -map_chapters -1 "
        f'-filter:v "scale=960:540,{SQUARE}" -fps_mode:v passthrough -enc_time_base:v demux '
        f"{PRORES} {NO_LABEL} {MOV}"
    )


def test_an_interlaced_clip_keeps_its_lines_and_fields() -> None:
    """IL-01."""
    media = make_source(make_picture(field_order=FieldOrder.TOP))
    assert command(media) == shlex.split(
        f"{START} -guess_layout_max 1 {INPUT} -map 0:0 -map_chapters -1 "
        f'-filter:v "{GRID},setparams=field_mode=tff,scale=960:1080:interl=1,'
        f'setsar=2/1:max=2147483647" {EVEN} {PRORES} -flags:v +ildct {NO_LABEL} {MOV}'
    )


def test_an_interlaced_clip_is_deinterlaced_when_asked() -> None:
    media = make_source(make_picture(field_order=FieldOrder.BOTTOM))
    grid = GRID.replace("512", "256")
    even = EVEN.replace("512", "256")
    assert command(media, deinterlace="fields") == shlex.split(
        f"{START} -guess_layout_max 1 {INPUT} -map 0:0 -map_chapters -1 "
        f'-filter:v "bwdif=mode=send_field:parity=bff:deint=all,{grid},'
        f'setparams=field_mode=prog,scale=960:540,{SQUARE}" {even} {PRORES} {NO_LABEL} {MOV}'
    )


def test_eight_mono_tracks_to_mxf() -> None:
    """AU-01, and FR-13: MXF begins with the picture."""
    tracks = tuple(make_track(n) for n in range(1, 9))
    media = make_source(
        make_picture(start=Fraction(68, 100), field_order=FieldOrder.PROGRESSIVE),
        tracks,
        container="mxf",
        timecode=label("10:00:00:00"),
        reel_name="A001",
    )
    maps = " ".join(f"-map 0:{n}" for n in range(9))
    sound = " ".join(
        f"-c:a:{n} pcm_s24le -filter:a:{n} aresample=first_pts=0,apad=whole_dur=11.000000"
        for n in range(8)
    )
    start = START.replace("mov,mp4,m4a,3gp,3g2,mj2", "mxf")
    assert command(
        media, video_codec="dnxhr", container="mxf", sound_codec="pcm_s24le"
    ) == shlex.split(
        f"{start} -guess_layout_max 1 -itsoffset -0.680000 {INPUT} {maps} -map_chapters -1 "
        f'-filter:v "{GRID},setparams=field_mode=prog,scale=960:540,{SQUARE}" '
        "-fps_mode:v cfr -r:v 25/1 -c:v dnxhd -profile:v dnxhr_lb -pix_fmt:v yuv422p "
        f"{sound} -metadata timecode=10:00:00:00 -metadata:s:v:0 timecode=10:00:00:00 "
        "-metadata reel_name=A001 -threads 2 -f mxf file:/card/Proxy/.job.1.part.mxf"
    )


def test_a_review_copy_for_a_browser() -> None:
    media = make_source(make_picture(width=3840, height=2160), (make_track(channels=2),))
    review = {
        "video_codec": "h264",
        "container": "mp4",
        "size": "full",
        "max_width": 1920,
        "max_height": 1080,
        "quality": 20,
        "keyframe_interval": 50,
        "sound_codec": "aac",
        "sound_kbps_per_channel": 96,
    }
    assert command(media, **review) == shlex.split(
        f"{START} -guess_layout_max 2 {INPUT} -map 0:0 -map 0:1 -map_chapters -1 "
        f'-filter:v "{GRID},scale=1920:1080,{SQUARE}" {EVEN} '
        "-c:v libx264 -profile:v high -crf 20 -g 50 -pix_fmt:v yuv420p -c:a:0 aac -b:a:0 192k "
        f"{NO_LABEL} -movflags +faststart -threads 2 -f mp4 file:/card/Proxy/.job.1.part.mp4"
    )


def test_hdr_stays_hdr() -> None:
    """CO-02."""
    media = make_source(make_picture(colour=PQ, bit_depth=10))
    hevc = {"video_codec": "hevc", "profile": "main10", "container": "mkv", "size": "full"}
    assert command(media, **hevc) == shlex.split(
        f"{START} -guess_layout_max 1 {INPUT} -map 0:0 -map_chapters -1 "
        f'-filter:v "{GRID},setparams=color_primaries=bt2020:color_trc=smpte2084:'
        f'colorspace=bt2020nc:range=tv,scale=1920:1080:out_range=tv,{SQUARE}" {EVEN} '
        "-c:v libx265 -profile:v main10 -pix_fmt:v yuv420p10le "
        f"{NO_LABEL} -threads 2 -f matroska file:/card/Proxy/.job.1.part.mkv"
    )


def test_hdr_becomes_sdr_where_the_preset_says_so() -> None:
    media = make_source(make_picture(colour=PQ, bit_depth=10))
    sdr = {"video_codec": "h264", "container": "mp4", "size": "full", "tonemap": "sdr"}
    assert command(media, **sdr) == shlex.split(
        f"{START} -guess_layout_max 1 {INPUT} -map 0:0 -map_chapters -1 "
        f'-filter:v "{GRID},setparams=color_primaries=bt2020:color_trc=smpte2084:'
        "colorspace=bt2020nc:range=tv,scale=1920:1080:out_range=tv,"
        "zscale=tin=smpte2084:pin=bt2020:min=bt2020nc:rin=tv:t=linear:npl=100,format=gbrpf32le,"
        "zscale=p=bt709,tonemap=hable:desat=0:peak=10,zscale=t=bt709:m=bt709:r=tv,"
        f'format=yuv420p,{SQUARE}" {EVEN} -c:v libx264 -profile:v high -pix_fmt:v yuv420p '
        f"{NO_LABEL} -movflags +faststart -threads 2 -f mp4 file:/card/Proxy/.job.1.part.mp4"
    )


def test_sdr_stays_as_it_is_where_hdr_would_be_mapped() -> None:
    media = make_source(make_picture())
    assert command(media, tonemap="sdr") == command(media)


def test_a_full_range_clip_with_partial_tags() -> None:
    """CO-03, CO-08."""
    media = make_source(make_picture(colour=Colour(matrix="smpte170m", range="pc")))
    assert command(media, video_codec="cineform") == shlex.split(
        f"{START} -guess_layout_max 1 {INPUT} -map 0:0 -map_chapters -1 "
        f'-filter:v "{GRID},setparams=colorspace=smpte170m:range=pc,scale=960:536:out_range=tv,'
        f'setsar=134/135:max=2147483647" {EVEN} -c:v cfhd -pix_fmt:v yuv422p10le '
        f"-movflags +write_colr {NO_LABEL} {MOV}"
    )


def test_graphics_with_alpha() -> None:
    """AL-02."""
    media = make_source(make_picture(codec="qtrle", pixel_format="argb", has_alpha=True))
    assert command(media, profile="4444", size="full") == shlex.split(
        f"{START} -guess_layout_max 1 {INPUT} -map 0:0 -map_chapters -1 "
        f'-filter:v "{GRID},scale=1920:1080:out_color_matrix=bt709:out_range=tv,{SQUARE}" {EVEN} '
        "-c:v prores_ks -profile:v 4444 -vendor apl0 -alpha_bits 16 -pix_fmt:v yuva444p10le "
        f"-movflags +write_colr {NO_LABEL} {MOV}"
    )


def test_another_frame_rate() -> None:
    """TC-17: no label that the rate cannot count."""
    media = make_source(make_picture(frame_rate=NTSC), timecode=label("01:00:00;02"))
    assert command(media, frame_rate="25") == shlex.split(
        f"{START} -guess_layout_max 1 {INPUT} -map 0:0 -map_chapters -1 "
        f'-filter:v "fps=25/1,scale=960:540,{SQUARE}" {EVEN} {PRORES} {NO_LABEL} {MOV}'
    )


WAV = {"container": "wav", "video_codec": "none", "sound_codec": "pcm_s24le"}
WAV_END = "-rf64 auto -threads 2 -f wav file:/card/Proxy/.job.1.part.wav"


def test_the_sound_of_a_clip_alone() -> None:
    media = make_source(make_picture(), (make_track(3),), timecode=label("01:00:00:00"))
    assert command(media, **WAV) == shlex.split(
        f"{START} -guess_layout_max 1 {INPUT} -map 0:3 -map_chapters -1 "
        "-c:a:0 pcm_s24le -filter:a:0 aresample=first_pts=0 "
        f"-metadata time_reference=172800000 -write_bext 1 {WAV_END}"
    )


def test_two_tracks_to_one_wav() -> None:
    media = make_source(None, (make_track(0), make_track(1, channels=2, layout="stereo")))
    fill = "aresample=first_pts=0,apad=whole_dur=10.000000,aformat=channel_layouts="
    assert command(media, **WAV) == shlex.split(
        f"{START} -guess_layout_max 1 {INPUT} -map [sound] -map_chapters -1 "
        f'-filter_complex "[0:0]{fill}1c[t0];[0:1]{fill}2c[t1];'
        f'[t0][t1]amerge=inputs=2:layout_mode=reset[sound]" -c:a:0 pcm_s24le {WAV_END}'
    )


def test_sound_without_a_decoder_and_data_are_not_touched() -> None:
    """AU-11, CA-01."""
    media = make_source(
        make_picture(index=1),
        (make_track(0), make_track(2, codec="apac", decodable=False)),
        others=(OtherStream(index=3, kind="data", codec="gpmd"),),
    )
    assert command(media) == shlex.split(
        f"{START} -guess_layout_max 1 {INPUT} -map 0:1 -map 0:0 -map_chapters -1 "
        f'-filter:v "{GRID},scale=960:540,{SQUARE}" {EVEN} {PRORES} '
        f"-c:a:0 pcm_s16le {NO_LABEL} {MOV}"
    )


def test_extra_arguments_come_last_before_the_output() -> None:
    argv = command(make_source(make_picture()), extra_args=("-tune", "film"))
    assert argv[-7:] == [
        *("-threads", "2", "-tune", "film"),
        *("-f", "mov", "file:/card/Proxy/.job.1.part.mov"),
    ]


@pytest.mark.parametrize("name", ["-dash.mov", "a:b 12:30.mov", "100% %03d 'x' \"y\".mov", "n\nl"])
def test_odd_names_are_one_argument_each(name: str) -> None:
    """FN-01 to FN-16."""
    argv = encode_command(
        ffmpeg=Path("/opt/ffmpeg"),
        source=Path("/card") / name,
        scratch=Path("/card/Proxy") / name,
        media=make_source(make_picture()),
        preset=make_preset(),
        threads=1,
    )
    assert argv[argv.index("-i") + 1] == f"file:/card/{name}"
    assert argv[-1] == f"file:/card/Proxy/{name}"


def test_a_source_that_does_not_fit_is_refused_before_anything_runs() -> None:
    with pytest.raises(JobFailed, match="no moving picture"):
        command(make_source(None, (make_track(0),)))


def test_sound_waits_for_pictures_that_are_far_apart() -> None:
    """CT-14: Matroska would have all sound before the first picture."""
    slow = make_picture(frame_rate=Fraction(1, 30), frame_count=3)
    for picture, waits in ((slow, True), (make_picture(), False)):
        argv = encode_command(
            ffmpeg=Path("/opt/ffmpeg"),
            source=Path("/card/C001.mov"),
            scratch=Path("/card/x.mkv"),
            media=make_source(picture, (make_track(),)),
            preset=make_preset(container="mkv"),
            threads=1,
        )
        assert ("-max_interleave_delta" in argv) is waits


def test_ffmpeg_is_told_what_it_must_not_ask_or_hide() -> None:
    """OP-01, OP-02, PR-10: no question, no key; progress in a pipe, whatever is logged."""
    argv = command(make_source(make_picture()))
    assert "-nostdin" in argv
    assert "-y" in argv
    assert argv[argv.index("-progress") + 1] == "pipe:1"


def test_threads_are_limited_for_decoder_filters_and_encoder() -> None:
    """OP-10."""
    argv = command(make_source(make_picture()))
    source = argv.index("-i")
    assert argv[:source].count("-threads") == argv[source:].count("-threads") == 1
    assert "-filter_threads" in argv
