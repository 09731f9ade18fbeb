"""Text in terminal cells."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.text import Text

from proxima.cli.cells import cropped, fit, flowed, folded, one_line, shorten


def test_the_middle_is_cut_and_the_end_stays() -> None:
    assert shorten("A001C003_260304_R1AB.mov", 24) == "A001C003_260304_R1AB.mov"
    assert shorten("A001C003_260304_R1AB.mov", 16) == "A001C…4_R1AB.mov"
    assert [shorten("clip.mov", cells) for cells in (0, 1, 2)] == ["", "…", "…v"]


def test_a_wide_character_is_never_cut_in_half() -> None:
    assert shorten("東京東京東京", 8) == "東…東京"
    assert fit("東京東京東京", 8) == "東…東京 "


@given(st.text(max_size=60), st.integers(0, 40))
def test_any_text_fits_into_any_column_exactly(text: str, cells: int) -> None:
    assert cell_len(fit(one_line(text), cells)) == cells
    assert cell_len(fit(one_line(text), cells, right=True)) == cells


@given(st.text(alphabet=st.characters(exclude_categories=())))
def test_any_name_is_one_printable_line(text: str) -> None:
    assert "\n" not in one_line(text)
    assert not any(ord(c) < 32 or "\ud800" <= c <= "\udfff" for c in one_line(text))


def test_joined_emoji_are_shown_side_by_side() -> None:
    """Terminals disagree about the width of the joined ones."""
    assert one_line("\U0001f469\u200d\U0001f4bb\u2764\ufe0f") == "\U0001f469\U0001f4bb\u2764"


def test_a_decomposed_name_is_composed() -> None:
    assert one_line("e\u0301") == "\u00e9"


def test_a_line_is_cropped_and_not_wrapped() -> None:
    line = cropped(Text("a b c d"), 4)
    assert (line.plain, line.no_wrap) == ("a b…", True)


def test_pieces_go_on_in_the_next_line_as_a_whole() -> None:
    pieces = [("12 done", ""), ("1 failed", ""), ("2 skipped", "")]
    assert [line.plain for line in flowed(pieces, 80)] == ["12 done, 1 failed, 2 skipped"]
    assert [line.plain for line in flowed(pieces, 20)] == ["12 done, 1 failed", "2 skipped"]
    assert [line.plain for line in flowed(pieces, 9, rows=2)] == ["12 done", "1 failed"]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", []),
        ("one two three", ["  one two", "  three"]),
        ("a-very-long-word b", ["  a-very-l", "  ong-word", "  b"]),
    ],
)
def test_text_is_folded_at_blanks_where_it_can_be(text: str, lines: list[str]) -> None:
    assert folded(text, 10) == lines
