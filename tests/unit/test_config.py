"""The config: who has the last word, and everything that is wrong at once."""

import re
from pathlib import Path
from typing import Any

import pytest

from proxima.config.config_file import user_config_file
from proxima.config.loaded import Loaded, load
from proxima.config.preset_tables import PresetTable
from proxima.config.schema import Config, setting_keys
from proxima.errors import ConfigInvalid


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in, and no config of the user."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("platformdirs.user_config_path", lambda *_, **__: tmp_path / "user")
    return tmp_path


def read(
    config_file: Path | None = None, options: dict[str, Any] | None = None, **environment: str
) -> Loaded:
    return load(config_file=config_file, options=options or {}, environment=environment)


def faults(text: str, folder: Path, **said: Any) -> list[str]:
    """What is wrong with a file, line by line, without its path."""
    file = folder / "bad.toml"
    file.write_text(text, "utf-8")
    with pytest.raises(ConfigInvalid) as caught:
        read(file, **said)
    return [line.removeprefix(f"{file}:") for line in str(caught.value).splitlines()]


def test_without_a_file_all_is_default(folder: Path) -> None:
    loaded = read()
    assert loaded.config == Config()
    assert loaded.file is None
    assert set(loaded.origins) == {".".join(key) for key in setting_keys()}
    assert set(loaded.origins.values()) == {"default"}


def test_an_option_goes_before_a_variable_a_variable_before_the_file(folder: Path) -> None:
    file = folder / "proxima.toml"
    file.write_text('broker = "redis://file"\npreset = "wav"\nslots = 1\n')
    loaded = read(
        options={"slots": 3, "preset": None},
        PROXIMA_SLOTS="2",
        PROXIMA_PRESET="cineform",
        PROXIMA_OUTPUT="",
    )
    assert loaded.config == Config(broker="redis://file", preset="cineform", slots=3)
    assert {key: loaded.origins[key] for key in ("broker", "preset", "output", "slots")} == {
        "broker": str(file),
        "preset": "PROXIMA_PRESET",
        "output": "default",
        "slots": "--slots",
    }


def test_an_empty_option_takes_back_what_the_file_says(folder: Path) -> None:
    (folder / "proxima.toml").write_text('broker = "redis://file"\n')
    loaded = read(options={"broker": ""})
    assert loaded.config.broker == ""
    assert loaded.origins["broker"] == "--broker"


def test_the_first_file_that_there_is_counts(folder: Path) -> None:
    files = [folder / name for name in ("option.toml", "variable.toml", "proxima.toml")]
    files.append(user_config_file())
    files[-1].parent.mkdir()
    for file in files:
        file.write_text("")
    variable = {"PROXIMA_CONFIG": str(files[1])}
    assert read(files[0], **variable).file == files[0]
    assert read(**variable).file == files[1]
    assert read().file == files[2]
    files[2].unlink()
    assert read().file == files[3]


@pytest.mark.parametrize(("named", "who"), [(True, "--config"), (False, "PROXIMA_CONFIG")])
def test_a_named_file_must_exist(folder: Path, named: bool, who: str) -> None:
    missing = folder / "no.toml"
    said = {"config_file": missing} if named else {"PROXIMA_CONFIG": str(missing)}
    with pytest.raises(ConfigInvalid, match=f"^{who}: there is no file {missing}"):
        read(**said)


def test_a_file_that_cannot_be_read_says_why(folder: Path) -> None:
    with pytest.raises(ConfigInvalid, match=f"^{folder}: cannot be read: Is a directory$"):
        read(folder)


def test_every_fault_is_told_with_its_line_and_what_is_allowed(folder: Path) -> None:
    text = """\
brokr = "redis://h"
slots = "four"
[jobs]
if_exists = "skp"
priority = 12
[worker]
nice = true
extra_args = ["-tune", "tune"]
[cache]
"""
    keys = "broker, preset, output, layout, slots, sources, jobs, worker, paths, hooks, presets"
    choices = '"skip", "replace", "rename", "fail"'
    assert faults(text, folder) == [
        f"1: brokr: unknown key; allowed: {keys} (did you mean broker?)",
        '2: slots: found "four"; allowed: a whole number from 0 to 1024',
        f'4: jobs.if_exists: found "skp"; allowed: {choices} (did you mean skip?)',
        "5: jobs.priority: found 12; allowed: a whole number from 0 to 9",
        "7: worker.nice: found true; allowed: a whole number from 0 to 19",
        '8: worker.extra_args[1]: found "tune"; allowed: an ffmpeg option such as "-tune"',
        f"9: cache: unknown key; allowed: {keys}",
    ]


