"""What holds for every source and every preset, by generated media descriptions."""

from fractions import Fraction
from pathlib import Path

import msgspec
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from proxima.config.preset_book import PresetBook
from proxima.errors import JobFailed
from proxima.ffmpeg.command import encode_command
from proxima.ffmpeg.encoders import video_encoder
from proxima.ffmpeg.geometry import Raster, output_raster, source_raster
from proxima.ffmpeg.stream_plan import StreamPlan, plan_streams
from proxima.media import Colour, FieldOrder, MediaInfo, OtherStream, SoundStream, VideoStream
from proxima.preset import Preset
from proxima.timecode import Timecode

RATES = [Fraction(n) for n in (1, 10, 24, 25, 30, 48, 50, 60, 100, 120)]
RATES += [Fraction(n * 1000, 1001) for n in (24, 30, 48, 60, 120)]
PRESETS = [PresetBook().get(name) for name in PresetBook().names()]
#: Few: the suite has many tests. No deadline, as machines differ.
often = settings(max_examples=40, deadline=None)

seconds = st.fractions(0, 100, max_denominator=90_000)
colours = st.builds(
    Colour,
    primaries=st.sampled_from([None, "bt709", "bt2020", "smpte170m"]),
    transfer=st.sampled_from([None, "bt709", "smpte2084", "arib-std-b67"]),
    matrix=st.sampled_from([None, "bt709", "bt2020nc", "smpte170m", "bt470bg", "fcc", "gbr"]),
    range=st.sampled_from([None, "tv", "pc"]),
)
presets = st.builds(
    lambda preset, size, box, container: (
        _replaced(preset, size=size, max_width=box[0], max_height=box[1])
        if container is None
        else preset
    ),
    st.sampled_from(PRESETS),
    st.sampled_from(["full", "half", "quarter", "eighth"]),
    st.tuples(st.sampled_from([0, 64, 640, 1920]), st.sampled_from([0, 64, 360, 1080])),
    st.sampled_from([None, "own"]),
)


def _replaced(preset: Preset, **fields: object) -> Preset:
    return msgspec.structs.replace(preset, **fields) if preset.has_picture else preset


@st.composite
def pictures(draw: st.DrawFn, index: int = 0) -> VideoStream:
    rate = draw(st.none() | st.sampled_from(RATES))
    return VideoStream(
        index=index,
        codec=draw(st.sampled_from(["h264", "prores", "mjpeg", "png"])),
        pixel_format=draw(st.sampled_from(["yuv420p", "yuv422p10le", "rgb24", "yuva444p10le"])),
        has_alpha=draw(st.booleans()),
        width=draw(st.integers(2, 8192)),
        height=draw(st.integers(2, 8192)),
        pixel_aspect=draw(st.fractions(Fraction(1, 3), 3, max_denominator=200)),
        rotation=draw(st.sampled_from([0, 90, 180, 270])),
        mirrored=draw(st.booleans()),
        frame_rate=rate,
        average_rate=rate,
        variable_rate=draw(st.booleans()),
        frame_count=draw(st.none() | st.integers(0, 10_000)),
        start=draw(st.none() | seconds),
        duration=draw(st.none() | seconds),
        field_order=draw(st.sampled_from(list(FieldOrder))),
        colour=draw(colours),
        decodable=draw(st.sampled_from([True, True, True, False])),
        is_attached_picture=draw(st.sampled_from([False, False, True])),
    )


@st.composite
def tracks(draw: st.DrawFn, index: int = 0) -> SoundStream:
    channels = draw(st.integers(1, 24))
    layouts = {1: "mono", 2: "stereo", 6: "5.1", 8: "7.1"}
    return SoundStream(
        index=index,
        codec=draw(st.sampled_from(["pcm_s24le", "aac", "ac3"])),
        sample_rate=draw(st.sampled_from([8000, 44100, 48000, 96000, 192000])),
        channels=channels,
        layout=draw(st.sampled_from([None, layouts.get(channels)])),
        language=draw(st.sampled_from([None, "eng"])),
        title=draw(st.none() | st.text(max_size=5)),
        start=draw(st.none() | seconds),
        duration=draw(st.none() | seconds),
        decodable=draw(st.sampled_from([True, True, True, False])),
    )


