"""`proxima config show`, `proxima config init` and `proxima presets`."""

import io
import json
import os
import stat
import tomllib
from pathlib import Path

import pytest
import typer
from rich.console import Console
from typer.testing import CliRunner

from proxima.cli.columns import aligned, table
from proxima.cli.config import config_app
from proxima.cli.presets import presets
from proxima.config.annotated import annotated_text
from proxima.config.preset_book import PresetBook
from proxima.config.preset_tables import PresetTable
from proxima.config.schema import setting_keys
from proxima.errors import ConfigInvalid, UnknownPreset, UsageError

APP = typer.Typer()
APP.add_typer(config_app)
APP.command("presets")(presets)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in, and no config of the user."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("platformdirs.user_config_path", lambda *_, **__: tmp_path / "user")
    return tmp_path


def run(*arguments: str, **environment: str) -> str:
    """Output of a command that succeeds."""
    result = CliRunner().invoke(APP, arguments, env=environment, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def shown(text: str) -> dict[str, list[str]]:
    """Value and origin of each key."""
    rows = [line.partition(" = ") for line in text.splitlines()]
    return {key.rstrip(): [part.strip() for part in rest.split("  # ")] for key, _, rest in rows}


def test_show_prints_each_value_and_where_it_came_from(folder: Path) -> None:
    file = folder / "proxima.toml"
    file.write_text("[jobs]\npriority = 3\n")
    rows = shown(run("config", "show", "--slots", "2", PROXIMA_PRESET="wav"))
    assert list(rows) == [".".join(key) for key in setting_keys()]
    assert rows["preset"] == ['"wav"', "PROXIMA_PRESET"]
    assert rows["slots"] == ["2", "--slots"]
    assert rows["jobs.priority"] == ["3", str(file)]
    assert rows["jobs.if_exists"] == ['"skip"', "default"]


def test_show_gives_path_maps_and_presets_a_row_each(folder: Path) -> None:
    (folder / "proxima.toml").write_text(
        "[[paths]]\nname = 'media'\nlinux = '/mnt'\n[presets.'My [b]']\nextends = 'wav'\n"
    )
    rows = shown(run("config", "show"))
    assert rows["paths.media"][0] == '{ linux = "/mnt" }'
    assert rows['presets."My [b]"'][0] == '{ extends = "wav" }'


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_show_hides_passwords(folder: Path, form: tuple[str, ...]) -> None:
    text = run("config", "show", *form, PROXIMA_BROKER="redis://:secret@host")
    assert "secret" not in text
    assert "redis://:*****@host" in text


def test_show_gives_programs_one_json_object(folder: Path) -> None:
    file = folder / "named.toml"
    file.write_text("[sources]\nextensions = ['mov']\n")
    found = json.loads(run("config", "show", "--json", "--config", str(file)))
    assert (found["type"], found["file"]) == ("config", str(file))
    assert found["values"]["sources.extensions"] == {"value": ["mov"], "origin": str(file)}
    assert found["values"]["broker"] == {"value": "", "origin": "default"}


def test_show_refuses_a_wrong_config(folder: Path) -> None:
    with pytest.raises(ConfigInvalid, match="--slots: found -1"):
        run("config", "show", "--slots", "-1")


def test_show_survives_a_value_that_is_no_utf8(folder: Path) -> None:
    output = os.fsdecode(b"/mnt/caf\xe9")
    rows = shown(run("config", "show", PROXIMA_OUTPUT=output))
    assert rows["output"] == ['"/mnt/caf\\udce9"', "PROXIMA_OUTPUT"]


def test_init_writes_the_annotated_file_for_its_owner_alone(folder: Path) -> None:
    file = folder / "user" / "proxima.toml"
    assert run("config", "init") == f"wrote {file}\n"
    assert file.read_text("utf-8") == annotated_text()
    if os.name == "posix":
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert shown(run("config", "show"))["slots"] == ["0", str(file)]


@pytest.mark.parametrize("path", ["new/farm.toml", "."])
def test_init_writes_where_it_is_told(folder: Path, path: str) -> None:
    file = folder / ("proxima.toml" if path == "." else path)
    run("config", "init", path)
    assert file.read_text("utf-8") == annotated_text()


def test_init_replaces_a_file_only_if_told_to(folder: Path) -> None:
    file = folder / "farm.toml"
    file.write_text("# mine" * 10_000)
    with pytest.raises(UsageError, match=f"^{file} exists"):
        run("config", "init", str(file))
    assert file.read_text().startswith("# mine")
    run("config", "init", "--force", str(file))
    assert file.read_text("utf-8") == annotated_text()


def test_init_says_why_it_cannot_write(folder: Path) -> None:
    (folder / "file").touch()
    with pytest.raises(UsageError, match=r"farm\.toml cannot be written: "):
        run("config", "init", "file/farm.toml")


def test_presets_lists_name_container_codec_size_and_use(folder: Path) -> None:
    lines = run("presets").splitlines()
    assert lines[0].split() == ["preset", "container", "codec", "size", "use"]
    assert [line.split()[0] for line in lines[1:]] == list(PresetBook().names())
    cells = [[cell.strip() for cell in line.split("  ") if cell] for line in lines]
    assert cells[1] == [
        "prores-proxy",
        "mov",
        "prores proxy",
        "half, to 1080 high",
        "Proxies for any editing program",
    ]
    assert cells[11][2:4] == ["h264 high", "full, to 1920x1080"]
    assert cells[14] == ["wav", "wav", "pcm_s24le", "-", "Sound only"]


def test_presets_lists_those_of_the_config_too(folder: Path) -> None:
    (folder / "proxima.toml").write_text("[presets.'[b]mine']\nextends = 'wav'\nuse = '[red]a'\n")
    assert "[b]mine" in run("presets")
    assert "[red]a" in run("presets")
    assert run("presets", "[b]mine").startswith('[presets."[b]mine"]\nuse = "[red]a"\n')


@pytest.mark.parametrize("name", ["prores-proxy", "h264-review"])
def test_a_preset_in_full_can_stand_in_a_config(folder: Path, name: str) -> None:
    table = tomllib.loads(run("presets", name))["presets"][name]
    missing = set(PresetTable.__struct_fields__) - set(table)
    assert missing == {"extends"} | ({"quality"} if name == "prores-proxy" else set())
    assert PresetBook({name: table}).get(name) == PresetBook().get(name)


def test_presets_gives_programs_one_json_object(folder: Path) -> None:
    found = json.loads(run("presets", "--json"))
    assert found["type"] == "presets"
    assert [preset["name"] for preset in found["presets"]] == list(PresetBook().names())
    (wav,) = json.loads(run("presets", "wav", "--json"))["presets"]
    assert (wav["container"], wav["quality"], wav["extra_args"]) == ("wav", None, [])


def test_an_unknown_preset_is_refused(folder: Path) -> None:
    with pytest.raises(UnknownPreset, match="did you mean cineform"):
        run("presets", "cinefrom")


def test_columns_line_up_whatever_the_width_of_the_letters() -> None:
    assert aligned([("a", "b"), ("漢字", "c"), ("", "")]) == ["a     b", "漢字  c", ""]


@pytest.mark.parametrize("width", [20, 60, 200])
def test_a_table_shows_brackets_and_keeps_to_the_terminal(width: int) -> None:
    console = Console(file=io.StringIO(), force_terminal=True, width=width, color_system=None)
    console.print(table(("key", "value"), [("[bold]k[/]", "[x] " * 20)]))
    lines = console.file.getvalue().splitlines()
    assert max(map(len, lines)) <= width
    assert "[bold]k[/]" in lines[1]


def test_the_options_tell_their_variables(folder: Path) -> None:
    text = " ".join(run("config", "show", "--help", COLUMNS="200").split())
    for name in ("CONFIG", "BROKER", "PRESET", "OUTPUT", "SLOTS"):
        assert f"PROXIMA_{name}" in text
