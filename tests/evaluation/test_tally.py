from __future__ import annotations

import pickle
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.evaluation.tally import Group, Tallies, Tally, add, concatenate

groups = st.builds(Group, st.just("NE"), st.sampled_from(["", "late"]), st.sampled_from([None, "LOC", "PER"]))
tallies = st.dictionaries(groups, st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=4)


@given(st.lists(st.tuples(tallies, st.integers(0, 3)), max_size=5))
def test_a_weight_is_a_repetition(weighted: list[tuple[Tally, int]]) -> None:
    repeated = [tally for tally, weight in weighted for _ in range(weight)]
    found = add([tally for tally, _ in weighted], [weight for _, weight in weighted])
    assert {group: counts for group, counts in found.items() if group in add(repeated)} == add(repeated)
    assert not any(any(found[group]) for group in found.keys() - add(repeated).keys())


@given(st.lists(tallies, max_size=5), st.integers(0, 5))
def test_sums_of_parts_are_the_sum(parts: list[Tally], cut: int) -> None:
    assert add([add(parts[:cut]), add(parts[cut:])]) == add(parts)


def test_adding_leaves_the_summands_alone() -> None:
    one: Tally = {Group("NE"): (1, 2)}
    add([one, one])
    assert one == {Group("NE"): (1, 2)}


def test_every_tally_needs_a_weight() -> None:
    with pytest.raises(ValueError, match="zip"):
        add([{Group(): (1,)}], [])


def test_tallies_travel() -> None:
    whole = Tallies(["a", "b"], [{Group("NE"): (1, 0)}, {Group("NE", label="LOC"): (0, 2)}])
    assert pickle.loads(pickle.dumps(whole)) == whole  # noqa: S301 - our own bytes
    assert whole.total() == {Group("NE"): (1, 0), Group("NE", label="LOC"): (0, 2)}
    assert list(whole.of(Group("NE", label="LOC"))) == [(0, 2)]
    assert list(whole.of(Group("none"))) == []


mixed = st.dictionaries(groups, st.tuples(st.integers(-400, 70_000), st.integers(0, 9) | st.floats(0, 1)), max_size=4)


@given(st.lists(mixed, max_size=12), st.lists(st.integers(0, 12), max_size=3))
def test_concatenated_tables_are_the_table_of_all(rows: list[Tally], cuts: list[int]) -> None:
    names = [str(index) for index in range(len(rows))]
    whole = Tallies(names, rows)
    edges = [0, *sorted(cuts), len(rows)]
    together = concatenate(Tallies(names[low:high], rows[low:high]) for low, high in pairwise(edges))
    assert repr(together) == repr(whole) == f"Tallies({names!r}, {rows!r})"
    assert repr(together.total()) == repr(whole.total())
    assert together.groups == whole.groups


@given(st.lists(mixed, max_size=8), st.randoms(use_true_random=False))
def test_some_units_are_the_table_of_those(rows: list[Tally], random: Random) -> None:
    names = [str(index) for index in range(len(rows))]
    chosen = random.sample(range(len(rows)), k=random.randint(0, len(rows)))
    some = Tallies(names, rows).at(chosen)
    expected = Tallies([names[index] for index in chosen], [rows[index] for index in chosen])
    assert (repr(some), some.groups, repr(some.total())) == (repr(expected), expected.groups, repr(expected.total()))


def test_many_tallies_are_moved_into_columns() -> None:
    rows: list[Tally] = [{Group(): (index, index / 2 if index % 500 == 3 else index)} for index in range(1000)]
    table = Tallies(map(str, range(1000)), rows)
    assert repr(table.rows) == repr(rows)
    assert table.columns[0].numbers.typecode == "h"
    unit, code, counts = table.arrays()
    assert unit.tolist() == list(range(1000))
    assert set(code.tolist()) == {0}
    assert counts[3].tolist() == [3.0, 1.5]
