"""Repeated mentions as the official CoNLL-2012 scorer (v8.01) counts them.

The program removes the repetitions of a system mention that the gold has too, keeping the first, but neither those of
an invented mention nor those in the gold. What is left is counted from the system's side alone: the table differs
from that of :func:`karat.measures.coreference.contingency` only where the gold repeats a mention. B³, CEAF and BLANC
have arithmetic of their own; the other measures are those of :mod:`karat.measures.coreference` on this table.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Hashable, Mapping
from typing import NamedTuple

from karat.errors import InputError
from karat.measures.coreference import (
    Chains,
    Contingency,
    Counts,
    aligned_by_likeness,
    chain_of,
    contingency,
    members_held,
    phi4,
)
from karat.measures.coreference import blanc as plain_blanc

MAX_LINKS = 2_000_000
"""Pairs of mentions that BLANC lists one by one, which are those of repeated mentions."""


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
    for at, chain in enumerate(system):
        left = []
        for mention in chain:
            if mention in seen:
                removed.append(mention)
                continue
            if mention in known:
                seen.add(mention)
            left.append(mention)
        if left or not chain:
            chains[at] = left
    return Cleaned(list(chains.values()), list(chains), removed)


class OfficialTable(NamedTuple):
    """The table of a document with the chains behind it, which only repeated mentions make necessary."""

    table: Contingency
    gold: Chains
    system: Chains

    @property
    def repeats(self) -> bool:
        """Say whether some mention stands twice on one side."""
        return sum(self.table.gold) + sum(self.table.system) > sum(self.table.mentions[1:])


def official(gold: Chains, system: Chains) -> OfficialTable:
    """Return the table of a document as the program counts it; the system chains are :func:`cleaned` ones."""
    table = contingency(gold, system)
    if table.found is not table.given:
        table = table._replace(found=table.given)
    return OfficialTable(table, gold, system)


def b_cubed(counted: OfficialTable) -> Counts:
    """Sum over system mentions; what two chains have in common is what of the system chain stands in the gold chain.

    The sums are taken mention by mention as the program takes them: its percentages are cut off, so the last bit shows.
    """
    table = counted.table
    gold_of = chain_of(counted.gold)
    held = members_held(counted.system, counted.gold) if counted.repeats else None
    recall = precision = 0.0
    for other, chain in enumerate(counted.system):
        for mention in chain:
            one = gold_of.get(mention)
            if one is not None:
                common = table.found[one, other] if held is None else held[other, one]
                precision += common / table.system[other]
                recall += common / table.gold[one]
    return recall, sum(table.gold), precision, sum(table.system)


def ceaf_e(counted: OfficialTable) -> Counts:
    """Sum the likeness of aligned chains the way the program does: from what each pair lacks to be the same."""
    table = counted.table
    likeness = 0.0
    for pair in aligned_by_likeness(table):
        likeness += 1 - (1 - phi4(table, pair))
    return likeness, len(table.gold), likeness, len(table.system)


def blanc(counted: OfficialTable) -> tuple[Counts, Counts]:
    """Count links as sets: a pair may be in one chain and in two, and a repeated mention is linked with itself.

    Only the links of repeated mentions are listed; all others are counted.
    """
    if not counted.repeats:
        return plain_blanc(counted.table)
    sides = counted.gold, counted.system
    repeated = _repeated(counted.gold) | _repeated(counted.system)
    once = [[[mention for mention in chain if mention not in repeated] for chain in chains] for chains in sides]
    numbers = {mention: number for number, mention in enumerate(chain_of(counted.gold) | chain_of(counted.system))}
    links = (_links(chains, repeated, numbers) for chains in sides)
    together, apart = (
        (known[0] + len(one & other), known[1] + len(one), known[2] + len(one & other), known[3] + len(other))
        for known, one, other in zip(plain_blanc(contingency(*once)), *links, strict=True)
    )
    return together, apart


def _repeated(chains: Chains) -> set[Hashable]:
    return {mention for mention, times in Counter(itertools.chain.from_iterable(chains)).items() if times > 1}


def _links(chains: Chains, repeated: set[Hashable], numbers: Mapping[Hashable, int]) -> tuple[set[int], set[int]]:
    """Return the pairs of which one at least is repeated, in one chain, and in two chains, each as one number."""
    members = [(numbers[mention], at) for at, chain in enumerate(chains) for mention in chain]
    listed = [place for place, mention in enumerate(itertools.chain.from_iterable(chains)) if mention in repeated]
    if len(listed) * len(members) > MAX_LINKS:
        raise InputError(
            f"BLANC of {len(members)} mentions, {len(listed)} of them repeated, is not computed; remove the repetitions"
        )
    together: set[int] = set()
    apart: set[int] = set()
    for place in listed:
        one, here = members[place]
        for other, there in itertools.chain(members[:place], members[place + 1 :]):
            pair = min(one, other) * len(numbers) + max(one, other)
            (together if here == there else apart).add(pair)
    return together, apart
