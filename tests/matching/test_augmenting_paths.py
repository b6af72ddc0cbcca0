"""Candidates as sets of bits."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from karat.matching.augmenting_paths import most_pairs_of_bits

rows_of_bits = st.lists(st.integers(0, 31), min_size=1, max_size=5)


@given(rows_of_bits, st.data())
def test_pairs_are_the_most_there_are(rows: list[int], data: st.DataObject) -> None:
    pairs = most_pairs_of_bits(rows, {}, most=100)
    assert all(rows[system] >> gold & 1 for system, gold in pairs.items())
    assert len(set(pairs.values())) == len(pairs)
    order = data.draw(st.permutations(range(len(rows))))
    assert len(most_pairs_of_bits([rows[index] for index in order], {}, most=100)) == len(pairs)


@given(rows_of_bits)
def test_beyond_the_bound_there_are_at_least_half_as_many(rows: list[int]) -> None:
    assert 2 * len(most_pairs_of_bits(rows, {}, most=0)) >= len(most_pairs_of_bits(rows, {}, most=100))
