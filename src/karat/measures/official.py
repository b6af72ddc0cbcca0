"""Repeated mentions as the official CoNLL-2012 scorer (v8.01) counts them.

The program removes the repetitions of a system mention that the gold has too, keeping the first, but neither those of
an invented mention nor those in the gold. What is left is counted from the system's side alone, and B³, CEAFe and BLANC
have arithmetic of their own; the other measures are those of :mod:`karat.measures.coreference`. The system chains are
:func:`cleaned` ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from itertools import product
from typing import NamedTuple

from karat.measures.coreference import (
    Aligned,
    Chains,
    Contingency,
    Counts,
    chain_of,
    members_held,
    pairs_of,
    phi4,
)
from karat.measures.coreference import blanc as plain_blanc
from karat.measures.coreference import muc as plain_muc
from karat.measures.links import chains_of, linked


class Cleaned(NamedTuple):
    """The system chains that are scored, their indices before, and the repeated mentions that were removed."""

    chains: list[list[Hashable]]
    kept: list[int]
    removed: list[Hashable]


def cleaned(gold: Chains, system: Chains) -> Cleaned:
    """Remove the second and further occurrences of system mentions that the gold has, and chains left empty.

    >>> cleaned([["a", "b"]], [["a", "b"], ["a"], ["x", "x"]])
    Cleaned(chains=[['a', 'b'], ['x', 'x']], kept=[0, 2], removed=['a'])
    """
    known = {mention for chain in gold for mention in chain}
    seen: set[Hashable] = set()
    removed: list[Hashable] = []
    chains: dict[int, list[Hashable]] = {}
    for index, chain in enumerate(system):
        left = []
        for mention in chain:
            if mention in seen:
                removed.append(mention)
                continue
            if mention in known:
                seen.add(mention)
            left.append(mention)
        if left or not chain:
            chains[index] = left
    return Cleaned(list(chains.values()), list(chains), removed)


def muc(table: Contingency) -> Counts:
    """Count links from the system's side alone: what is found of the gold is what the system has given."""
    return plain_muc(table._replace(found=table.given))


def b_cubed(table: Contingency, gold: Chains, system: Chains) -> Counts:
    """Sum over system mentions; what two chains have in common is what of the system chain stands in the gold chain.

    The sums are taken mention by mention as the program takes them: its percentages are cut off, so the last bit shows.
    """
    gold_of = chain_of(gold)
    held = members_held(system, gold) if _repeats(table) else None
    recall = precision = 0.0
    for index, chain in enumerate(system):
        for mention in chain:
            partner = gold_of.get(mention)
            if partner is not None:
                common = table.found[partner, index] if held is None else held[index, partner]
                precision += common / table.system[index]
                recall += common / table.gold[partner]
    return recall, sum(table.gold), precision, sum(table.system)


def ceaf_e(table: Contingency, aligned: Aligned) -> Counts:
    """Sum the likeness of aligned chains the way the program does: from what each pair lacks to be the same."""
    likeness = 0.0
    for pair in aligned:
        likeness += 1 - (1 - phi4(table, pair))
    return likeness, len(table.gold), likeness, len(table.system)


def blanc(table: Contingency, gold: Chains, system: Chains) -> tuple[Counts, Counts]:
    """Count links as sets: a pair may be in one chain and in two, and a repeated mention is linked with itself."""
    if not _repeats(table):
        return plain_blanc(table)
    gold_of, system_of = chains_of(gold), chains_of(system)
    twice_gold, twice_system = _twice_in_a_chain(gold), _twice_in_a_chain(system)
    pairs = linked(gold_of, system_of)
    together = pairs.both + len(twice_gold & twice_system)
    common = gold_of.keys() & system_of.keys()
    apart = (
        pairs_of(len(common))
        - _only_together(gold_of[mention] for mention in common)
        - _only_together(system_of[mention] for mention in common)
        + _only_together(frozenset(product(gold_of[mention], system_of[mention])) for mention in common)
        + sum(len(gold_of[mention]) > 1 and len(system_of[mention]) > 1 for mention in common)
    )
    return (
        (together, pairs.gold + len(twice_gold), together, pairs.system + len(twice_system)),
        (apart, _apart(gold_of), apart, _apart(system_of)),
    )


def _repeats(table: Contingency) -> bool:
    """Say whether some mention stands twice on one side."""
    return sum(table.gold) + sum(table.system) > sum(table.mentions[1:])


def _twice_in_a_chain(chains: Chains) -> set[Hashable]:
    return {mention for chain in chains for mention, times in Counter(chain).items() if times > 1}


def _apart(chains: Mapping[Hashable, frozenset[int]]) -> int:
    """Count the pairs that stand in two chains, among them mentions with themselves."""
    alone = sum(len(indices) > 1 for indices in chains.values())
    return pairs_of(len(chains)) - _only_together(chains.values()) + alone


def _only_together(groups: Iterable[frozenset[Hashable]]) -> int:
    """Count the pairs that have the same group and no other."""
    return sum(map(pairs_of, Counter(group for group in groups if len(group) == 1).values()))
