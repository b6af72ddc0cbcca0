"""Pairs of mentions in several chains: as many as if they were listed, and refused where that takes too long."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.errors import InputError
from karat.measures.links import are_countable, chains_of, linked

Chains = list[list[int]]
CHAINS = st.lists(st.lists(st.integers(0, 7), max_size=8), max_size=9)


def pairs(chains: Chains) -> set[frozenset[int]]:
    return {frozenset(pair) for chain in chains for pair in combinations(set(chain), 2)}


@given(CHAINS, CHAINS)
def test_pairs_that_meet_are_counted_once(gold: Chains, system: Chains) -> None:
    ours, theirs = pairs(gold), pairs(system)
    assert linked(chains_of(gold), chains_of(system)) == (len(ours), len(theirs), len(ours & theirs))


def test_what_takes_too_long_is_refused() -> None:
    mixed = [[mention for mention in range(8000) if mention >> bit & 1] for bit in range(13)]
    with pytest.raises(InputError, match=r"BLANC takes [0-9,]+ steps, more than 30,000,000; remove the repetitions"):
        linked(chains_of(mixed), chains_of(mixed[:1]))
    assert not are_countable(mixed, mixed[:1])
    assert are_countable([list(range(100_000))], mixed[:1])
