from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from karat.matching.greedy import best_first, first_come

candidates = st.lists(st.lists(st.integers(0, 5), unique=True, max_size=4).map(sorted), max_size=5)


@given(candidates, st.sets(st.tuples(st.integers(0, 4), st.integers(0, 5))))
def test_first_come_pairs_one_to_one_and_leaves_nobody_who_could_be_paired(
    candidates: list[list[int]], exact: set[tuple[int, int]]
) -> None:
    pairs = first_come(candidates, lambda system, gold: (system, gold) in exact)
    assert len(set(pairs.values())) == len(pairs)
    for system, golds in enumerate(candidates):
        if system in pairs:
            assert pairs[system] in golds
        else:
            assert set(golds) <= set(pairs.values())


@given(candidates, st.data())
def test_no_pair_of_best_first_could_be_replaced_by_a_cheaper_free_one(
    candidates: list[list[int]], data: st.DataObject
) -> None:
    costs = {(s, g): data.draw(st.integers(0, 3)) for s, golds in enumerate(candidates) for g in golds}
    pairs = best_first(candidates, lambda system, gold: costs[system, gold])
    takers = {gold: system for system, gold in pairs.items()}
    assert len(takers) == len(pairs)
    for (system, gold), cost in costs.items():
        rivals = [costs[system, pairs[system]]] if system in pairs else []
        rivals += [costs[takers[gold], gold]] if gold in takers else []
        assert rivals
        assert min(rivals) <= cost


def test_ties_go_to_the_earlier_ones() -> None:
    assert best_first([[0, 1], [0, 1]], lambda system, gold: 0) == {0: 0, 1: 1}
