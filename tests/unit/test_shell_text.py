"""Commands that can be pasted into a shell."""

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from proxima.cli.shell_text import shell_lines, shell_words

WORDS = st.lists(st.text(st.characters(exclude_categories=["C", "Z"]) | st.just(" "), max_size=60))


def test_a_command_is_quoted_for_a_shell() -> None:
    command = ["/opt/ffmpeg", "-i", "file:/a b/it's.mov", "-x", "", "a\nb'\\\x1b9.mov"]
    assert shell_words(command) == (
        "/opt/ffmpeg -i 'file:/a b/it'\"'\"'s.mov' -x '' $'a\\012b\\'\\\\\\0339.mov'"
    )


def test_a_long_command_goes_on_in_lines_that_a_shell_joins() -> None:
    command = ["/opt/ffmpeg", "-nostdin", "-i", "file:/media/A 001/C001.mov", "-f", "mov", "out"]
    assert list(shell_lines(command, 24)) == [
        "/opt/ffmpeg -nostdin \\",
        "  -i \\",
        "  'file:/media/A 001/'\\",
        "C001.mov -f mov out",
    ]


@pytest.mark.parametrize("cells", [12, 40, 200])
@given(words=WORDS.filter(bool))
def test_no_line_is_too_wide_and_the_shell_gets_the_same_words(
    cells: int, words: list[str]
) -> None:
    lines = list(shell_lines(words, cells))
    assert shlex.split("\n".join(lines).replace("\\\n", "")) == words
    assert max(map(cell_len, lines)) <= max(cells, 12)


def test_bytes_that_are_no_text_are_spelled_out() -> None:
    (line,) = shell_lines(["bad-\udce9.mov"], 80)
    assert line == "$'bad-\\351.mov'"
