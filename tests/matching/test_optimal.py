"""Optimal pairing against exhaustive search, its independence of order, and the rule for large components."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from heapq import heappush
from typing import Any

import pytest
import scipy.sparse.csgraph  # noqa: F401 - loaded before a test has a deadline
from hypothesis import given
from hypothesis import strategies as st

from karat.matching import optimal as module
from karat.matching.augmenting_paths import augmented, most_pairs
from karat.matching.optimal import optimal, without_choice

Weights = dict[tuple[int, int], Any]
CELLS = st.tuples(st.integers(0, 4), st.integers(0, 4))
WEIGHTS = st.dictionaries(CELLS, st.integers(0, 6), max_size=14)
TUPLES = st.dictionaries(CELLS, st.tuples(st.integers(0, 2), st.integers(0, 3)), max_size=12)


def rows(weights: Weights) -> list[list[int]]:
    return [[gold for one, gold in weights if one == system] for system in range(5)]


def solve(weights: Weights, *, most_pairs: bool = False) -> dict[int, int]:
    return optimal(rows(weights), lambda system, gold: weights[system, gold], most_pairs=most_pairs)


def pairings(weights: Weights, system: int = 0, used: frozenset[int] = frozenset()) -> Iterator[list[Any]]:
    """Yield the weights of every one-to-one pairing."""
    if system == 5:
        yield []
        return
    yield from pairings(weights, system + 1, used)
    for (one, gold), weight in weights.items():
        if one == system and gold not in used:
            for rest in pairings(weights, system + 1, used | {gold}):
                yield [weight, *rest]


def taken(weights: Weights, pairs: dict[int, int]) -> list[Any]:
    assert len(set(pairs.values())) == len(pairs)
    return [weights[pair] for pair in pairs.items()]


def by_place(tuples: list[tuple[int, int]]) -> tuple[int, int]:
    return sum(one for one, _ in tuples), sum(two for _, two in tuples)


@given(WEIGHTS)
def test_no_pairing_is_heavier(weights: Weights) -> None:
    assert sum(taken(weights, solve(weights))) == max(map(sum, pairings(weights)))


@given(TUPLES)
def test_tuples_are_compared_place_by_place(weights: Weights) -> None:
    assert by_place(taken(weights, solve(weights))) == max(map(by_place, pairings(weights)))


@given(TUPLES)
def test_most_pairs_come_before_any_weight(weights: Weights) -> None:
    found = taken(weights, solve(weights, most_pairs=True))
    expected = max((len(pairing), by_place(pairing)) for pairing in pairings(weights))
    assert (len(found), by_place(found)) == expected


@given(st.data(), WEIGHTS)
def test_the_order_of_the_candidates_makes_no_difference(data: st.DataObject, weights: Weights) -> None:
    shuffled = dict(data.draw(st.permutations(list(weights.items()))))
    assert solve(shuffled) == solve(weights)


@given(WEIGHTS)
def test_fractions_are_solved_exactly(weights: Weights) -> None:
    thirds = {pair: Fraction(weight, 3) for pair, weight in weights.items()}
    assert solve(thirds) == solve(weights)


@pytest.mark.parametrize("number", [1, 1.0, (1, 1)])
def test_ties_go_to_the_earlier_items(number: Any) -> None:
    assert optimal([[1, 0], [1, 0], [1, 0]], lambda *_: number) == {0: 0, 1: 1}
    assert optimal([[2, 1, 0]], lambda *_: number) == {0: 0}


def test_a_light_pair_is_given_up_for_a_heavy_one() -> None:
    weights = {(0, 0): 1, (1, 0): 9, (1, 1): 1}
    assert solve(weights) == {1: 0}
    assert solve(weights, most_pairs=True) == {0: 0, 1: 1}


@given(WEIGHTS)
def test_large_components_keep_their_promises(weights: Weights) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "LIMIT", 0)
        greedy, most = solve(weights), solve(weights, most_pairs=True)
    assert 2 * sum(taken(weights, greedy)) >= max(map(sum, pairings(weights)))
    assert len(taken(weights, most)) == max(map(len, pairings(weights)))


@given(st.one_of(WEIGHTS, st.dictionaries(CELLS, st.fractions(0, 6, max_denominator=8).map(float), max_size=14)))
def test_scipy_and_the_own_solver_find_the_same_weight(weights: Weights) -> None:
    ours = solve(weights)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "LIMIT", 0)
        theirs = solve(weights)
    assert sum(taken(weights, theirs)) == pytest.approx(sum(taken(weights, ours)))


@given(TUPLES)
def test_scipy_solves_tuples_and_most_pairs_exactly(weights: Weights) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "LIMIT", 0)
        heaviest, most = taken(weights, solve(weights)), taken(weights, solve(weights, most_pairs=True))
    assert by_place(heaviest) == max(map(by_place, pairings(weights)))
    assert (len(most), by_place(most)) == max((len(pairing), by_place(pairing)) for pairing in pairings(weights))


def test_scipy_is_asked_only_beyond_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    own = module._assigned_by_scipy
    monkeypatch.setattr(module, "_assigned_by_scipy", lambda edges: asked.append(len(edges)) or own(edges))
    square = [[0, 1], [0, 1]]
    monkeypatch.setattr(module, "LIMIT", 8)
    assert optimal(square, lambda one, two: one + two) == {0: 0, 1: 1}
    assert asked == []
    monkeypatch.setattr(module, "LIMIT", 7)
    assert optimal(square, lambda one, two: one * two) == {0: 0, 1: 1}
    assert asked == [2]


def test_sums_beyond_floats_are_paired_heaviest_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LIMIT", 0)
    weights = {(0, 0): (9, 2**53), (0, 1): (8, 0), (1, 0): (8, 0)}
    assert solve(weights) == {0: 0}
    assert solve(weights, most_pairs=True) == {0: 1, 1: 0}


@given(st.data(), WEIGHTS)
def test_augmenting_keeps_who_is_paired(data: st.DataObject, weights: Weights) -> None:
    start = (
        dict(data.draw(st.lists(st.sampled_from(sorted(weights)), unique_by=(lambda p: p[0], lambda p: p[1]))))
        if weights
        else {}
    )
    pairs = augmented(rows(weights), start)
    assert len(taken(weights, pairs)) == max(map(len, pairings(weights)))
    assert start.keys() <= pairs.keys()
    assert set(start.values()) <= set(pairs.values())
    assert len(most_pairs(rows(weights))) == len(pairs)


@given(WEIGHTS)
def test_pairs_without_a_choice_are_in_every_pairing(weights: Weights) -> None:
    alone, others = without_choice(rows(weights))
    assert solve(weights) == dict(sorted((alone | optimal(others, lambda *pair: weights[pair])).items()))


def test_a_long_chain_is_not_recursive() -> None:
    size = 20_000
    chain = [[at, at + 1] for at in range(size - 1)] + [[size - 1]]
    assert augmented(chain, {at: at + 1 for at in range(size - 1)}) == {at: at for at in range(size)}


def test_work_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = 0

    def counted(heap: list[Any], item: Any) -> None:
        nonlocal steps
        steps += 1
        heappush(heap, item)

    monkeypatch.setattr(module, "heappush", counted)
    for size in (100, 400):
        dense = [list(range(size)) for _ in range(size)]
        assert len(optimal(dense, lambda one, two: one * two % 97, most_pairs=True)) == size
    assert 0 < steps <= 100 * 100**2  # the larger one is solved by SciPy
