from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from karat.vocabularies.ontology.ragged import chunks, distinct, find, offsets_of, take

rows = st.lists(st.lists(st.integers(0, 9), max_size=4), min_size=1, max_size=6)


@given(rows, st.data())
def test_rows_are_taken_whole(given_rows: list[list[int]], data: st.DataObject) -> None:
    flat = np.array([one for row in given_rows for one in row], np.int64)
    owners = np.array([number for number, row in enumerate(given_rows) for _ in row], np.int64)
    asked = data.draw(st.lists(st.integers(0, len(given_rows) - 1), max_size=5))
    at, of = take(offsets_of(owners, len(given_rows)), np.array(asked, np.int64))
    assert flat[at].tolist() == [one for row in asked for one in given_rows[row]]
    assert of.tolist() == [place for place, row in enumerate(asked) for _ in given_rows[row]]


@given(st.lists(st.integers(-5, 5)), st.lists(st.integers(-6, 6)))
def test_what_is_found_is_there(numbers: list[int], wanted: list[int]) -> None:
    keys = distinct(np.array(numbers, np.int64))
    assert keys.tolist() == sorted(set(numbers))
    for number, place in zip(wanted, find(keys, np.array(wanted, np.int64)).tolist(), strict=True):
        assert (number in numbers) == (place >= 0)
        assert place < 0 or keys[place] == number


@given(st.lists(st.integers(0, 9)), st.integers(1, 20))
def test_chunks_cover_all_rows_and_are_small(lengths: list[int], most: int) -> None:
    runs = chunks(np.array(lengths, np.int64), most)
    assert [row for run in runs for row in range(run.start, run.stop)] == list(range(len(lengths)))
    assert all(sum(lengths[run]) <= most or run.stop - run.start == 1 for run in runs)
