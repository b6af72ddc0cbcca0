from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.formats.parts.literals import NotALiteralError, parse_list

SCALARS = st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.floats(allow_nan=False, allow_infinity=False)
LISTS = st.lists(st.recursive(SCALARS | st.text(max_size=5), lambda inner: st.lists(inner, max_size=3), max_leaves=8))


@given(LISTS)
def test_what_python_writes_is_read(value: list) -> None:
    assert parse_list(repr(value)) == value


@given(st.text("[](),'\" 019.-eNoneTru\\x", max_size=12))
def test_nothing_is_read_that_python_does_not_read_alike(text: str) -> None:
    try:
        found = parse_list(text)
    except NotALiteralError:
        return
    assert found == _as_lists(ast.literal_eval(text.strip())) or "(" in text


def _as_lists(value: object) -> object:
    return [_as_lists(one) for one in value] if isinstance(value, list | tuple) else value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "it is not a list"),
        ("5", "it is not a list"),
        ("[1, 2", "the list is not closed"),
        ("[1)", "')' closes nothing"),
        ("[1 2]", "there is no comma before '2'"),
        ("[,]", "there is nothing before a comma"),
        ("[[0]] [1]", "there is no comma before '['"),
        ("[" * 100_000, "lists are nested more than 16 deep"),
        ("[" + "9" * 100_000 + "]", "the number 9999999999… has 100000 digits"),
        ("[007]", "the number 007 begins with 0"),
        ("[__import__('os')]", "\"__import__('os')]\" is not part of a list"),
        ("[1, 2 ** 99]", "'** 99]' is not part of a list"),
        ("['\\x']", "'\\x' is no text"),
        ("['a", '"\'a" is not part of a list'),
        ("-" * 100_000 + "1", "is not part of a list"),
    ],
)
def test_refused(text: str, message: str) -> None:
    with pytest.raises(NotALiteralError) as error:
        parse_list(text)
    assert message in str(error.value)
