"""Offsets in characters, UTF-16 units, bytes, graphemes, and with line ends of two characters counted once."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.errors import InputError, MissingExtraError
from karat.formats.parts.offset_units import Offsets, Stated, Unit, mismatch, placed, proven

TEXTS = st.text(st.sampled_from("aé€😀\r\n\u0301\u200d"), min_size=1, max_size=12)


@given(TEXTS, st.data())
def test_offsets_lead_back_to_the_characters_that_were_counted(text: str, data: st.DataObject) -> None:
    start, end = sorted(data.draw(st.tuples(st.integers(0, len(text)), st.integers(0, len(text)))))
    if start == end:
        return
    counts = {
        "point": len,
        "utf16": lambda part: len(part.encode("utf-16-le")) // 2,
        "byte": lambda part: len(part.encode()),
    }
    for unit, count in counts.items():
        offsets = Offsets(text, unit)  # type: ignore[arg-type]
        assert offsets.span(count(text[:start]), count(text[:end])) == (start, end)


def test_a_line_end_of_two_characters_counts_once() -> None:
    assert Offsets("\r\nab\r\nc", "line-end").span(1, 3) == (2, 4)
    assert Offsets("\r\nab\r\nc", "line-end").span(4, 5) == (6, 7)


def test_graphemes_need_a_package(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("regex")
    assert Offsets("👩🏽‍🌾 Rosa", "grapheme").span(2, 6) == (5, 9)
    monkeypatch.setitem(sys.modules, "regex", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'karat\[graphemes\]'"):
        Offsets("x", "grapheme")


@pytest.mark.parametrize(
    ("unit", "start", "end", "reason"),
    [
        ("point", -1, 2, "outside of the text, which has 3 characters"),
        ("point", 0, 4, "outside"),
        ("point", 10**30, 10**31, "outside"),
        ("point", 2, 1, "ends before it begins"),
        ("point", 1, 1, "is empty"),
        ("utf16", 1, 3, "inside of a character, if it counts UTF-16 units"),
        ("byte", 0, 3, "inside of a character, if it counts bytes"),
    ],
)
def test_offsets_that_lead_nowhere_are_named(unit: Unit, start: int, end: int, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        Offsets("😀ab", unit).span(start, end)


def test_the_unit_is_the_first_under_which_all_stated_texts_are_found() -> None:
    text = "é😀 Ana"
    assert proven(text, [Stated("a", ((3, 6),), "Ana")]) == "point"
    assert proven(text, [Stated("a", ((4, 7),), "Ana"), Stated("b", ((0, 1),), "é")]) == "utf16"
    assert proven(text, [Stated("a", ((7, 10),), "Ana"), Stated("b", ((0, 2),), "é")]) == "byte"
    assert proven(text, [Stated("a", ((4, 7),), "Ana"), Stated("b", ((0, 2),), "é")]) is None
    assert proven(text, [Stated("a", ((90, 99),), None)]) == "point", "nothing is stated"
    assert "its text is 'Bob', but at 3-6 stands 'Ana'" in mismatch(text, Stated("a", ((3, 6),), "Bob"))
    assert mismatch(text, Stated("a", ((3, 6),), "Ana")) == ""


def test_fragments_stand_in_order() -> None:
    with pytest.raises(InputError, match="mention 'a': its spans overlap or are out of order"):
        placed(Stated("a", ((2, 3), (0, 1)), None), Offsets("abc"))
