"""The documented example at the root, and the text that `proxima config init` writes."""

import re
import tomllib
from pathlib import Path

import msgspec

from proxima.config.annotated import annotated_text
from proxima.config.loaded import load
from proxima.config.preset_book import PresetBook
from proxima.config.schema import Config
from proxima.paths import PathMap
from proxima.preset import Preset

EXAMPLE = Path(__file__).parents[2] / "config.toml"


def test_the_example_is_what_the_code_would_write() -> None:
    assert EXAMPLE.read_text("utf-8") == annotated_text()


def test_the_example_has_every_key_with_its_default_and_no_other() -> None:
    defaults = msgspec.json.decode(msgspec.json.encode(Config()))
    del defaults["paths"], defaults["hooks"], defaults["presets"]
    assert tomllib.loads(annotated_text()) == defaults


def test_every_line_fits_the_page() -> None:
    assert max(map(len, annotated_text().splitlines())) <= 100


def test_a_comment_stands_above_every_key() -> None:
    # What the fields of a preset mean comes below the example of one.
    settings, _, _ = annotated_text().partition("#[presets.")
    bare = re.findall(r"(?m)^(?!# ).*\n(#?\w+ = .*)", settings)
    # The first line of a path map follows its header.
    assert bare == []


def test_the_optional_lines_can_be_used(tmp_path: Path) -> None:
    file = tmp_path / "used.toml"
    file.write_text(re.sub(r"(?m)^#(?=[^ \n])", "", annotated_text()), "utf-8")
    config = load(config_file=file, options={}, environment={}).config
    (media,) = config.paths
    assert all(getattr(media, field) for field in PathMap.__struct_fields__)
    assert PresetBook(config.presets).get("prores-quarter").size == "quarter"


def test_every_field_of_a_preset_is_explained() -> None:
    explained = re.findall(r"(?m)^# (\w+) = .*\n#     \w", annotated_text())
    assert explained == ["extends", *Preset.__struct_fields__[1:]]