def test_faults_of_file_variable_and_option_come_together(folder: Path) -> None:
    said = {"options": {"slots": -1, "preset": ""}, "PROXIMA_SLOTS": "many"}
    assert faults("slots = 1.5", folder, **said) == [
        "1: slots: found 1.5; allowed: a whole number from 0 to 1024",
        '--preset: found ""; allowed: a string that is not empty',
        "--slots: found -1; allowed: a whole number from 0 to 1024",
    ]


def test_a_variable_is_named_in_its_fault(folder: Path) -> None:
    with pytest.raises(ConfigInvalid) as caught:
        read(PROXIMA_SLOTS="many")
    assert str(caught.value) == (
        'PROXIMA_SLOTS: found "many"; allowed: a whole number from 0 to 1024'
    )


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("a = 1\nb", r"2:1: not TOML: .*; the file ends here"),
        ("\noutput = [\n", r"2:1: not TOML: .*; the file ends here"),
        ("a = 1\nb = = 2\n", r"2:5: not TOML: \w[^;]*"),
        (
            'output = "M:\\media"',
            r"1:15: not TOML: .*; write paths with backslashes in single quotes: 'M:\\'",
        ),
    ],
)
def test_what_is_no_toml_is_shown_by_line_and_column(folder: Path, text: str, fault: str) -> None:
    (found,) = faults(text, folder)
    assert re.fullmatch(fault, found)


def test_what_is_not_utf8_is_shown_by_line(folder: Path) -> None:
    file = folder / "latin.toml"
    file.write_bytes(b'broker = ""\noutput = "/M\xe9dias"\n')
    with pytest.raises(ConfigInvalid, match=f"^{file}:2: not UTF-8"):
        read(file)


def test_a_byte_order_mark_is_no_fault(folder: Path) -> None:
    file = folder / "windows.toml"
    file.write_bytes(b"\xef\xbb\xbfslots = 2\r\n")
    assert read(file).config.slots == 2


def test_path_maps_are_read_and_judged(folder: Path) -> None:
    file = folder / "maps.toml"
    file.write_text("[[paths]]\nname = 'media'\nlinux = '/mnt/media'\n[paths.hosts]\na = '/m'\n")
    (media,) = read(file).config.paths
    assert (media.name, media.linux, media.hosts) == ("media", "/mnt/media", {"a": "/m"})
    assert read(file).origins["paths"] == str(file)


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        ("name = 'M'\nlinux = '/m'", '2: paths[0].name: found "M"; allowed: a word of two'),
        ("linux = '/m'", "1: paths[0].name: found nothing; allowed: a word of two"),
        ("name = 'media'", "1: paths[0]: found no root; allowed: at least one of linux, macos"),
        ("name = 'media'\nlinx = '/m'", "3: paths[0].linx: unknown key; allowed: name, linux"),
        ("name = 'media'\nlinux = 'm'", '3: paths[0].linux: found "m"; allowed: an absolute'),
        ("name = 'media'\nlinux = '/a/../b'", '3: paths[0].linux: found "/a/../b"; allowed:'),
        ("name = 'media'\nwindows = 'M'", '3: paths[0].windows: found "M"; allowed: a drive'),
        ("name = 'media'\nhosts.a = 'm'", '3: paths[0].hosts.a: found "m"; allowed: an absolute'),
        (
            "name = 'media'\nlinux = '/m'\n[[paths]]\nname = 'Media'\nlinux = '/n'",
            "5: paths[1].name: found Media again; allowed: once",
        ),
        (
            "name = 'media'\nlinux = '/m'\n[[paths]]\nname = 'cards'\nlinux = '/m/'",
            '6: paths[1].linux: found "/m/", the root of media; allowed: another folder',
        ),
    ],
)
def test_a_wrong_path_map_is_refused(folder: Path, entry: str, fault: str) -> None:
    (found,) = faults(f"[[paths]]\n{entry}\n", folder)
    assert found.startswith(fault)


def test_a_wrong_map_does_not_hide_the_wrong_root_of_another(folder: Path) -> None:
    text = "[[paths]]\nname = 'media'\nlinux = 'mnt'\n[[paths]]\nname = 'x'\n"
    found = faults(text, folder)
    assert [line.split(":")[0] for line in found] == ["3", "5"]


def test_a_preset_that_nobody_knows_is_told_with_all_else(folder: Path) -> None:
    found = faults("preset = 'prores-prox'\nslots = -1\n", folder)
    assert found[0].startswith("1: preset: found")
    assert "did you mean prores-proxy?" in found[0]
    assert found[1].startswith("2: slots")


def test_a_value_out_of_range_does_not_hide_what_else_is_wrong_with_a_preset(folder: Path) -> None:
    text = "[presets.m]\nextends = 'h264-proxy'\nkeyframe_interval = -1\nquality = 99\n"
    found = faults(f"{text}frame_rate = 'abc'\n", folder)
    assert [line.split(":")[0] for line in found] == ["3", "4", "5"]


