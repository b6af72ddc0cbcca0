from __future__ import annotations

from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.matching.fragments import common, joined
from karat.matching.sweep import candidates, number_overlapping, overlapping


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


class Mark(NamedTuple):
    start: int
    end: int
    spans: tuple[tuple[int, int], ...]


def mark(*spans: tuple[int, int]) -> Mark:
    places = joined(spans)
    return Mark(places[0][0], places[-1][1], places)


PLACES = st.tuples(st.integers(0, 12), st.integers(1, 5)).map(lambda one: (one[0], one[0] + one[1]))
marks = st.lists(st.lists(PLACES, min_size=1, max_size=3).map(lambda spans: mark(*spans)), max_size=8).map(sorted)


def positions(item: Mark) -> set[int]:
    return {at for start, end in item.spans for at in range(start, end)}


@given(marks, marks)
def test_candidates_share_a_position(gold: list[Mark], system: list[Mark]) -> None:
    expected = [
        [at for at, other in enumerate(gold) if positions(item).intersection(positions(other))] for item in system
    ]
    assert candidates(gold, system) == expected
    assert number_overlapping(gold, system) == sum(map(len, overlapping(gold, system)))
    for item, other in zip(gold, system, strict=False):
        assert common(item.spans, other.spans) == len(positions(item).intersection(positions(other)))


def test_a_crowd_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    crowd = [mark((at, at + 100)) for at in range(50)]
    monkeypatch.setattr("karat.matching.sweep.MOST_CANDIDATES", 100)
    monkeypatch.setenv("KARAT_LIMITS", "25")
    assert max(map(len, candidates(crowd, crowd))) == 50
    monkeypatch.delenv("KARAT_LIMITS")
    rows = candidates(crowd, crowd)
    assert max(map(len, rows)) <= 16
    assert all(at in row for at, row in enumerate(rows))