@st.composite
def sources(draw: st.DrawFn) -> MediaInfo:
    """A file with its streams in any order."""
    kinds = draw(st.lists(st.sampled_from(["video", "sound", "data"]), min_size=1, max_size=10))
    made = [
        draw({"video": pictures, "sound": tracks}[kind](index=number))
        if kind != "data"
        else OtherStream(index=number, kind="data", codec="tmcd")
        for number, kind in enumerate(kinds)
    ]
    labels = [None, Timecode(1, 2, 3, 4, drop_frame=False), Timecode(1, 2, 3, 4, drop_frame=True)]
    return MediaInfo(
        container=draw(st.sampled_from(["mov,mp4,m4a,3gp,3g2,mj2", "mpegts", "matroska,webm"])),
        size_bytes=1000,
        duration=draw(st.none() | seconds),
        start=draw(st.none() | seconds),
        video=tuple(one for one in made if isinstance(one, VideoStream)),
        sound=tuple(one for one in made if isinstance(one, SoundStream)),
        others=tuple(one for one in made if isinstance(one, OtherStream)),
        timecode=draw(st.sampled_from(labels)),
        reel_name=draw(st.sampled_from([None, "A001"])),
    )


def planned(media: MediaInfo, preset: Preset) -> StreamPlan:
    """The plan; what no plan can be made of is refused, and no example."""
    try:
        return plan_streams(media, preset)
    except JobFailed:
        assume(False)
        raise


def raster(picture: VideoStream, preset: Preset) -> Raster:
    """The size; what the encoder cannot hold is refused, and no example."""
    try:
        return output_raster(picture, preset)
    except JobFailed:
        assume(False)
        raise


@often
@given(sources(), presets)
def test_no_decodable_sound_is_ever_lost_or_moved(media: MediaInfo, preset: Preset) -> None:
    plan = planned(media, preset)
    kept = [source for track in plan.tracks for source in track.sources]
    assert kept == [track for track in media.sound if track.decodable] * preset.has_sound
    assert sum(track.channels for track in plan.tracks) == sum(source.channels for source in kept)


@often
@given(sources(), presets)
def test_what_is_left_out_is_said(media: MediaInfo, preset: Preset) -> None:
    codes = [warning.code for warning in planned(media, preset).warnings]
    lost = [track for track in media.sound if not track.decodable]
    assert codes.count("sound_dropped") == len(lost) * preset.has_sound


@often
@given(sources(), presets)
def test_the_picture_is_never_cover_art(media: MediaInfo, preset: Preset) -> None:
    picture = planned(media, preset).picture
    assert (picture is not None) == preset.has_picture
    if picture:
        assert picture.decodable
        assert not picture.is_attached_picture


@often
@given(pictures(), presets)
def test_a_picture_is_never_scaled_up_nor_out_of_its_box(
    picture: VideoStream, preset: Preset
) -> None:
    assume(preset.has_picture)
    made, source = raster(picture, preset), source_raster(picture)
    assert made.width <= source.width
    assert made.height <= source.height
    assert not preset.max_width or made.width <= preset.max_width
    assert not preset.max_height or made.height <= preset.max_height


@often
@given(pictures(), presets)
def test_sizes_are_what_the_encoder_takes_and_the_shape_stays(
    picture: VideoStream, preset: Preset
) -> None:
    assume(preset.has_picture)
    made, step = raster(picture, preset), video_encoder(preset, picture).step
    assert made.width % step[0] == made.height % step[1] == 0
    assert step[0] % 2 == step[1] % 2 == 0
    assert made.display_aspect == source_raster(picture).display_aspect


@often
@given(sources(), presets)
def test_every_source_gets_a_command_or_a_reason(media: MediaInfo, preset: Preset) -> None:
    def command() -> list[str]:
        return encode_command(
            ffmpeg=Path("/ffmpeg"),
            source=Path("/card/A001.mov"),
            scratch=Path("/card/.job.1.part.mov"),
            media=media,
            preset=preset,
            threads=1,
        )

    try:
        argv = command()
    except JobFailed:
        # Anything else would be a fault of ours.
        return
    assert all(isinstance(word, str) and word for word in argv[:-1])
    assert argv[-1] == "file:/card/.job.1.part.mov"
    assert argv.count("-i") == 1
