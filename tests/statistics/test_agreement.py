"""Agreement of judges: what holds for all answers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.statistics.agreement import cohen, fleiss, krippendorff, percent

ANSWERS = st.integers(2, 12).flatmap(
    lambda units: st.lists(st.lists(st.sampled_from([0, 1, 2]), min_size=units, max_size=units), min_size=2, max_size=4)
)


@given(ANSWERS, st.randoms())
def test_neither_the_order_of_judges_nor_of_units_matters(answers: list[list[int]], chance) -> None:
    shuffled = [list(unit) for unit in zip(*answers, strict=True)]
    chance.shuffle(shuffled)
    again = [list(judge) for judge in zip(*shuffled, strict=True)]
    chance.shuffle(again)
    for measure in (percent, fleiss, krippendorff, lambda rows: krippendorff(rows, "ordinal")):
        assert measure(answers) == pytest.approx(measure(again))


@given(ANSWERS)
def test_equal_judges_agree(answers: list[list[int]]) -> None:
    first = answers[0]
    assert percent([first, first]) == 1
    expected = None if len(set(first)) == 1 else pytest.approx(1)
    assert cohen(first, first, [0, 1, 2]) == expected
    assert fleiss([first, first]) == expected
    assert krippendorff([first, first], "interval") == expected


def test_units_with_one_answer_say_nothing() -> None:
    assert percent([[1, None], [None, 2]]) is None
    assert krippendorff([[1, None], [None, 2]]) is None
    gaps = [[1, 2, 1, None], [1, 2, 2, 1]]
    assert krippendorff(gaps) == krippendorff([judge[:3] for judge in gaps])
