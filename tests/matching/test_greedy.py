from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from karat.matching.greedy import best_first, equal, first_come, first_free, turned

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


@given(st.text("abc", max_size=6), st.text("abc", max_size=6))
def test_equal_keys_pair_as_many_as_both_sides_have(gold: str, system: str) -> None:
    pairs = equal(enumerate(gold), enumerate(system))
    assert all(gold[partner] == system[index] for index, partner in pairs.items())
    for key in "abc":
        partners = [partner for index, partner in pairs.items() if system[index] == key]
        assert partners == sorted(partners)
        assert len(partners) == min(gold.count(key), system.count(key))


@given(candidates)
def test_the_first_one_free_leaves_nobody_who_could_be_paired(candidates: list[list[int]]) -> None:
    assert first_free(candidates) == first_come(candidates, lambda system, gold: False)
    pairs = first_free(candidates, {0: 5})
    assert pairs[0] == 5
    assert all(set(golds) <= set(pairs.values()) for system, golds in enumerate(candidates) if system not in pairs)


@given(candidates)
def test_who_could_be_paired_from_the_other_side(candidates: list[list[int]]) -> None:
    assert turned(turned(candidates, golds=6), golds=len(candidates)) == candidates
