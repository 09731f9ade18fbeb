"""PresetBook: the built-in presets and those of the config, by name."""

from collections.abc import Mapping
from typing import Any

from proxima.codec import VIDEO
from proxima.config.fault import dotted, near
from proxima.config.preset_tables import PresetTables, built_in_tables
from proxima.config.toml_text import toml_value
from proxima.errors import ConfigInvalid, UnknownPreset
from proxima.preset import Preset


class PresetBook:
    """Every preset that can be asked for."""

    def __init__(self, own: Mapping[str, Mapping[str, Any]] | None = None) -> None:
        """*own* are the ``[presets.NAME]`` tables of the config; ConfigInvalid if one is wrong."""
        tables = PresetTables(built_in_tables(), own or {})
        if faults := tables.faults():
            raise ConfigInvalid("\n".join(f"{dotted(item.key)}: {item.text}" for item in faults))
        presets = [tables.preset(name) for name in tables.names()]
        self._presets = {preset.name: preset for preset in sorted(presets, key=_rank)}

    def names(self) -> tuple[str, ...]:
        """By codec, from the smallest outputs to the largest."""
        return tuple(self._presets)

    def presets(self) -> tuple[Preset, ...]:
        """In the order of their names."""
        return tuple(self._presets.values())

    def get(self, name: str) -> Preset:
        """The preset of that name; UnknownPreset suggests others."""
        if name not in self._presets:
            meant = near(name, self._presets)
            question = f"did you mean {meant}? " if meant else ""
            raise UnknownPreset(f"no preset {toml_value(name)} ({question}see: proxima presets)")
        return self._presets[name]


def _rank(preset: Preset) -> tuple[int, int, bool, str]:
    facts = VIDEO[preset.video_codec]
    return (
        list(VIDEO).index(preset.video_codec),
        list(facts.profiles).index(preset.profile),
        preset.size == "full",
        preset.name,
    )
