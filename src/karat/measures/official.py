"""Repeated mentions as the official CoNLL-2012 scorer (v8.01) counts them.

The program removes the repetitions of a system mention that the gold has too, keeping the first, but neither those of
an invented mention nor those in the gold. What is left is counted from the system's side alone: the table differs
from that of :func:`karat.measures.coreference.contingency` only where the gold repeats a mention. B³, CEAF and BLANC
have arithmetic of their own; the other measures are those of :mod:`karat.measures.coreference` on this table.
"""

from __future__ import annotations

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

MAX_LINKS = 20_000_000
"""Pairs of mentions that BLANC lists one by one where mentions are repeated."""


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
    """Count links as sets: a pair may be in one chain and in two, and a repeated mention is linked with itself."""
    if not counted.repeats:
        return plain_blanc(counted.table)
    numbers: dict[Hashable, int] = {}
    for chain in (*counted.gold, *counted.system):
        for mention in chain:
            numbers.setdefault(mention, len(numbers))
    gold_links = _links(counted.gold, numbers)
    system_links = _links(counted.system, numbers)
    together, apart = (
        (len(one & other), len(one), len(one & other), len(other))
        for one, other in zip(gold_links, system_links, strict=True)
    )
    return together, apart


def _links(chains: Chains, numbers: Mapping[Hashable, int]) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
    """Return the pairs of members of one chain, and of two chains."""
    size = sum(map(len, chains))
    if size * (size - 1) // 2 > MAX_LINKS:
        raise InputError(
            f"BLANC of {size} mentions with repeated ones among them is not computed; remove the repetitions"
        )
    members = [[numbers[mention] for mention in chain] for chain in chains]
    together, apart = set(), set()
    earlier: list[int] = []
    for chain in members:
        together |= {_link(one, other) for at, one in enumerate(chain) for other in chain[at + 1 :]}
        apart |= {_link(one, other) for one in earlier for other in chain}
        earlier += chain
    return together, apart


def _link(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one <= other else (other, one)
