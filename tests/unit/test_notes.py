"""Lines to people on standard error."""

import os

import pytest

from proxima.cli.notes import note

LINE = "encoding on this machine, 2 at a time (for a farm: proxima broker --lan)"


@pytest.mark.parametrize(
    ("is_terminal", "told"),
    [
        (True, "encoding on this machine, 2 at a\ntime (for a farm: proxima broker\n--lan)\n"),
        (False, LINE + "\n"),
    ],
    ids=["terminal", "file"],
)
def test_a_note_is_broken_between_words_on_a_terminal_only(monkeypatch, capsys, is_terminal, told):
    monkeypatch.setattr("sys.stderr.isatty", lambda: is_terminal)
    monkeypatch.setattr("shutil.get_terminal_size", lambda: os.terminal_size((36, 20)))
    note(LINE)
    assert capsys.readouterr().err == told
