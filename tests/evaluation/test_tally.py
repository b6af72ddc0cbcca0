from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.evaluation.tally import Group, Tallies, Tally, add

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
    assert whole.of(Group("NE", label="LOC")) == [(1, (0, 2))]
