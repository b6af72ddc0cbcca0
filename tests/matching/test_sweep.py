from __future__ import annotations

from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from karat.matching.sweep import overlapping


class Range(NamedTuple):
    start: int
    end: int


ranges = st.lists(
    st.tuples(st.integers(0, 12), st.integers(1, 5)).map(lambda one: Range(one[0], one[0] + one[1])), max_size=8
).map(sorted)


@given(ranges, ranges)
def test_the_sweep_finds_what_comparing_all_pairs_finds(gold: list[Range], system: list[Range]) -> None:
    found = overlapping(gold, system)
    for item, indices in zip(system, found, strict=True):
        assert indices == [
            index for index, other in enumerate(gold) if max(item.start, other.start) < min(item.end, other.end)
        ]


def test_touching_is_not_overlapping() -> None:
    assert overlapping([Range(0, 2), Range(2, 4)], [Range(2, 3)]) == [[1]]
