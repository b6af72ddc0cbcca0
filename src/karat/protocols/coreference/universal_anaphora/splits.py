"""Split antecedents of both sides, aligned one to one so that they are as like each other as they can be.

How alike two of them are is said by the same measure that is then computed with them: its precision, recall and F1 on
the chains of their parts. So every measure has an alignment of its own, and gives a split antecedent as much credit as
it deserves by that measure (Paun, Yu, Moosavi and Poesio 2022).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import NamedTuple

from karat.measures import coreference
from karat.measures.coreference import Cells, Counts
from karat.measures.ratios import harmonic, quotient
from karat.protocols.coreference import measured
from karat.protocols.coreference.corefud.assigning import LARGEST_TABLE, assigned
from karat.protocols.coreference.corefud.matching import check_work
from karat.protocols.coreference.corefud.measured import table_of
from karat.protocols.coreference.judgement import Judgement
from karat.protocols.coreference.universal_anaphora.matching import Names
from karat.protocols.coreference.universal_anaphora.sides import AnaphoraSide, Split


class PlacedSplit(NamedTuple):
    """A split antecedent, and the number of its chain."""

    chain: int
    split: Split


class Credit(NamedTuple):
    """A pair of split antecedents, by their numbers, how alike they are by recall, precision and F1, and the counts."""

    gold: int
    system: int
    recall: float
    precision: float
    f1: float
    counts: Sequence[float]


class SplitAlignment(NamedTuple):
    """The credit of aligned split antecedents, and what their counts add up to."""

    pairs: tuple[Credit, ...]
    counts: Counts


def placed(side: AnaphoraSide) -> list[PlacedSplit]:
    """Return the split antecedents of a side; a chain has one at most."""
    return [
        PlacedSplit(chain, member)
        for chain, members in enumerate(side.chains)
        for member in members
        if isinstance(member, Split)
    ]


def muc_with_singletons(judged: Judgement) -> Sequence[float]:
    """Count links, and of a chain of one mention its link to itself, which is found if it is alone there too."""
    table = judged.table
    found, gold, given, system = coreference.muc(table)
    return (
        found + _alone(table.found, table.gold, table.system),
        gold + sum(size == 1 for size in table.gold),
        given + _alone({(right, left): 1 for left, right in table.given}, table.system, table.gold),
        system + sum(size == 1 for size in table.system),
    )


def _alone(cells: Cells, sizes: Sequence[int], other_sizes: Sequence[int]) -> int:
    return sum(sizes[chain] == other_sizes[other] == 1 for chain, other in cells)


def _linked(judged: Judgement) -> Sequence[float]:
    return coreference.blanc(judged.table)[0]


def _unlinked(judged: Judgement) -> Sequence[float]:
    return coreference.blanc(judged.table)[1]


LIKENESS: Mapping[str, Callable[[Judgement], Sequence[float]]] = {
    "muc": muc_with_singletons,
    "b3": measured.b3,
    "ceafe": measured.ceafe,
    "ceafm": measured.ceafm,
    "blanc-linked": _linked,
    "blanc-unlinked": _unlinked,
    "lea": measured.lea,
}
"""What says how alike two split antecedents are, by measure."""


def align(gold: Sequence[Split], system: Sequence[Split], names: Names, measure: str) -> SplitAlignment:
    """Return the alignment of split antecedents under a measure."""
    likeness = LIKENESS[measure]
    credited: dict[tuple[int, int], Credit] = {}
    for left, right in _overlapping(gold, system, names):
        chains = gold[left].chains, system[right].chains
        counts = likeness(Judgement(*chains, table_of(*chains, names)))
        recall, precision = quotient(*counts[:2]), quotient(*counts[2:])
        credited[left, right] = Credit(left, right, recall, precision, harmonic(precision, recall), counts)
    pairs = tuple(credited[pair] for pair in _best(credited, len(gold), len(system)) if pair in credited)
    return SplitAlignment(
        pairs,
        (
            sum(pair.counts[0] for pair in pairs),
            sum(likeness(Judgement(split.chains, []))[1] for split in gold),
            sum(pair.counts[2] for pair in pairs),
            sum(likeness(Judgement([], split.chains))[3] for split in system),
        ),
    )


def _best(credited: Mapping[tuple[int, int], Credit], golds: int, systems: int) -> list[tuple[int, int]]:
    """Return the pairs with the greatest F1 in all.

    Where mentions are repeated, a pair may have a recall without a precision, and no F1. Then it counts which of the
    pairs without one the solver of the program happens to take.
    """
    if golds * systems <= LARGEST_TABLE and any(
        credit.f1 == 0 < credit.recall + credit.precision for credit in credited.values()
    ):
        return solved(credited, golds, systems)
    candidates: list[list[int]] = [[] for _ in range(systems)]
    for (left, right), credit in credited.items():
        if credit.f1 > 0:
            candidates[right].append(left)
    pairs = assigned(candidates, lambda right, left: credited[left, right].f1, golds)
    return sorted((left, right) for right, left in pairs.items())


def solved(credited: Mapping[tuple[int, int], Credit], golds: int, systems: int) -> list[tuple[int, int]]:
    """Return the pairs that the solver of the program takes, those without an F1 included."""
    import numpy as np

    from karat.matching.weighted import table_pairs

    table = np.zeros((golds, systems))
    for cell, credit in credited.items():
        table[cell] = credit.f1
    return table_pairs(table)


def _overlapping(gold: Sequence[Split], system: Sequence[Split], names: Names) -> list[tuple[int, int]]:
    """Return the pairs that have a mention in common; others are not alike under any measure."""
    holders: dict[Hashable, set[int]] = {}
    for right, split in enumerate(system):
        for key in {key for chain in split.chains for key in chain}:
            holders.setdefault(key, set()).add(right)
    rows = [{names.get(key, key) for chain in split.chains for key in chain} for split in gold]
    check_work(sum(len(holders.get(key, ())) for row in rows for key in row))
    shared = [{right for key in row for right in holders.get(key, ())} for row in rows]
    pairs = [(left, right) for left, rights in enumerate(shared) for right in sorted(rights)]
    check_work(sum(gold[left].size + system[right].size for left, right in pairs))
    return pairs
