"""The coreference measures as additive counts: mentions, MUC, B³, CEAF, BLANC and LEA from one sparse table.

A clustering is a sequence of chains, a chain a sequence of mention keys (anything hashable; equal keys are the same
mention). :func:`contingency` finds once how gold and system chains overlap; every measure is a function of that table
and returns what a corpus adds up before it divides: numerator and denominator of recall, then of precision.

A mention may stand twice in a chain or in two chains. Then it belongs to the last chain that holds it, and each side
counts its own members, as in the published Python programs; what the Perl program makes of it is in
:mod:`karat.measures.official`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from math import fsum
from typing import NamedTuple

from karat.errors import InputError
from karat.matching.optimal import optimal
from karat.settings import MORE, limit

Chains = Sequence[Sequence[Hashable]]
Cells = Mapping[tuple[int, int], int]
"""How many mentions a gold and a system chain have in common, where there are any."""

Aligned = Iterable[tuple[int, int]]
"""Pairs of a gold and a system chain, each in one pair at most."""

Counts = tuple[float, float, float, float]
"""Numerator and denominator of recall, numerator and denominator of precision."""

MAX_OVERLAPS = limit(2_000_000)
"""Times that members of a chain may be found in chains of the other side, where mentions are repeated."""


_ROUNDED = 1 + 1e-9
"""By how much a sum of weights may be greater than it was rounded to, with much to spare."""


class Contingency(NamedTuple):
    """How the chains of both sides overlap.

    ``found`` counts the members of a gold chain that the system has put into a chain, ``given`` those of a system
    chain that belong to a gold chain, ``shared`` the members of a gold chain that the system chain holds as well, be
    it one of several. Where no mention is repeated the three are the same.
    """

    gold: Sequence[int]
    """The size of each gold chain."""
    system: Sequence[int]
    """The size of each system chain."""
    found: Cells
    given: Cells
    shared: Cells
    mentions: tuple[int, int, int]
    """Distinct mentions: those of both sides, of the gold, of the system."""


def contingency(gold: Chains, system: Chains) -> Contingency:
    """Return the table of a document.

    >>> table = contingency([["a", "b", "c"]], [["a", "b"], ["c", "d"]])
    >>> dict(table.found), table.mentions
    ({(0, 0): 2, (0, 1): 1}, (3, 3, 4))
    """
    gold_sizes, system_sizes = [len(chain) for chain in gold], [len(chain) for chain in system]
    gold_of, system_of = chain_of(gold), chain_of(system)
    found = _counted(gold, system_of)
    mentions = (len(gold_of.keys() & system_of.keys()), len(gold_of), len(system_of))
    if len(gold_of) == sum(gold_sizes) and len(system_of) == sum(system_sizes):
        return Contingency(gold_sizes, system_sizes, found, found, found, mentions)
    given = dict(_turned(_counted(system, gold_of)))
    return Contingency(gold_sizes, system_sizes, found, given, members_held(gold, system), mentions)


def chain_of(chains: Chains) -> dict[Hashable, int]:
    """Return the index of the (last) chain of each mention."""
    return {mention: index for index, chain in enumerate(chains) for mention in chain}


def _counted(chains: Chains, partner_of: Mapping[Hashable, int]) -> dict[tuple[int, int], int]:
    """Count the members of each chain by the chain of the other side that they belong to."""
    cells: dict[tuple[int, int], int] = {}
    for index, chain in enumerate(chains):
        for partner in map(partner_of.get, chain):
            if partner is not None:
                cells[index, partner] = cells.get((index, partner), 0) + 1
    return cells


def _turned(cells: Cells) -> Iterator[tuple[tuple[int, int], int]]:
    """Yield the cells of a table whose sides change places."""
    return (((second, first), size) for (first, second), size in cells.items())


def members_held(chains: Chains, others: Chains) -> dict[tuple[int, int], int]:
    """Count the members of each chain that each chain of the other side holds too, in whichever chains it does."""
    holders: dict[Hashable, list[int]] = {}
    for index, chain in enumerate(others):
        for mention in dict.fromkeys(chain):
            holders.setdefault(mention, []).append(index)
    overlaps = sum(len(holders.get(mention, ())) for chain in chains for mention in chain)
    if overlaps > MAX_OVERLAPS:
        message = f"mentions are repeated so often that chains have {overlaps} overlaps"
        raise InputError(f"{message}, more than {MAX_OVERLAPS}; remove the repetitions, {MORE}")
    held: Counter[tuple[int, int]] = Counter()
    for index, chain in enumerate(chains):
        held.update((index, holder) for mention in chain for holder in holders.get(mention, ()))
    return dict(held)


def identification(table: Contingency) -> Counts:
    """Count the mentions that both sides have, whatever their chains."""
    common, gold, system = table.mentions
    return common, gold, common, system


def muc(table: Contingency) -> Counts:
    """Count the links that chain the mentions of a chain together: one less than its members (Vilain et al. 1995)."""
    return (
        sum(table.found.values()) - len(table.found),
        _links_needed(table.gold),
        sum(table.given.values()) - len(table.given),
        _links_needed(table.system),
    )


def _links_needed(sizes: Sequence[int]) -> int:
    return sum(size - 1 for size in sizes if size)


def b_cubed(table: Contingency) -> Counts:
    """Sum over mentions the part of their chain that the other side gives them too (Bagga and Baldwin 1998)."""
    gold, system = table.gold, table.system
    return (
        fsum(size * size / gold[chain] for (chain, _), size in table.found.items()),
        sum(gold),
        fsum(size * size / system[chain] for (_, chain), size in table.given.items()),
        sum(system),
    )


def ceaf_m(table: Contingency, aligned: Aligned) -> Counts:
    """Count the mentions shared by chains that :func:`aligned_by_mentions` has paired (Luo 2005, φ3)."""
    common = sum(table.shared[pair] for pair in aligned)
    return common, sum(table.gold), common, sum(table.system)


def ceaf_e(table: Contingency, aligned: Aligned) -> Counts:
    """Sum the likeness of chains that :func:`aligned_by_likeness` has paired (Luo 2005, φ4)."""
    likeness = fsum(phi4(table, pair) for pair in aligned)
    return likeness, len(table.gold), likeness, len(table.system)


def aligned_by_mentions(table: Contingency) -> list[tuple[int, int]]:
    """Return the pairs of chains, in gold order, that share as many mentions as one-to-one pairs can."""
    return _aligned(table, {pair: float(size) for pair, size in table.shared.items()})


def aligned_by_likeness(table: Contingency, left_out: Collection[int] = ()) -> list[tuple[int, int]]:
    """Return the pairs of chains, in gold order, that are as like each other as one-to-one pairs can be.

    System chains that are ``left_out`` are in no pair.
    """
    return _aligned(table, {pair: phi4(table, pair) for pair in table.shared if pair[1] not in left_out})


def phi4(table: Contingency, pair: tuple[int, int]) -> float:
    """Return how like each other two chains are: twice what they share by what they hold."""
    return 2 * table.shared[pair] / (table.gold[pair[0]] + table.system[pair[1]])


def _aligned(table: Contingency, weights: Mapping[tuple[int, int], float]) -> list[tuple[int, int]]:
    sure = _beyond_doubt(table, weights)
    golds, systems = {gold for gold, _ in sure}, {system for _, system in sure}
    candidates: list[list[int]] = [[] for _ in table.system]
    for gold, system in weights:
        if gold not in golds and system not in systems:
            candidates[system].append(gold)
    pairs = optimal(candidates, lambda system, gold: weights[gold, system])
    return sorted([*sure, *((gold, system) for system, gold in pairs.items())])


def _beyond_doubt(table: Contingency, weights: Mapping[tuple[int, int], float]) -> list[tuple[int, int]]:
    """Return the pairs that outweigh whatever else both chains could be paired with: they are in every best pairing."""
    of_gold: list[list[float]] = [[0.0, 0.0] for _ in table.gold]
    of_system: list[list[float]] = [[0.0, 0.0] for _ in table.system]
    for (gold, system), weight in weights.items():
        of_gold[gold].append(weight)
        of_system[system].append(weight)
    for greatest in (*of_gold, *of_system):
        greatest.sort(reverse=True)
    return [
        (gold, system)
        for (gold, system), weight in weights.items()
        if weight == of_gold[gold][0] == of_system[system][0]
        and weight > (of_gold[gold][1] + of_system[system][1]) * _ROUNDED
    ]


def lea(table: Contingency) -> Counts:
    """Sum over chains their size times the part of their links that is found (Moosavi and Strube 2016).

    A chain of one mention has one link, to itself, which is found if it is alone on the other side too.
    """
    return (
        _resolved(table.found.items(), table.gold, table.system),
        sum(table.gold),
        _resolved(_turned(table.given), table.system, table.gold),
        sum(table.system),
    )


def _resolved(
    cells: Iterable[tuple[tuple[int, int], int]], sizes: Sequence[int], partner_sizes: Sequence[int]
) -> float:
    links = [0] * len(sizes)
    for (chain, partner), size in cells:
        links[chain] += int(partner_sizes[partner] == 1) if sizes[chain] == 1 else pairs_of(size)
    return fsum(size * resolved / (pairs_of(size) or 1) for size, resolved in zip(sizes, links, strict=True))


def blanc(table: Contingency) -> tuple[Counts, Counts]:
    """Count pairs of mentions in one chain, and in two chains (Recasens and Hovy 2011, Luo et al. 2014)."""
    together = sum(map(pairs_of, table.found.values()))
    in_gold, in_system = [0] * len(table.gold), [0] * len(table.system)
    for (gold, system), size in table.found.items():
        in_gold[gold] += size
        in_system[system] += size
    apart = pairs_of(sum(in_gold)) - sum(map(pairs_of, in_gold)) - sum(map(pairs_of, in_system)) + together
    gold_together, gold_apart = _pairs_within_and_between(table.gold)
    system_together, system_apart = _pairs_within_and_between(table.system)
    return (together, gold_together, together, system_together), (apart, gold_apart, apart, system_apart)


def _pairs_within_and_between(sizes: Sequence[int]) -> tuple[int, int]:
    within = sum(map(pairs_of, sizes))
    return within, pairs_of(sum(sizes)) - within


def pairs_of(size: int) -> int:
    """Return how many pairs there are among so many things."""
    return size * (size - 1) // 2
