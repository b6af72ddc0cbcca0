from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from karat.vocabularies.ontology.kgtk import equal, split, usual_keys
from karat.vocabularies.ontology.names import usual_key

words = st.one_of(
    st.from_regex(r"[@A-Z\[a][0-9:/]{0,18}", fullmatch=True),
    st.text(st.characters(exclude_characters="\t\n", codec="utf-8"), max_size=5),
)
tables = st.integers(1, 3).flatmap(
    lambda columns: st.lists(st.lists(words, min_size=columns, max_size=columns), min_size=1, max_size=8)
)


@given(tables)
def test_keys_are_those_of_the_names(table: list[list[str]]) -> None:
    lines = split("".join("\t".join(row) + "\n" for row in table), len(table[0]))
    assert lines is not None
    for column in range(len(table[0])):
        assert [lines.text(row, column) for row in range(len(table))] == [row[column] for row in table]
        expected = [usual_key(row[column]) for row in table]
        keys = usual_keys(lines, np.arange(len(table)), column).tolist()
        assert keys == [-1 if key is None else key for key in expected]
        for word in ("", table[0][column]):
            assert equal(lines, column, word).tolist() == [row[column] == word for row in table]


@given(st.lists(st.integers(1, 4), min_size=1, max_size=6))
def test_uneven_lines_have_no_fields(sizes: list[int]) -> None:
    text = "".join("\t" * (size - 1) + "\n" for size in sizes)
    assert (split(text, 3) is not None) == (set(sizes) == {3})
