"""Trying presets with the ffmpeg that is there."""

from pathlib import Path

import pytest
from camera_files import make_preset

from proxima.config.preset_book import PresetBook
from proxima.errors import UsageError
from proxima.ffmpeg.binaries import find_ffmpeg, version
from proxima.ffmpeg.trial import try_preset

FFMPEG = find_ffmpeg()


@pytest.mark.parametrize("name", PresetBook().names())
def test_every_preset_of_proxima_works(name: str) -> None:
    assert try_preset(FFMPEG, PresetBook().get(name)) is None


def test_a_preset_that_maps_tones_is_tried_with_hdr(tmp_path: Path) -> None:
    assert try_preset(FFMPEG, make_preset(tonemap="sdr")) is None
    lame = tmp_path / "ffmpeg"
    lame.write_text(f'#!/bin/sh\n[ "$2" = -filters ] || exec "{FFMPEG}" "$@"\n')
    lame.chmod(0o755)
    assert "neither zscale nor libplacebo" in (try_preset(lame, make_preset(tonemap="sdr")) or "")


def test_why_a_preset_does_not_work_is_said() -> None:
    preset = make_preset(extra_args=("-profile:v", "nosuch"))
    assert "nosuch" in (try_preset(FFMPEG, preset) or "")


def test_a_preset_that_fits_no_source_is_said() -> None:
    preset = make_preset(video_codec="dnxhr", max_width=200)
    assert "dnxhr holds no picture" in (try_preset(FFMPEG, preset) or "")


def test_an_ffmpeg_that_cannot_be_run_is_said(tmp_path: Path) -> None:
    assert try_preset(tmp_path / "none", make_preset())


def test_the_bundled_ffmpeg_is_found_and_named() -> None:
    assert FFMPEG.is_file()
    assert version(FFMPEG).split(".")[0].isdigit()


def test_a_configured_ffmpeg_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = tmp_path / "my-ffmpeg"
    own.symlink_to(FFMPEG)
    assert find_ffmpeg(str(own)) == own
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_ffmpeg("my-ffmpeg") == own


def test_a_configured_ffmpeg_that_is_not_there_is_an_error_with_a_remedy() -> None:
    with pytest.raises(UsageError, match=r"no program 'no-such-ffmpeg' \(\[worker\] ffmpeg\)"):
        find_ffmpeg("no-such-ffmpeg")


@pytest.mark.parametrize("text", ["#!/bin/sh\necho hello\n", "#!/bin/sh\nexit 3\n", "no program"])
def test_what_is_no_ffmpeg_has_no_version(tmp_path: Path, text: str) -> None:
    program = tmp_path / "ffmpeg"
    program.write_text(text)
    program.chmod(0o755)
    with pytest.raises(UsageError, match=r"let \[worker\] ffmpeg name"):
        version(program)
