"""Which fields of a preset go with which; the one place that judges combinations."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from proxima.codec import SOUND, VIDEO
from proxima.config.toml_text import toml_value
from proxima.preset import Preset

_FRAME_RATE = re.compile(r"[1-9][0-9]{0,5}(/[1-9][0-9]{0,5})?")
_RATE_FORM = 'frames per second as a whole number or a ratio ("25", "30000/1001")'
_EXTRA_FORM = 'options with one value each (["-tune", "film"])'
_LONG_GOP_ONLY = ("quality", "intra_only", "keyframe_interval")
#: Fields that mean nothing without a picture.
PICTURE_ONLY = ("size", "max_width", "max_height", "deinterlace", "tonemap", "frame_rate")


class PresetFault(NamedTuple):
    """A field whose value does not go with the others."""

    field: str
    #: What was found and what is allowed.
    text: str


_Faults = Iterator[PresetFault]


def preset_faults(preset: Preset) -> list[PresetFault]:
    """Every field that does not go with the others; empty if outputs can be made with it."""
    parts = (_picture_faults, _long_gop_faults, _sound_faults, _extra_faults)
    return [fault for part in parts for fault in part(preset)]


def _picture_faults(preset: Preset) -> _Faults:
    """Profile, pixel format, container and frame rate."""
    codec, facts = preset.video_codec, VIDEO[preset.video_codec]
    if preset.container not in facts.containers:
        what = f"{codec} video" if preset.has_picture else "sound only"
        yield _other("container", preset.container, facts.containers, what)
    profile = preset.profile or facts.default_profile
    if profile not in facts.profiles:
        yield _other("profile", profile, tuple(filter(None, facts.profiles)), codec)
    elif preset.pixel_format and preset.pixel_format not in facts.profiles[profile]:
        flavour = f"{codec} {profile}".strip()
        yield _other("pixel_format", preset.pixel_format, facts.profiles[profile], flavour)
    if preset.frame_rate and not _FRAME_RATE.fullmatch(preset.frame_rate):
        yield PresetFault(
            "frame_rate", f"found {toml_value(preset.frame_rate)}; allowed: {_RATE_FORM}"
        )
    if not preset.has_picture:
        yield from _idle(preset, PICTURE_ONLY, "outputs without a picture")


def _long_gop_faults(preset: Preset) -> _Faults:
    """Quality and key frames."""
    if not VIDEO[preset.video_codec].is_long_gop:
        yield from _idle(preset, _LONG_GOP_ONLY, f"video_codec {preset.video_codec}")
        return
    if preset.quality is not None and not 0 <= preset.quality <= 51:
        yield PresetFault("quality", f"found {preset.quality}; allowed: 0 (best) to 51")
    if preset.intra_only and preset.keyframe_interval > 1:
        yield PresetFault(
            "keyframe_interval",
            f"found {preset.keyframe_interval}; allowed: 0 or 1, as intra_only is true",
        )


def _sound_faults(preset: Preset) -> _Faults:
    """Sound codec, container and rate."""
    if not preset.has_sound and not preset.has_picture:
        yield PresetFault(
            "sound_codec", 'found "none"; allowed: another one, as there is no picture either'
        )
    elif preset.container not in SOUND[preset.sound_codec]:
        fitting = tuple(codec for codec, holders in SOUND.items() if preset.container in holders)
        yield _other("sound_codec", preset.sound_codec, fitting, f"container {preset.container}")
    if preset.sound_codec != "aac":
        yield from _idle(preset, ("sound_kbps_per_channel",), f"sound_codec {preset.sound_codec}")


def _extra_faults(preset: Preset) -> _Faults:
    """Options and their values in turn."""
    options = preset.extra_args[::2]
    if len(preset.extra_args) % 2 or not all(re.fullmatch(r"-[A-Za-z]\S*", o) for o in options):
        yield PresetFault(
            "extra_args", f"found {toml_value(preset.extra_args)}; allowed: {_EXTRA_FORM}"
        )


def _other(field: str, found: str, allowed: tuple[str, ...], why: str) -> PresetFault:
    text = f"found {toml_value(found)}; allowed with {why}: {', '.join(allowed) or 'none'}"
    return PresetFault(field, text)


def _idle(preset: Preset, fields: tuple[str, ...], why: str) -> _Faults:
    """Fields that were set but would do nothing."""
    defaults = Preset(name=preset.name)
    for field in fields:
        found = toml_value(getattr(preset, field))
        if found != toml_value(getattr(defaults, field)):
            yield PresetFault(field, f"found {found}; it does nothing with {why}")
