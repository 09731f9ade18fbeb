"""Which fields of a preset go with which."""

from typing import Any

import pytest

from proxima.config.preset_rules import preset_faults
from proxima.preset import Preset

H264 = {"video_codec": "h264", "container": "mp4", "sound_codec": "aac"}
SOUND_ONLY = {"video_codec": "none", "container": "wav"}


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"profile": "4444", "pixel_format": "yuva444p10le"},
        {"container": "mxf"},
        {"video_codec": "dnxhr", "profile": "hqx", "container": "mxf", "sound_codec": "none"},
        {"video_codec": "cineform", "container": "mkv", "pixel_format": "gbrap12le"},
        {**H264, "quality": 0, "keyframe_interval": 12},
        {**H264, "quality": 51, "intra_only": True, "keyframe_interval": 1},
        {**H264, "profile": "high422", "pixel_format": "yuv422p10le"},
        {**H264, "container": "mov", "sound_kbps_per_channel": 96},
        {"video_codec": "hevc", "profile": "main10", "container": "mkv"},
        {"frame_rate": "25"},
        {"frame_rate": "30000/1001"},
        {"extra_args": ("-tune", "film", "-b:v", "-1")},
        SOUND_ONLY,
        {**SOUND_ONLY, "container": "mp4", "sound_codec": "aac"},
    ],
)
def test_a_preset_that_can_be_encoded_has_no_fault(fields: dict[str, Any]) -> None:
    assert preset_faults(Preset(name="x", **fields)) == []


@pytest.mark.parametrize(
    ("fields", "field", "text"),
    [
        ({"profile": "lb"}, "profile", "prores: proxy, lt, standard, hq, 4444"),
        ({"video_codec": "cineform", "profile": "hq"}, "profile", "with cineform: none"),
        ({"pixel_format": "yuv420p"}, "pixel_format", "with prores proxy: yuv422p10le"),
        (
            {"profile": "4444", "pixel_format": "yuv422p10le"},
            "pixel_format",
            "with prores 4444: yuv444p10le, yuva444p10le",
        ),
        ({"container": "mp4", "sound_codec": "none"}, "container", "prores video: mov, mkv, mxf"),
        (
            {"video_codec": "cineform", "container": "mxf"},
            "container",
            "with cineform video: mov, mkv",
        ),
        (
            {"video_codec": "hevc", "container": "mxf"},
            "container",
            "with hevc video: mov, mp4, mkv",
        ),
        ({"container": "wav"}, "container", "with prores video: mov, mkv, mxf"),
        ({**SOUND_ONLY, "container": "mxf"}, "container", "sound only: mov, mp4, mkv, wav"),
        ({**H264, "sound_codec": "pcm_s16le"}, "sound_codec", "container mp4: aac, none"),
        (
            {**SOUND_ONLY, "sound_codec": "aac"},
            "sound_codec",
            "with container wav: pcm_s16le, pcm_s24le",
        ),
        ({**SOUND_ONLY, "sound_codec": "none"}, "sound_codec", "no picture either"),
        ({"container": "mxf", "sound_codec": "aac"}, "sound_codec", "with container mxf: pcm"),
        ({"quality": 20}, "quality", "found 20; it does nothing with video_codec prores"),
        ({"intra_only": True}, "intra_only", "found true; it does nothing"),
        ({"keyframe_interval": 5}, "keyframe_interval", "it does nothing"),
        ({**H264, "quality": 52}, "quality", "found 52; allowed: 0 (best) to 51"),
        ({**H264, "quality": -1}, "quality", "found -1; allowed: 0 (best) to 51"),
        (
            {**H264, "intra_only": True, "keyframe_interval": 5},
            "keyframe_interval",
            "allowed: 0 or 1, as intra_only is true",
        ),
        ({"frame_rate": "0"}, "frame_rate", 'found "0"; allowed: frames per second'),
        ({"frame_rate": "-25"}, "frame_rate", "allowed: frames per second"),
        ({"frame_rate": "25/0"}, "frame_rate", "allowed: frames per second"),
        ({"frame_rate": "29.97"}, "frame_rate", "allowed: frames per second"),
        ({"frame_rate": "25\n"}, "frame_rate", "allowed: frames per second"),
        ({**SOUND_ONLY, "size": "half"}, "size", "nothing with outputs without a picture"),
        ({**SOUND_ONLY, "deinterlace": "frames"}, "deinterlace", "without a picture"),
        ({"sound_kbps_per_channel": 96}, "sound_kbps_per_channel", "sound_codec pcm_s16le"),
        ({"extra_args": ("-tune",)}, "extra_args", "allowed: options with one value each"),
        ({"extra_args": ("film", "-tune")}, "extra_args", "allowed: options with one value each"),
    ],
)
def test_a_field_that_does_not_go_with_the_others_is_named(
    fields: dict[str, Any], field: str, text: str
) -> None:
    (fault,) = preset_faults(Preset(name="x", **fields))
    assert fault.field == field
    assert text in fault.text


def test_all_faults_of_a_preset_are_told() -> None:
    preset = Preset(name="x", container="mp4", profile="lb", quality=3, frame_rate="x")
    fields = {fault.field for fault in preset_faults(preset)}
    assert fields == {"container", "profile", "quality", "frame_rate", "sound_codec"}
