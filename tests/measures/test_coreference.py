"""The coreference measures against their definitions written out, their symmetries, and inputs at the extremes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import combinations, permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.work import growth

from karat.errors import InputError
from karat.measures import coreference as module
from karat.measures.coreference import (
    Contingency,
    Counts,
    aligned_by_likeness,
    aligned_by_mentions,
    b_cubed,
    blanc,
    ceaf_e,
    ceaf_m,
    contingency,
    identification,
    lea,
    muc,
)

Chains = list[list[Hashable]]
MENTIONS = 9


def ceafm(table: Contingency) -> Counts:
    return ceaf_m(table, aligned_by_mentions(table))


def ceafe(table: Contingency) -> Counts:
    return ceaf_e(table, aligned_by_likeness(table))


SINGLE = (identification, muc, b_cubed, ceafm, ceafe, lea)


def chains_of(places: Sequence[int]) -> Chains:
    """Return the chains in which mention 0, 1 … is put; below 0 is in none."""
    found: dict[int, list[Hashable]] = {}
    for mention, chain in enumerate(places):
        if chain >= 0:
            found.setdefault(chain, []).append(mention)
    return list(found.values())


CLUSTERINGS = st.lists(st.integers(-1, 3), max_size=MENTIONS).map(chains_of)
WITH_REPEATS = st.lists(st.lists(st.integers(0, 5), min_size=1, max_size=4), max_size=4)


def quadruples(table: Contingency) -> list[Counts]:
    """Return the counts of every measure."""
    return [*(measure(table) for measure in SINGLE), *blanc(table)]


def counts(gold: Any, system: Any) -> list[Counts]:
    return quadruples(contingency(gold, system))


# The definitions, each as direct as it can be, for clusterings without repeated mentions.


def naive_mentions(gold: Chains, system: Chains) -> Counts:
    ours, theirs = ({mention for chain in side for mention in chain} for side in (gold, system))
    return len(ours & theirs), len(ours), len(ours & theirs), len(theirs)


def naive_muc(gold: Chains, system: Chains) -> Counts:
    def links(one: Chains, other: Chains) -> tuple[int, int]:
        found = needed = 0
        for chain in one:
            parts = [set(chain) & set(part) for part in other]
            lost = set(chain).difference(*other)
            found += len(chain) - len([part for part in parts if part]) - len(lost)
            needed += len(chain) - 1
        return found, needed

    return *links(gold, system), *links(system, gold)


def naive_b_cubed(gold: Chains, system: Chains) -> Counts:
    def credit(one: Chains, other: Chains) -> tuple[float, int]:
        shares = [
            len(set(chain) & set(part)) / len(chain)
            for chain in one
            for mention in chain
            for part in other
            if mention in part
        ]
        return sum(shares), sum(map(len, one))

    return *credit(gold, system), *credit(system, gold)


def naive_ceaf(gold: Chains, system: Chains, worth: Callable[[set[Any], set[Any]], float]) -> float:
    """Try every way to pair the chains of the side that has fewer."""
    fewer, more = sorted((gold, system), key=len)
    return max(
        sum(worth(set(one), set(other)) for one, other in zip(fewer, chosen, strict=True))
        for chosen in permutations(more, len(fewer))
    )


def naive_ceaf_m(gold: Chains, system: Chains) -> Counts:
    common = naive_ceaf(gold, system, lambda one, other: len(one & other))
    return common, sum(map(len, gold)), common, sum(map(len, system))


def naive_ceaf_e(gold: Chains, system: Chains) -> Counts:
    common = naive_ceaf(gold, system, lambda one, other: 2 * len(one & other) / (len(one) + len(other)))
    return common, len(gold), common, len(system)


def links(chain: Sequence[Hashable]) -> set[frozenset[Hashable]]:
    """Return the pairs of a chain; a mention that is alone is linked with itself."""
    return set(map(frozenset, combinations(chain, 2))) or {frozenset(chain)}


def naive_lea(gold: Chains, system: Chains) -> Counts:
    def resolved(one: Chains, other: Chains) -> tuple[float, int]:
        theirs = set().union(*map(links, other))
        parts = (len(chain) * len(links(chain) & theirs) / len(links(chain)) for chain in one)
        return sum(parts), sum(map(len, one))

    return *resolved(gold, system), *resolved(system, gold)


def naive_blanc(gold: Chains, system: Chains) -> Iterator[Counts]:
    pairs: list[list[set[frozenset[Hashable]]]] = []
    for side in (gold, system):
        every = set(map(frozenset, combinations([mention for chain in side for mention in chain], 2)))
        together = {frozenset(pair) for chain in side for pair in combinations(chain, 2)}
        pairs.append([together, every - together])
    for ours, theirs in zip(*pairs, strict=True):
        yield len(ours & theirs), len(ours), len(ours & theirs), len(theirs)


@given(CLUSTERINGS, CLUSTERINGS)
def test_measures_are_their_definitions(gold: Chains, system: Chains) -> None:
    by_hand = [naive_mentions, naive_muc, naive_b_cubed, naive_ceaf_m, naive_ceaf_e, naive_lea]
    expected = [*(measure(gold, system) for measure in by_hand), *naive_blanc(gold, system)]
    for found, wanted in zip(counts(gold, system), expected, strict=True):
        assert found == pytest.approx(wanted)


@given(CLUSTERINGS, CLUSTERINGS)
def test_no_ratio_leaves_the_unit_interval(gold: Chains, system: Chains) -> None:
    for found, in_gold, given_, in_system in counts(gold, system):
        assert 0 <= found <= in_gold + 1e-12
        assert 0 <= given_ <= in_system + 1e-12


@given(CLUSTERINGS)
def test_a_clustering_is_perfect_against_itself(chains: Chains) -> None:
    for found, in_gold, given_, in_system in counts(chains, chains):
        assert found == given_ == in_gold == in_system


@given(st.one_of(CLUSTERINGS, WITH_REPEATS), st.one_of(CLUSTERINGS, WITH_REPEATS))
def test_exchanging_the_sides_exchanges_recall_and_precision(gold: Chains, system: Chains) -> None:
    """CEAF counts what a pair shares from the gold side, and BLANC its pairs, so repeated mentions part them."""
    table, turned = contingency(gold, system), contingency(system, gold)
    repeated = any(sum(sizes) != len({m for c in side for m in c}) for side, sizes in _sides(gold, system, table))
    for measure in (identification, muc, b_cubed, lea) if repeated else SINGLE:
        one, other = measure(table), measure(turned)
        assert (*one[2:], *one[:2]) == pytest.approx(other)
    if not repeated:
        assert blanc(turned) == tuple((*one[2:], *one[:2]) for one in blanc(table))


def _sides(gold: Chains, system: Chains, table: Contingency) -> list[tuple[Chains, Sequence[int]]]:
    return [(gold, table.gold), (system, table.system)]


@given(st.data(), CLUSTERINGS, CLUSTERINGS)
def test_names_and_order_make_no_difference(data: st.DataObject, gold: Chains, system: Chains) -> None:
    names = data.draw(st.permutations(range(100, 100 + MENTIONS)))

    def changed(chains: Chains) -> Chains:
        shuffled = data.draw(st.permutations(chains))
        return [[f"m{names[m]}" for m in data.draw(st.permutations(chain))] for chain in shuffled]  # type: ignore[index]

    for one, other in zip(counts(gold, system), counts(changed(gold), changed(system)), strict=True):
        assert one == pytest.approx(other)


@given(CLUSTERINGS, CLUSTERINGS)
def test_muc_does_not_see_singletons(gold: Chains, system: Chains) -> None:
    kept = ([chain for chain in side if len(chain) != 1] for side in (gold, system))
    assert muc(contingency(*kept)) == muc(contingency(gold, system))


@given(WITH_REPEATS, WITH_REPEATS)
def test_a_repeated_mention_belongs_to_the_last_chain_that_holds_it(gold: Chains, system: Chains) -> None:
    table = contingency(gold, system)
    for one, ours in enumerate(gold):
        for other, theirs in enumerate(system):
            found = [m for m in ours if m in theirs and not any(m in later for later in system[other + 1 :])]
            given_ = [m for m in theirs if m in ours and not any(m in later for later in gold[one + 1 :])]
            assert table.found.get((one, other), 0) == len(found)
            assert table.given.get((one, other), 0) == len(given_)
            assert table.shared.get((one, other), 0) == len([m for m in ours if m in theirs])


def test_a_small_case_by_hand() -> None:
    gold: Chains = [list("abc"), list("de"), list("f")]
    system: Chains = [list("ab"), list("cdex")]
    assert counts(gold, system) == [
        (5, 6, 5, 6),
        (2, 3, 2, 4),
        pytest.approx((4 / 3 + 1 / 3 + 2, 6, 2 + 1 / 4 + 1, 6)),
        (4, 6, 4, 6),
        pytest.approx((4 / 5 + 4 / 6, 3, 4 / 5 + 4 / 6, 2)),
        pytest.approx((3 * 1 / 3 + 2 * 1, 6, 2 * 1 + 4 * 1 / 6, 6)),
        (2, 4, 2, 7),
        (4, 11, 4, 8),
    ]


def test_nothing_has_nothing_below_the_line() -> None:
    assert counts([], []) == [(0, 0, 0, 0)] * 8
    assert muc(contingency([["a"]], [["a"]])) == (0, 0, 0, 0)
    assert blanc(contingency([["a"]], [["a"]])) == ((0, 0, 0, 0), (0, 0, 0, 0))


def test_the_best_alignment_is_not_the_greedy_one() -> None:
    gold: Chains = [list("abcd"), list("ef")]
    system: Chains = [list("abef"), list("cd")]
    assert ceafm(contingency(gold, system))[0] == 4
    greedy_trap = contingency([list("abcdefg"), list("hijk")], [list("abcdhijk"), list("efg")])
    assert ceafm(greedy_trap)[0] == 7


# Extremes: the work grows with the mentions, and what would be too much has a clear message.

MANY = 20_000


@pytest.mark.parametrize("members", [1, 2, 20])
def test_work_grows_with_the_mentions(members: int) -> None:
    def work(size: int) -> Callable[[], object]:
        gold: Chains = [list(range(first, first + members)) for first in range(0, size, members)]
        system: Chains = [list(range(first - 1, first + members - 1)) for first in range(0, size, members)]
        return lambda: counts(gold, system)

    assert growth(work, 1_000) < 2.5


def test_one_chain_of_very_many_mentions() -> None:
    chain: Chains = [list(range(MANY))]
    halves: Chains = [list(range(MANY // 2)), list(range(MANY // 2, MANY))]
    assert counts(chain, chain)[1] == (MANY - 1, MANY - 1, MANY - 1, MANY - 1)
    assert counts(chain, halves)[2] == (MANY / 2, MANY, MANY, MANY)
    together, apart = blanc(contingency(chain, halves))
    assert together == (99_990_000, 199_990_000, 99_990_000, 99_990_000)
    assert apart == (0, 0, 0, 100_000_000)


def test_very_many_singletons() -> None:
    alone: Chains = [[mention] for mention in range(MANY)]
    together: Chains = [list(range(MANY))]
    assert counts(alone, alone)[4] == (MANY, MANY, MANY, MANY)
    assert ceafm(contingency(alone, together)) == (1, MANY, 1, MANY)
    assert lea(contingency(alone, together)) == (0, MANY, 0, MANY)


def test_every_mention_repeated() -> None:
    chains: Chains = [[mention, mention] for mention in range(MANY // 2)]
    assert counts(chains, chains)[0] == (MANY // 2,) * 4
    twice: Chains = [[mention, mention + 1] for _ in (0, 1) for mention in range(0, MANY // 2, 2)]
    assert counts(twice, twice)[4] == pytest.approx((MANY / 2, MANY / 2, MANY / 2, MANY / 2))


def test_chains_that_all_overlap() -> None:
    side = 250
    rows: Chains = [[(one, other) for other in range(side)] for one in range(side)]
    columns: Chains = [[(one, other) for one in range(side)] for other in range(side)]
    assert ceafm(contingency(rows, columns))[0] == side
    assert ceafe(contingency(rows, columns))[0] == pytest.approx(1)


def test_one_mention_in_very_many_chains_of_both_sides_is_refused() -> None:
    chains: Chains = [["a"] for _ in range(MANY)]
    with pytest.raises(InputError, match="repeated so often"):
        contingency(chains, chains)


def test_the_limit_of_overlaps_counts_only_where_mentions_are_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_OVERLAPS", 4)
    assert contingency([list("abcdef")], [list("abcdef")]).mentions == (6, 6, 6)
    assert contingency([["a"], ["a"]], [["a"], ["a"]]).shared == {(0, 0): 1, (0, 1): 1, (1, 0): 1, (1, 1): 1}
    with pytest.raises(InputError, match="5 overlaps"):
        contingency([["a"], ["a", "b"]], [["a"], ["a", "b"]])