def test_a_preset_of_a_variable_that_nobody_knows_is_told_with_all_else(folder: Path) -> None:
    found = faults("", folder, PROXIMA_PRESET="nope", PROXIMA_SLOTS="abc")
    assert len(found) == 2
    assert any('PROXIMA_PRESET: found "nope"' in line for line in found)


def test_roots_must_not_depend_on_where_the_worker_starts(folder: Path) -> None:
    (found,) = faults('[worker]\nroots = ["/mnt", "media"]', folder)
    assert found.startswith('2: worker.roots[1]: found "media"; allowed: an absolute path')


def test_a_tilde_is_the_home_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/nas/sam")
    monkeypatch.setenv("USERPROFILE", "/nas/sam")
    file = folder / "home.toml"
    worker = 'roots = ["~"]\nffmpeg = "~/ffmpeg"\nlog_folder = "~/logs"'
    file.write_text(f'output = "~/Proxies"\n[worker]\n{worker}\n')
    config = read(file).config
    assert config.output == "/nas/sam/Proxies"
    assert config.worker.roots == ("/nas/sam",)
    assert (config.worker.ffmpeg, config.worker.log_folder) == (
        "/nas/sam/ffmpeg",
        "/nas/sam/logs",
    )


def test_all_faults_of_presets_are_told(folder: Path) -> None:
    text = """\
[presets.a]
extends = "b"
[presets.b]
extends = "a"
[presets.c]
extends = "prores-prxy"
[presets.d]
container = "mp4"
sound_codec = "aac"
[presets."My [e]"]
colour = 1
size = "third"
"""
    fields = ", ".join(PresetTable.__struct_fields__)
    assert [line.split(" (")[0] for line in faults(text, folder)] == [
        "2: presets.a.extends: found a circle: a -> b -> a",
        "4: presets.b.extends: found a circle: b -> a -> b",
        '6: presets.c.extends: found "prores-prxy"; allowed: a preset, see: proxima presets',
        '8: presets.d.container: found "mp4"; allowed with prores video: mov, mkv, mxf',
        f'11: presets."My [e]".colour: unknown key; allowed: {fields}',
        '12: presets."My [e]".size: found "third"; allowed: "full", "half", "quarter", "eighth"',
    ]


def test_a_password_of_a_wrong_value_is_not_shown(folder: Path) -> None:
    (found,) = faults('slots = "redis://:secret@h"', folder)
    assert "secret" not in found


def test_extensions_match_in_any_case(folder: Path) -> None:
    file = folder / "sources.toml"
    file.write_text('[sources]\nextensions = ["MOV", "mxf"]\n')
    loaded = read(file)
    assert loaded.config.sources.suffixes == {".mov", ".mxf"}
    assert loaded.origins["sources.extensions"] == str(file)
    assert faults('[sources]\nextensions = [".mov"]', folder) == [
        '2: sources.extensions[0]: found ".mov"; allowed: an extension without its dot'
    ]


@pytest.mark.parametrize(("slots", "cores", "used"), [(0, 1, 1), (0, 8, 2), (0, 64, 16), (5, 8, 5)])
def test_slots_are_a_quarter_of_the_cores_unless_said(slots: int, cores: int, used: int) -> None:
    assert Config(slots=slots).slots_on(cores) == used


def test_a_table_for_outputs_says_the_same_as_the_keys(folder: Path) -> None:
    file = folder / "proxima.toml"
    file.write_text('[output]\nfolder = "/proxies"\nlayout = "flat"\n')
    loaded = read()
    assert (loaded.config.output, loaded.config.layout) == ("/proxies", "flat")
    assert loaded.origins["layout"] == str(file)


def test_faults_of_a_table_for_outputs_are_told_with_their_lines(folder: Path) -> None:
    assert faults('[output]\nfolder = "/p"\nlayout = "heap"\n', folder) == [
        '3: layout: found "heap"; allowed: "auto", "resolve", "premiere", "fcp", "mirror", "flat"'
    ]


def test_a_hook_has_one_thing_to_do_and_a_name_of_its_own(tmp_path):
    file = tmp_path / "proxima.toml"
    file.write_text(
        '[[hooks]]\nname = "a"\nevents = ["job.failed"]\n'
        '[[hooks]]\nname = "a"\nevents = ["*"]\ndesktop = true\ncommand = ["x"]\n'
        '[[hooks]]\nname = "b"\nevents = ["job.exploded"]\ndesktop = true\n'
    )
    with pytest.raises(ConfigInvalid) as refused:
        load(config_file=file, options={}, environment={})
    said = str(refused.value)
    assert "hooks[0]: found nothing to do; allowed: one of command, webhook, desktop" in said
    assert "hooks[1]: found command and desktop" in said
    assert "hooks[1].name: found a again; allowed: once" in said
    assert "job.exploded" in said
