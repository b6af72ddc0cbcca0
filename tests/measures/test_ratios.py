from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.measures.ratios import f1, f1_both, precision, recall, value

counts = st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9)).map(
    lambda one: (one[0], one[0] + one[1], one[0] + one[2])
)


@given(counts)
def test_f1_is_the_harmonic_mean(numbers: tuple[int, int, int]) -> None:
    p, r, f = (value(one(*numbers)) for one in (precision, recall, f1))
    if p and r:
        assert f == pytest.approx(2 * p * r / (p + r))
    else:
        assert f in (None, 0)
    assert (f is None) == (p is None and r is None)
    assert (value(f1_both(*numbers)) is None) == (p is None or r is None)


@given(st.lists(counts, min_size=1, max_size=5))
def test_a_formula_takes_arrays_as_well(numbers: list[tuple[int, int, int]]) -> None:
    columns = np.array(numbers, dtype=float).T
    for formula in (precision, recall, f1, f1_both):
        above, below = formula(*columns)
        for index, one in enumerate(numbers):
            wanted = formula(*one)
            assert (above[index], below[index]) == wanted
