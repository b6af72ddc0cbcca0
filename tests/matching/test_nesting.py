"""Ranges inside of each other: the same partners and numbers as by looking at every pair, with less work."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.work import growth

from karat.matching.nesting import Nest, number_nested
from karat.model import Span

SPANS = st.tuples(st.integers(0, 6), st.integers(1, 5)).map(lambda pair: (pair[0], sum(pair)))
RANGES = st.lists(SPANS, max_size=9).map(sorted)


def are_nested(one: Span, two: Span) -> bool:
    return (one[0] <= two[0] and two[1] <= one[1]) or (two[0] <= one[0] and one[1] <= two[1])


@given(RANGES, st.lists(SPANS, max_size=9))
def test_the_first_free_partner_is_found(ranges: list[Span], spans: list[Span]) -> None:
    nest, free = Nest(ranges), dict(enumerate(ranges))
    for span in spans:
        partners = [place for place, other in free.items() if are_nested(span, other)]
        assert list(nest.meeting(span)) == partners
        assert nest.first(span) == next(iter(partners), None)
        if partners:
            nest.take(partners[0])
            del free[partners[0]]


@given(RANGES, RANGES)
def test_nested_pairs_are_counted(gold: list[Span], system: list[Span]) -> None:
    assert number_nested(gold, system) == sum(are_nested(one, two) for one in gold for two in system)


def nested(size: int) -> list[Span]:
    return [(0, end) for end in range(1, size + 1)]


def crossing(size: int) -> list[Span]:
    return [(start, start + size) for start in range(size)]


@pytest.mark.parametrize("shape", [nested, crossing])
def test_the_work_is_near_linear(shape: Callable[[int], list[Span]]) -> None:
    def work(size: int) -> Callable[[], object]:
        ranges = shape(size)

        def pair() -> int:
            nest = Nest(ranges)
            for span in ranges:
                place = nest.first(span)
                if place is not None:
                    nest.take(place)
            return number_nested(ranges, ranges)

        return pair

    assert growth(work, 200) < 2.5
