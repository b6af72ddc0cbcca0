"""Pairs of mentions, where a mention may stand in several chains: counted, not listed.

Mentions that stand in the same chains are alike, so what is counted are kinds of mentions. Pairs that meet in one chain
at least are found by inclusion and exclusion: those of each chain, less those of each two chains, and so on. Mentions
in very many chains are compared one by one instead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from itertools import chain, combinations, product
from typing import NamedTuple, TypeVar

from karat.errors import InputError
from karat.measures.coreference import pairs_of
from karat.settings import MORE, limit

MAX_STEPS = limit(30_000_000)
"""Comparisons of mentions that pairs may take to be counted; to look at a set of chains takes ten times as long."""

_SLOW = 10

_FEW = 4
"""Up to so many chains of a mention, all sets of them are looked at."""

_Group = TypeVar("_Group", bound=Hashable)


class PairCounts(NamedTuple):
    """How many pairs of different mentions meet in a chain: of the gold, of the system, and of both."""

    gold: int
    system: int
    both: int


def chains_of(chains: Sequence[Sequence[Hashable]]) -> dict[Hashable, frozenset[int]]:
    """Return the indices of all chains of each mention.

    >>> chains_of([["a", "b"], ["b"]])["b"] == {0, 1}
    True
    """
    chains_by_mention: dict[Hashable, set[int]] = {}
    for index, members in enumerate(chains):
        for mention in members:
            chains_by_mention.setdefault(mention, set()).add(index)
    return {mention: frozenset(indices) for mention, indices in chains_by_mention.items()}


def linked(gold: Mapping[Hashable, frozenset[int]], system: Mapping[Hashable, frozenset[int]]) -> PairCounts:
    """Count the pairs that meet in a chain, or refuse if that takes too long.

    >>> linked(chains_of([["a", "b"], ["b", "c"]]), chains_of([["a", "b", "c"]]))
    PairCounts(gold=2, system=3, both=2)
    """
    common = gold.keys() & system.keys()
    kinds = Counter((gold[mention], system[mention]) for mention in common)
    _check(_SLOW * sum(len(golds) * len(systems) for golds, systems in kinds))
    both: Counter[frozenset[tuple[int, int]]] = Counter()
    for (golds, systems), times in kinds.items():
        both[frozenset(product(golds, systems))] += times
    return PairCounts(_meeting(Counter(gold.values())), _meeting(Counter(system.values())), _meeting(both))


def are_countable(gold: Sequence[Sequence[Hashable]], system: Sequence[Sequence[Hashable]]) -> bool:
    """Say whether the pairs of these chains can be counted; where no mention is repeated they always can."""
    if not any(map(_has_repeats, (gold, system))):
        return True
    try:
        linked(chains_of(gold), chains_of(system))
    except InputError:
        return False
    return True


def _has_repeats(chains: Sequence[Sequence[Hashable]]) -> bool:
    return len(set(chain.from_iterable(chains))) < sum(map(len, chains))


def _meeting(kinds: Mapping[frozenset[_Group], int]) -> int:
    """Count the pairs of mentions that have a group in common; ``kinds`` are mentions by all their groups."""
    many = [groups for groups in kinds if len(groups) > _FEW]
    few = [groups for groups in kinds if len(groups) <= _FEW]
    _check(_SLOW * sum(2 ** len(groups) for groups in few if len(groups) > 1) + len(many) * len(kinds))
    # Inclusion and exclusion: pairs that share one group, less those that share two, plus those that share three.
    held: Counter[frozenset[_Group]] = Counter()
    for groups in few:
        for size in range(1, len(groups) + 1):
            for subset in combinations(groups, size):
                held[frozenset(subset)] += kinds[groups]
    pairs = sum(pairs_of(mentions) if len(subset) % 2 else -pairs_of(mentions) for subset, mentions in held.items())
    # Mentions of many groups have too many subsets for that: each kind is held against all kinds behind it.
    for index, groups in enumerate(many):
        neighbours = sum(kinds[rest] for rest in (*many[index + 1 :], *few) if not groups.isdisjoint(rest))
        pairs += pairs_of(kinds[groups]) + kinds[groups] * neighbours
    return pairs


def _check(steps: int) -> None:
    if steps > MAX_STEPS:
        message = f"mentions are repeated in so many ways that BLANC takes {steps:,} steps, more than {MAX_STEPS:,}"
        raise InputError(f"{message}; remove the repetitions, {MORE}")
