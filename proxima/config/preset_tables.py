"""Presets as TOML has them: the built-in files, and what a preset takes from another."""

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import Meta

from proxima.codec import VIDEO
from proxima.config.fault import Fault, did_you_mean, examine
from proxima.config.preset_rules import PICTURE_ONLY, preset_faults
from proxima.preset import Preset

#: Some fields of a preset by name.
Table = Mapping[str, Any]

PresetTable = msgspec.defstruct(
    "PresetTable",
    [
        (
            "extends",
            Annotated[str, Meta(description="The preset from which the rest is taken.")],
            "",
        ),
        *(
            (field.name, field.type, field.default)
            for field in msgspec.structs.fields(Preset)
            if field.name != "name"
        ),
    ],
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
)

#: Fields on which the meaning of the others rests.
_ROOTS = ("extends", "container", "video_codec", "sound_codec")

#: What a preset does not take over when it has another value in the field that comes first.
_BOUND = {
    "video_codec": ("profile", "pixel_format", "quality", "intra_only", "keyframe_interval"),
    "profile": ("pixel_format",),
    "sound_codec": ("sound_kbps_per_channel",),
}


def built_in_tables() -> dict[str, Table]:
    """The presets that come with Proxima, by name."""
    entries = (files("proxima") / "presets").iterdir()
    return {
        entry.name.removesuffix(".toml"): tomllib.loads(entry.read_text("utf-8"))
        for entry in entries
        if entry.name.endswith(".toml")
    }


class _Ref(NamedTuple):
    """One table: a preset of the config may have the name of a built-in one."""

    name: str
    is_own: bool


class _NoEndError(Exception):
    """A preset extends one that is not there, or itself by a circle: culprit, text."""


class PresetTables:
    """The built-in tables, those of the config, and who extends whom."""

    def __init__(self, built_in: Mapping[str, Table], own: Mapping[str, Any]) -> None:
        self._faults: list[Fault] = []
        good = {name: self._examined(name, table) for name, table in own.items()}
        self._root_broken = {
            _Ref(str(fault.key[1]), is_own=True)
            for fault in self._faults
            if len(fault.key) < 3 or fault.key[2] in _ROOTS
        }
        self._tables = {_Ref(name, is_own=False): table for name, table in built_in.items()}
        self._tables |= {_Ref(name, is_own=True): table for name, table in good.items()}

    def names(self) -> list[str]:
        """Every name once; the built-in ones first."""
        return list(dict.fromkeys(ref.name for ref in self._tables))

    def preset(self, name: str) -> Preset:
        """The preset of that name; its tables must be without faults."""
        fields = _merged([self._tables[ref] for ref in self._lineage(name)])
        if not fields.get("profile"):
            codec = fields.get("video_codec", "prores")
            fields["profile"] = VIDEO[codec].default_profile
        return msgspec.convert({"name": name, **fields}, Preset)

    def faults(self) -> list[Fault]:
        """Everything that is wrong with the presets of the config."""
        own = [ref for ref in self._tables if ref.is_own and ref not in self._root_broken]
        return [*self._faults, *(fault for ref in own for fault in self._faults_of(ref.name))]

    def _examined(self, name: str, table: object) -> Table:
        good = examine(table, PresetTable, ("presets", name), self._faults)
        if not name.isprintable() or not name.strip() or name.startswith("-"):
            text = "found this name; allowed: one that can be typed as an argument"
            self._faults.append(Fault(("presets", name), text))
        return {} if good is msgspec.UNSET else good

    def _faults_of(self, name: str) -> Iterator[Fault]:
        try:
            lineage = self._lineage(name)
        except _NoEndError as error:
            culprit, text = error.args
            if culprit == name:
                yield Fault(("presets", name, "extends"), text)
            return
        # Rules about fields whose own values are wrong would only repeat it.
        if not self._root_broken.intersection(lineage):
            for fault in preset_faults(self.preset(name)):
                yield Fault(("presets", name, fault.field), fault.text)

    def _lineage(self, name: str) -> list[_Ref]:
        """The preset, the one that it extends, and so on."""
        lineage = [self._ref(name)]
        while parent := self._tables[lineage[-1]].get("extends"):
            ref = self._ref(parent, by=lineage[-1])
            if ref in lineage:
                way = " -> ".join(step.name for step in (*lineage, ref))
                raise _NoEndError(ref.name, f"found a circle: {way}")
            if ref not in self._tables:
                text = f'found "{parent}"; allowed: a preset, see: proxima presets'
                raise _NoEndError(lineage[-1].name, text + did_you_mean(parent, self.names()))
            lineage.append(ref)
        return lineage

    def _ref(self, name: str, by: _Ref | None = None) -> _Ref:
        own, built_in = _Ref(name, is_own=True), _Ref(name, is_own=False)
        # Built-in presets stand on built-in ones, whatever the config calls its own.
        if own not in self._tables or (by and not by.is_own):
            return built_in
        # A preset that extends its own name alters the built-in one.
        return built_in if by == own and built_in in self._tables else own


def _merged(lineage: Sequence[Table]) -> dict[str, Any]:
    """The fields of the first table, and from the others what it does not say."""
    merged: dict[str, Any] = {}
    for table in reversed(lineage):
        for field in _outdated(merged, table):
            merged.pop(field, None)
        merged |= table
    merged.pop("extends", None)
    return merged


def _outdated(old: Table, new: Table) -> Iterable[str]:
    """The fields of *old* that mean nothing beside the values of *new*."""
    for field, bound in _BOUND.items():
        if field in new and new[field] != old.get(field):
            yield from bound
    if new.get("video_codec") == "none":
        yield from PICTURE_ONLY
