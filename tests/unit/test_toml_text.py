"""TOML as Proxima writes it."""

import tomllib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proxima.config.toml_text import toml_key, toml_line, toml_value

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
VALUES = st.recursive(
    TEXT | st.integers(-(2**63), 2**63 - 1) | st.booleans(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)


# Never a time: a busy machine is no fault.
@settings(deadline=None)
@given(TEXT, VALUES)
def test_what_is_written_is_read_back(key: str, value: object) -> None:
    line = toml_line(key, value)
    assert tomllib.loads(line) == {key: value}
    assert line.replace("\n", "").isprintable()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("", '""'),
        ("M:\\media", "'M:\\media'"),
        ("it's M:\\", '"it\'s M:\\\\"'),
        ("\x1b\x7f\u2028\n", '"\\u001b\\u007f\\u2028\\n"'),
        ("caf\udce9", '"caf\\udce9"'),
        (True, "true"),
        (("a", 1), '["a", 1]'),
        ({}, "{}"),
        ({"a b": "c"}, '{ "a b" = "c" }'),
    ],
)
def test_values_are_safe_to_print(value: object, text: str) -> None:
    assert toml_value(value) == text


def test_keys_have_quotes_only_where_they_need_them() -> None:
    assert [toml_key(key) for key in ("edit-07", "a.b", "", "é")] == [
        "edit-07",
        '"a.b"',
        '""',
        '"é"',
    ]


def test_a_long_list_takes_several_lines_of_at_most_100_columns() -> None:
    items = [f"item {n}" for n in range(40)]
    line = toml_line("items", items)
    assert max(map(len, line.splitlines())) <= 100
    assert tomllib.loads(line) == {"items": items}


def test_an_empty_list_stays_on_its_line_however_long_the_key() -> None:
    assert toml_line("k" * 200, []) == f"{'k' * 200} = []"
