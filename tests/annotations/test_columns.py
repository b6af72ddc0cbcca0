from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.annotations.columns import labelled_spans, links_in
from karat.annotations.tag_schemes import encode

chunks = st.lists(st.tuples(st.integers(0, 2), st.integers(1, 3), st.sampled_from(["LOC", "PERS.IND"])), max_size=5)


@given(chunks)
def test_what_is_written_as_iob2_is_read_back(drawn: list[tuple[int, int, str]]) -> None:
    found, position = [], 0
    for gap, size, label in drawn:
        found.append((position + gap, position + gap + size, label))
        position += gap + size
    assert [(start, end, label) for label, start, end in labelled_spans(encode(found, position, "IOB2"))] == found


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["O", "o"], []),
        (["I-loc", "I-LOC", "I-pers"], [("LOC", 0, 2), ("PERS", 2, 3)]),
        (["B-loc", "X-loc", "b-loc"], [("LOC", 0, 2), ("LOC", 2, 3)]),
        (["_", "O"], [("", 0, 1)]),
        (["B", "", "O"], [("", 0, 2)]),
        (["O", "_"], []),
    ],
)
def test_odd_cells(cells: list[str], expected: list[tuple[str, int, int]]) -> None:
    assert labelled_spans(cells) == expected


def test_links_stand_best_first_and_blanks_are_none() -> None:
    assert [link.target for link in links_in("Q1||NIL")] == ["Q1", "NIL"]
    assert [links_in(cell) for cell in ("", "_", "-")] == [(), (), ()]
