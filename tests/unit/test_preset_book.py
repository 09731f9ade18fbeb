"""Presets by name: the built-in ones, and those of the config."""

from importlib.resources import files
from typing import Any

import pytest

from proxima.codec import SOUND, VIDEO
from proxima.config.preset_book import PresetBook
from proxima.config.preset_rules import preset_faults
from proxima.config.preset_tables import built_in_tables
from proxima.config.schema import Config
from proxima.errors import ConfigInvalid, UnknownPreset
from proxima.preset import Container, Preset, SoundCodec, VideoCodec

BUILT_IN = (
    "prores-proxy",
    "prores-lt",
    "prores-422",
    "prores-hq",
    "prores-4444",
    "dnxhr-lb",
    "dnxhr-sq",
    "dnxhr-hq",
    "dnxhr-hqx",
    "h264-proxy",
    "h264-review",
    "hevc-main10",
    "cineform",
    "wav",
)


def test_the_built_in_presets_are_listed_by_codec_and_size() -> None:
    assert PresetBook().names() == BUILT_IN
    assert tuple(preset.name for preset in PresetBook().presets()) == BUILT_IN


def test_every_file_of_the_package_is_a_preset() -> None:
    entries = {entry.name for entry in (files("proxima") / "presets").iterdir()}
    assert entries == {f"{name}.toml" for name in BUILT_IN}


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_built_in_preset_is_complete(name: str) -> None:
    preset = PresetBook().get(name)
    assert preset_faults(preset) == []
    assert 0 < len(preset.use) <= 40
    assert preset.profile in VIDEO[preset.video_codec].profiles
    assert set(built_in_tables()[name]) <= {"extends", *Preset.__struct_fields__}


def test_the_default_preset_makes_prores_proxies_of_half_size() -> None:
    assert PresetBook().get(Config().preset) == Preset(
        name="prores-proxy",
        use="Proxies for any editing program",
        container="mov",
        video_codec="prores",
        profile="proxy",
        size="half",
        max_height=1080,
        sound_codec="pcm_s16le",
    )


@pytest.mark.parametrize("name", [name for name in BUILT_IN if name.endswith(("-proxy", "-lb"))])
def test_proxies_have_half_size_and_at_most_1080_lines(name: str) -> None:
    preset = PresetBook().get(name)
    assert (preset.size, preset.max_height) == ("half", 1080)


def test_a_preset_takes_what_it_does_not_say_from_the_one_it_extends() -> None:
    own = {
        "small": {"extends": "prores-proxy", "size": "quarter"},
        "tiny": {"extends": "small", "max_height": 360, "use": "Trains"},
    }
    tiny = PresetBook(own).get("tiny")
    assert (tiny.name, tiny.use, tiny.profile) == ("tiny", "Trains", "proxy")
    assert (tiny.size, tiny.max_height) == ("quarter", 360)


def test_a_preset_without_extends_stands_on_the_defaults() -> None:
    assert PresetBook({"plain": {}}).get("plain") == Preset(name="plain", profile="proxy")


def test_a_preset_may_alter_the_built_in_one_of_its_name() -> None:
    book = PresetBook({"prores-proxy": {"extends": "prores-proxy", "size": "quarter"}})
    assert book.get("prores-proxy").size == "quarter"
    assert book.get("prores-proxy").profile == "proxy"
    assert sorted(book.names()) == sorted(BUILT_IN)


def test_a_preset_may_take_the_place_of_a_built_in_one_that_others_extend() -> None:
    book = PresetBook({"prores-422": {"video_codec": "dnxhr"}})
    assert book.get("prores-422").video_codec == "dnxhr"
    assert book.get("prores-hq") == PresetBook().get("prores-hq")


@pytest.mark.parametrize(
    ("table", "fields"),
    [
        (
            {"extends": "h264-proxy", "video_codec": "prores"},
            {"profile": "proxy", "quality": None, "intra_only": False, "size": "half"},
        ),
        ({"extends": "h264-review", "sound_codec": "none"}, {"sound_kbps_per_channel": 0}),
        (
            {"extends": "h264-review", "video_codec": "none"},
            {"size": "full", "max_width": 0, "deinterlace": "no", "sound_kbps_per_channel": 96},
        ),
    ],
)
def test_what_belongs_to_another_codec_is_not_taken_over(
    table: dict[str, Any], fields: dict[str, Any]
) -> None:
    preset = PresetBook({"own": table}).get("own")
    assert {field: getattr(preset, field) for field in fields} == fields


def test_a_pixel_format_is_not_taken_over_by_another_profile() -> None:
    own = {
        "a": {"extends": "prores-4444", "pixel_format": "yuva444p10le"},
        "b": {"extends": "a", "profile": "hq"},
    }
    assert PresetBook(own).get("b").pixel_format == ""


@pytest.mark.parametrize(
    ("own", "fault"),
    [
        ({"a": {"extends": "a"}}, "presets.a.extends: found a circle: a -> a"),
        ({"a": {"extends": "x"}}, 'presets.a.extends: found "x"; allowed: a preset'),
        ({"a": {"colour": 1}}, "presets.a.colour: unknown key; allowed: extends, use, container"),
        ({"a": {"extends": 1}}, "presets.a.extends: found 1; allowed: a string"),
        ({"a": {"name": "b"}}, "presets.a.name: unknown key"),
        ({"-a": {}}, "presets.-a: found this name"),
        ({"a\x1b": {}}, 'presets."a\\u001b": found this name'),
        ({"a": {"max_width": -2}}, "presets.a.max_width: found -2; allowed: a whole number from 0"),
        ({"a": {"quality": "x"}}, 'presets.a.quality: found "x"; allowed: a whole number'),
    ],
)
def test_a_wrong_table_is_refused(own: dict[str, Any], fault: str) -> None:
    with pytest.raises(ConfigInvalid) as caught:
        PresetBook(own)
    assert str(caught.value).startswith(fault)
    assert "\n" not in str(caught.value)


def test_a_fault_is_told_of_the_preset_that_has_it_alone() -> None:
    """Those that extend it are not to blame."""
    own = {
        "a": {"size": "third"},
        "b": {"extends": "a"},
        "c": {"extends": "d"},
        "d": {"extends": "c"},
    }
    own["e"] = {"extends": "c"}
    with pytest.raises(ConfigInvalid) as caught:
        PresetBook(own)
    keys = [line.split(":")[0] for line in str(caught.value).splitlines()]
    assert keys == ["presets.a.size", "presets.c.extends", "presets.d.extends"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("prores", 'no preset "prores" (did you mean prores-proxy? see: proxima presets)'),
        ("dnxr-hq", 'no preset "dnxr-hq" (did you mean dnxhr-hq? see: proxima presets)'),
        ("xyz", 'no preset "xyz" (see: proxima presets)'),
        ("[b]\x1b", 'no preset "[b]\\u001b" (see: proxima presets)'),
    ],
)
def test_an_unknown_preset_is_answered_with_the_nearest(name: str, message: str) -> None:
    with pytest.raises(UnknownPreset) as caught:
        PresetBook().get(name)
    assert str(caught.value) == message


def test_the_codec_facts_cover_every_codec_and_container() -> None:
    assert set(VIDEO) == set(VideoCodec.__args__)
    assert set(SOUND) == set(SoundCodec.__args__)
    holders = {container for facts in VIDEO.values() for container in facts.containers}
    assert holders == set(Container.__args__)
