from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st
from tests.work import growth

from karat.matching.greedy import best_first, equal, first_come, first_free, transposed
from karat.matching.sweep import first_overlapping

candidates = st.lists(st.lists(st.integers(0, 5), unique=True, max_size=4).map(sorted), max_size=5)


Item = namedtuple("Item", "start end keys")
items = st.lists(
    st.builds(
        lambda start, length, keys: Item(start, start + length, sorted((start, length, key) for key in keys)),
        st.integers(0, 5),
        st.integers(1, 4),
        st.sets(st.sampled_from("abc"), min_size=1),
    ),
    max_size=6,
).map(sorted)


@given(items, items)
def test_first_come_is_what_looking_at_every_pair_finds(gold: list[Item], system: list[Item]) -> None:
    expected: dict[int, int] = {}
    for index, item in enumerate(system):
        free = [at for at, one in enumerate(gold) if at not in expected.values()]
        exact = [at for at in free if gold[at].keys[0] in item.keys]
        met = [at for at in free if gold[at].start < item.end and item.start < gold[at].end]
        if met:
            expected[index] = (exact + met)[0]
    assert first_come(gold, system, [one.keys[0] for one in gold], [one.keys for one in system]) == expected


@given(items, items)
def test_first_overlapping_is_what_looking_at_every_pair_finds(gold: list[Item], system: list[Item]) -> None:
    for golds in (gold, gold[::-1]):
        met = [
            [at for at, gold in enumerate(golds) if gold.start < item.end and item.start < gold.end] for item in system
        ]
        assert first_overlapping(golds, system) == [next(iter(row), None) for row in met]
        assert first_overlapping(golds, system[::-1]) == [next(iter(row), None) for row in met[::-1]]


def many_at_one_place(number: int) -> list[Item]:
    return [Item(0, 4, [(0, 4, str(index))]) for index in range(number)]


def test_pairing_many_items_at_one_place_is_linear() -> None:
    def first(number: int) -> Callable[[], object]:
        gold, system = many_at_one_place(number), many_at_one_place(2 * number)[number:]
        keys = [[item.keys for item in side] for side in (gold, system)]
        return lambda: first_come(gold, system, [key[0] for key in keys[0]], keys[1])

    def over(number: int) -> Callable[[], object]:
        return lambda: first_overlapping(many_at_one_place(number), many_at_one_place(number))

    assert growth(first, 200) < 2.3
    assert growth(over, 200) < 2.5


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
    first = first_free(candidates)
    assert all(set(golds) <= set(first.values()) for system, golds in enumerate(candidates) if system not in first)
    pairs = first_free(candidates, {0: 5})
    assert pairs[0] == 5
    assert all(set(golds) <= set(pairs.values()) for system, golds in enumerate(candidates) if system not in pairs)


@given(candidates)
def test_who_could_be_paired_from_the_other_side(candidates: list[list[int]]) -> None:
    assert transposed(transposed(candidates, golds=6), golds=len(candidates)) == candidates
