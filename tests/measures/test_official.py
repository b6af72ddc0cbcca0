"""Repeated mentions as the official scorer counts them: what it removes, what it keeps, and what that does."""

from __future__ import annotations

from collections.abc import Hashable
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.measures import coreference, official
from karat.measures.official import cleaned

Chains = list[list[Hashable]]
CHAINS = st.lists(st.lists(st.integers(0, 6), min_size=1, max_size=4), max_size=4)
WITHOUT_REPEATS = st.lists(st.integers(-1, 3), max_size=8).map(
    lambda places: [[m for m, chain in enumerate(places) if chain == one] for one in sorted({*places} - {-1})]
)


def official_counts(gold: Chains, system: Chains) -> list[coreference.Counts]:
    table = coreference.contingency(gold, system)
    alone = [coreference.identification(table), official.muc(table), official.b_cubed(table, gold, system)]
    ceaf_m = coreference.ceaf_m(table, coreference.aligned_by_mentions(table))
    return [*alone, ceaf_m, official.ceaf_e(table, coreference.aligned_by_likeness(table)), *links(gold, system)]


def links(gold: Chains, system: Chains) -> tuple[coreference.Counts, coreference.Counts]:
    return official.blanc(coreference.contingency(gold, system), gold, system)


@given(WITHOUT_REPEATS, WITHOUT_REPEATS)
def test_without_repeats_it_counts_as_everyone_does(gold: Chains, system: Chains) -> None:
    table = coreference.contingency(gold, system)
    expected = [measure(table) for measure in (coreference.identification, coreference.muc, coreference.b_cubed)]
    expected.append(coreference.ceaf_m(table, coreference.aligned_by_mentions(table)))
    expected.append(coreference.ceaf_e(table, coreference.aligned_by_likeness(table)))
    expected += coreference.blanc(table)
    for found, wanted in zip(official_counts(gold, system), expected, strict=True):
        assert found == pytest.approx(wanted)


@given(CHAINS, CHAINS)
def test_after_cleaning_no_known_mention_is_repeated(gold: Chains, system: Chains) -> None:
    after = cleaned(gold, system)
    known = {mention for chain in gold for mention in chain}
    left = [mention for chain in after.chains for mention in chain]
    assert all(left.count(mention) == 1 for mention in known & set(left))
    assert all(after.chains)
    assert len(left) + len(after.removed) == sum(map(len, system))
    assert [set(chain) <= set(system[at]) for chain, at in zip(after.chains, after.kept, strict=True)] == [True] * len(
        after.kept
    )


@given(CHAINS, CHAINS)
def test_cleaning_twice_changes_nothing(gold: Chains, system: Chains) -> None:
    once = cleaned(gold, system).chains
    assert cleaned(gold, once) == (once, list(range(len(once))), [])


@given(CHAINS, CHAINS)
def test_links_are_sets(gold: Chains, system: Chains) -> None:
    kept = cleaned(gold, system).chains
    sides = []
    for chains in (gold, kept):
        members = [(mention, at) for at, chain in enumerate(chains) for mention in chain]
        pairs = [(frozenset((one, two)), here == there) for (one, here), (two, there) in combinations(members, 2)]
        sides.append([{pair for pair, together in pairs if together is kind} for kind in (True, False)])
    for found, ours, theirs in zip(links(gold, kept), *sides, strict=True):
        assert found == (len(ours & theirs), len(ours), len(ours & theirs), len(theirs))


def test_an_invented_mention_stays_as_often_as_it_is_given() -> None:
    gold: Chains = [list("ab")]
    system = cleaned(gold, [list("abxx"), list("ax")]).chains
    assert system == [list("abxx"), ["x"]]
    mentions, muc, b_cubed, ceaf_m, *_ = official_counts(gold, system)
    assert (mentions, muc, b_cubed, ceaf_m) == ((2, 2, 2, 3), (1, 1, 1, 3), (2, 2, 1, 5), (2, 2, 2, 5))


def test_a_gold_that_repeats_a_mention_in_its_chain_can_be_found_more_than_once() -> None:
    gold: Chains = [list("aab"), list("cd")]
    system: Chains = [list("ab"), list("cd")]
    _, _, _, ceaf_m, ceaf_e, *_ = official_counts(gold, cleaned(gold, system).chains)
    assert ceaf_m == (5, 5, 5, 4)
    assert ceaf_e == pytest.approx((2.2, 2, 2.2, 2))


def test_a_gold_that_repeats_a_mention_in_another_chain_misses_its_own_links() -> None:
    chains: Chains = [list("ab"), list("ac")]
    _, muc, *_ = official_counts(chains, cleaned(chains, chains).chains)
    assert muc[0] == muc[2] == 0
    assert coreference.muc(coreference.contingency(chains, chains))[0] == 1


def test_likeness_is_summed_from_what_is_lacking() -> None:
    table = coreference.contingency([list("abcde"), list("fg")], [["a", "x", "y", "z", "w"]])
    assert official.ceaf_e(table, coreference.aligned_by_likeness(table))[0] == 1 - (1 - 0.2) != 0.2


def test_links_of_very_many_mentions_are_counted_as_long_as_few_are_repeated() -> None:
    chains: Chains = [list(range(100_000))]
    assert links(chains, chains)[0][0] == 4_999_950_000
    repeated: Chains = [[*range(100_000), 0]]
    together, _ = links(repeated, chains)
    assert together == (4_999_950_000, 4_999_950_001, 4_999_950_000, 4_999_950_000)


def test_very_many_repeated_mentions_are_counted() -> None:
    repeated: Chains = [[mention, mention] for mention in range(10_000)]
    together, apart = links(repeated, cleaned(repeated, repeated).chains)
    assert (together, apart) == ((0, 10_000, 0, 0), (49_995_000,) * 4)
    half: Chains = [list(range(1500)), list(range(1000))]
    together, apart = links(half, cleaned(half, half).chains)
    assert (together, apart) == ((1_124_250,) * 4, (0, 1_000_500, 0, 0))
