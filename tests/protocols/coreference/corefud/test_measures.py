from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.protocols.coreference.corefud.build import counts

from karat.model import Mention, Span
from karat.protocols.coreference.corefud.marks import Mark, runs_of
from karat.protocols.coreference.corefud.measures import overlap

GOLD = "Ada|(e1) and Bo|(e2) came _|(e1)|4:nsubj and went _|(e2)|6:nsubj"


@pytest.mark.parametrize(
    ("system", "expected"),
    [
        (GOLD, (2, 2, 2, 2)),
        ("Ada|(e1) and Bo|(e2) came _|(e2)|4:nsubj and went _|(e1)|6:nsubj", (0, 2, 0, 2)),  # linked wrongly
        ("Ada|(e1) and Bo|(e2) came and went _|(e2)|6:nsubj", (1, 2, 1, 1)),  # one is missed
        ("Ada and Bo|(e2) came _|(e1)|4:nsubj and went _|(e2)|6:nsubj", (1, 2, 1, 1)),  # first of its chain
        ("Ada|(e1) _|(e1)|1:obj and Bo|(e2) came and went _|(e2)|6:nsubj", (1, 2, 1, 2)),  # another zero
    ],
)
def test_zero_anaphors(system: str, expected: tuple[int, ...]) -> None:
    assert counts(GOLD, system, "zero", singletons="keep") == expected


def test_words_are_no_zero_anaphors() -> None:
    assert counts("Ada|(e1) saw herself|(e1)", "Ada|(e1) saw herself|(e1)", "zero") == (0, 0, 0, 0)


ranges = st.tuples(st.integers(0, 8), st.integers(1, 4)).map(lambda one: (one[0], one[0] + one[1]))
mentions = st.lists(st.lists(ranges, min_size=1, max_size=2), max_size=4)


def words(spans: list[Span]) -> set[int]:
    return {word for span in spans for word in range(*span)}


def marks(side: list[list[Span]]) -> list[Mark]:
    return [Mark(runs_of(spans), 0, Mention("m", ((0, 1),))) for spans in side]


@given(mentions, mentions)
def test_as_many_shared_words_as_possible(gold: list[list[Span]], system: list[list[Span]]) -> None:
    padded = [*(words(one) for one in system), *([set[int]()] * len(gold))]
    best = max(
        sum(len(words(one) & other) for one, other in zip(gold, order, strict=False))
        for order in permutations(padded, len(gold))
    )
    sizes = [sum(len(words(one)) for one in side) for side in (gold, system)]
    assert overlap(marks(gold), marks(system)) == (best, sizes[0], best, sizes[1])


def test_a_mention_that_stands_ten_thousand_times_is_no_work() -> None:
    many = marks([[(0, 3)]]) * 10_000
    assert overlap(many, many) == (30_000, 30_000, 30_000, 30_000)
