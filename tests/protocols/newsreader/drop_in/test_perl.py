"""Values as Perl sees them."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.protocols.newsreader.drop_in.perl import at_most, behind, digits, entity_name, is_true, number, written


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12", 12),
        (" \t7", 7),
        ("-3x", -3),
        ("+4", 4),
        (".5", 0.5),
        ("1.", 1),
        ("1e2e3", 100),
        ("1e+", 1),
        ("0,5", 0),
        ("0x9", 0),
        ("1_000", 1),
        ("", 0),
        ("w3", 0),
        (None, 0),
        ("Infinity", math.inf),
        ("-inf", -math.inf),
    ],
)
def test_the_number_of_a_text(text: str | None, expected: float) -> None:
    assert number(text) == expected


def test_what_is_not_a_number_is_within_no_limit() -> None:
    assert math.isnan(number("nan"))
    assert not at_most("nan", 6)
    assert at_most("6", 6)
    assert not at_most("6.1", 6)


@given(st.integers(-(10**17), 10**17))
def test_whole_numbers_stay_exact(value: int) -> None:
    assert number(f"{value}abc") == value


@given(st.floats(allow_nan=False))
def test_any_number_is_read_back(value: float) -> None:
    assert number(repr(value)) == value


def test_true_texts() -> None:
    assert [is_true(text) for text in (None, "", "0", "0.0", " ", "00")] == [False, False, False, True, True, True]


def test_captures_end_with_the_line() -> None:
    assert (behind("w", "xw1w2"), behind("w", "w1\nw2"), behind("w", None)) == ("1w2", "1", None)
    assert (digits("t1.5"), digits("12"), digits("1t22"), digits("")) == ("1", None, "22", None)


@pytest.mark.parametrize(
    ("reference", "name"),
    [
        ("http://dbpedia.org/resource/Bern", "Bern"),
        ("http://es.dbpedia.org/resource/", ""),
        ("dbpedia:Bern", ""),
        ("http://dbpedia.org/a/b\n", "b"),
        ("http://dbpedia.org/a\nb", ""),
        ("http://wikidata.org/Q70", None),
        (None, None),
    ],
)
def test_the_name_of_an_entity(reference: str | None, name: str | None) -> None:
    assert entity_name(reference) == name


@given(st.text())
def test_a_line_is_latin1_or_utf8(line: str) -> None:
    plain = line.encode("utf-8", "ignore").decode("utf-8")
    encoding = "utf-8" if any(ord(character) > 255 for character in plain) else "latin-1"
    assert written(plain).decode(encoding) == plain
