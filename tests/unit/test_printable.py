"""Names made safe for terminals."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proxima.printable import printable, printable_lines


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("A001_C001.mov", "A001_C001.mov"),
        ("東京ロケ 😀 [red]x[/red].mov", "東京ロケ 😀 [red]x[/red].mov"),
        ("back\\slash.mov", "back\\slash.mov"),
        ("new\nline\ttab\r.mov", "new\\nline\\ttab\\r.mov"),
        ("\x1b[2J\x07\x7f\x9b.mov", "\\x1b[2J\\x07\\x7f\\x9b.mov"),
        ("\u202evom.exe\u2066", "\\u202evom.exe\\u2066"),
        ("zero\u200bwidth\ufeff", "zero\\u200bwidth\\ufeff"),
        ("line\u2028end", "line\\u2028end"),
        ("bad-\udce9\udcff.mov", "bad-\\xe9\\xff.mov"),
        ("lone \ud800", "lone \\ud800"),
        ("👩\u200d🎤.mov", "👩\u200d🎤.mov"),
    ],
)
def test_whatever_steers_a_terminal_is_shown_as_an_escape(name: str, shown: str) -> None:
    assert printable(name) == shown


@given(st.text(st.characters(codec=None), max_size=30))
def test_what_is_printable_can_be_encoded_and_stays_on_one_line(name: str) -> None:
    shown = printable(name)
    shown.encode("utf-8")
    assert not {unicodedata.category(char) for char in shown} & {"Cc", "Cs", "Zl", "Zp"}


def test_a_message_keeps_its_own_lines() -> None:
    assert printable_lines("two:\n  a\tb\x1b\n") == "two:\n  a\\tb\\x1b\n"
