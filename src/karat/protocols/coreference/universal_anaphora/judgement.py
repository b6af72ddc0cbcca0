"""The judgement of a document with split antecedents, which are members of their chains like mentions.

Split antecedents of both sides are aligned one to one with the greatest total similarity. The similarity of two is the
F1 of the measure itself on the chains of their parts. So every measure has an alignment of its own, and gives a split
antecedent the credit that it has under that measure (Paun, Yu, Moosavi and Poesio 2022).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Any, NamedTuple

from karat.matching.fragments import common
from karat.measures import coreference
from karat.measures.coreference import Cells, Contingency, Counts, chain_of
from karat.measures.ratios import harmonic, quotient
from karat.protocols.coreference.corefud.matching import LARGEST_TABLE, assigned, check_work, solved
from karat.protocols.coreference.corefud.measures import table_of
from karat.protocols.coreference.judgement import COREF, Judgement
from karat.protocols.coreference.universal_anaphora.draft import AnaphoraPage, AnaphoraSide, Split
from karat.protocols.coreference.universal_anaphora.marks import AnaphoraMark, in_set_order

Names = Mapping[Hashable, Hashable]
"""The partner of a mention on the other side, where it has another name there."""


def matched(gold: AnaphoraSide, system: AnaphoraSide, match: str) -> Names:
    """Return the partners of mentions without an equal mention on the other side.

    As published, one dictionary leads from a mention to its partner, whichever side it is on.
    """
    if match == "exact":
        return {}
    golds, systems = _not_on_the_other(gold, system), _not_on_the_other(system, gold)
    if not golds or not systems:
        return {}
    names: dict[Hashable, Hashable] = {}
    pairs = _partial(golds, systems, gold, system) if match == "partial" else _craft(golds, systems)
    for gold_key, system_key in pairs:
        names[system_key] = gold_key
        names[gold_key] = system_key
    return names


def _not_on_the_other(side: AnaphoraSide, other: AnaphoraSide) -> list[AnaphoraMark]:
    """Return the mentions that the other side lacks, in the order of the text; zeros are left out."""
    known = {member.key for members in other.chains for member in members}
    members = (member for members in side.chains for member in members)
    marks = [member for member in members if isinstance(member, AnaphoraMark) and not member.is_zero]
    return sorted((mark for mark in marks if mark.key not in known), key=lambda mark: mark.reach)


def _partial(
    golds: Sequence[AnaphoraMark], systems: Sequence[AnaphoraMark], gold: AnaphoraSide, system: AnaphoraSide
) -> Iterator[tuple[Hashable, Hashable]]:
    """Yield the best pairs of mentions of which one lies inside of the other and covers its core."""
    weights = {(left, right): weight for left, right, weight in _inside(golds, systems, system)}
    weights |= {(left, right): weight for right, left, weight in _inside(systems, golds, gold)}
    candidates: list[list[int]] = [[] for _ in systems]
    for left, right in sorted(weights):
        candidates[right].append(left)
    pairs = assigned(candidates, lambda right, left: weights[left, right], len(golds))
    for right, left in sorted(pairs.items(), key=lambda pair: pair[1]):
        yield golds[left].key, systems[right].key


def _inside(
    inner: Sequence[AnaphoraMark], outer: Sequence[AnaphoraMark], outer_side: AnaphoraSide
) -> Iterator[tuple[int, int, float]]:
    """Yield which mentions lie inside of which others and cover their cores, and how much of them they cover."""
    cores = [mark.core(outer_side.document) for mark in outer]
    order = sorted((core[0], index) for index, core in enumerate(cores) if core is not None)
    starts = [start for start, _ in order]
    ranges = [(bisect_left(starts, mark.runs[0][0]), bisect_left(starts, mark.runs[-1][1])) for mark in inner]
    check_work(sum(end - start for start, end in ranges))
    for inside, (mark, (start, end)) in enumerate(zip(inner, ranges, strict=True)):
        for _, holder in order[start:end]:
            core, whole = cores[holder], outer[holder]
            assert core is not None  # noqa: S101 - only those were ordered
            if common(mark.runs, (core,)) == core[1] - core[0] and common(mark.runs, whole.runs) == mark.size:
                yield inside, holder, mark.size / whole.size


def _craft(golds: Sequence[AnaphoraMark], systems: Sequence[AnaphoraMark]) -> Iterator[tuple[Hashable, Hashable]]:
    """Yield pairs by the rule of CRAFT: a system mention is tried with one gold mention, and may find it taken.

    That is the first whose first part holds a part of it; gold mentions come in the order of a set.
    """
    check_work(sum(mark.parts[0][1] - mark.parts[0][0] for mark in golds) + sum(mark.size for mark in golds))
    order = in_set_order(mark.hashed for mark in golds)
    holders: dict[int, list[int]] = {}
    for rank, mark in enumerate(order):
        for word in range(*mark.parts[0]):
            holders.setdefault(word, []).append(rank)
    check_work(sum(len(holders.get(start, ())) for mark in systems for start, _ in mark.parts))
    taken: set[int] = set()
    for mark in systems:
        ranks = [rank for start, end in mark.parts for rank in holders.get(start, ()) if order[rank].parts[0][1] >= end]
        if ranks and min(ranks) not in taken:
            taken.add(min(ranks))
            yield order[min(ranks)].key, mark.key


class PlacedSplit(NamedTuple):
    """A split antecedent, and the number of its chain."""

    chain: int
    split: Split


class Credit(NamedTuple):
    """A pair of split antecedents with its recall, precision and F1 under a measure, and its counts."""

    gold: PlacedSplit
    system: PlacedSplit
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


def _pairs_of_kind(kind: int, judged: Judgement) -> Sequence[float]:
    return coreference.blanc(judged.table)[kind]


LIKENESS: Mapping[str, Callable[[Judgement], Sequence[float]]] = {
    **{name: COREF[name] for name in ("b3", "ceafe", "ceafm", "lea")},
    "muc": muc_with_singletons,
    "blanc-linked": partial(_pairs_of_kind, 0),
    "blanc-unlinked": partial(_pairs_of_kind, 1),
}
"""What says how alike two split antecedents are, by measure."""


def align(gold: Sequence[PlacedSplit], system: Sequence[PlacedSplit], names: Names, measure: str) -> SplitAlignment:
    """Return the alignment of split antecedents under a measure."""
    likeness = LIKENESS[measure]
    credited: dict[tuple[int, int], Credit] = {}
    for left, right in _overlapping(gold, system, names):
        chains = gold[left].split.chains, system[right].split.chains
        counts = likeness(Judgement(*chains, table_of(*chains, names)))
        recall, precision = quotient(*counts[:2]), quotient(*counts[2:])
        credited[left, right] = Credit(
            gold[left], system[right], recall, precision, harmonic(precision, recall), counts
        )
    pairs = tuple(credited[pair] for pair in _best(credited, len(gold), len(system)) if pair in credited)
    return SplitAlignment(
        pairs,
        (
            sum(pair.counts[0] for pair in pairs),
            sum(likeness(Judgement(placed.split.chains, []))[1] for placed in gold),
            sum(pair.counts[2] for pair in pairs),
            sum(likeness(Judgement([], placed.split.chains))[3] for placed in system),
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
        return solved({pair: credit.f1 for pair, credit in credited.items()}, golds, systems)
    candidates: list[list[int]] = [[] for _ in range(systems)]
    for (left, right), credit in credited.items():
        if credit.f1 > 0:
            candidates[right].append(left)
    pairs = assigned(candidates, lambda right, left: credited[left, right].f1, golds)
    return sorted((left, right) for right, left in pairs.items())


def _overlapping(gold: Sequence[PlacedSplit], system: Sequence[PlacedSplit], names: Names) -> list[tuple[int, int]]:
    """Return the pairs that have a mention in common; others are not alike under any measure."""
    holders: dict[Hashable, set[int]] = {}
    for right, (_, split) in enumerate(system):
        for key in {key for chain in split.chains for key in chain}:
            holders.setdefault(key, set()).add(right)
    rows = [{names.get(key, key) for chain in split.chains for key in chain} for _, split in gold]
    check_work(sum(len(holders.get(key, ())) for row in rows for key in row))
    shared = [{right for key in row for right in holders.get(key, ())} for row in rows]
    pairs = [(left, right) for left, rights in enumerate(shared) for right in sorted(rights)]
    check_work(sum(gold[left].split.size + system[right].split.size for left, right in pairs))
    return pairs


Weights = dict[tuple[int, int], float]
"""The credit of split antecedents, by their gold and their system chain."""


class Extra(NamedTuple):
    """The credit of the split antecedents of a document under a measure, for recall, precision and F1."""

    found: Weights
    given: Weights
    shared: Weights


class AnaphoraJudgement(Judgement):
    """The judgement of a document with split antecedents."""

    def __init__(self, page: AnaphoraPage, *, lone: bool) -> None:
        self.page = page
        self.splits = placed(page.gold), placed(page.system)
        names = matched(page.gold, page.system, page.match)
        gold, system = _keys(page.gold, "gold"), _keys(page.system, "system")
        self.plain = table_of(gold, system, names)
        """How chains overlap in mentions; split antecedents count for their sizes only."""
        self.alignments: dict[str, SplitAlignment] = {}
        super().__init__(gold, system, self.plain, names, lone=lone)
        self.table = self._with_equal_splits()
        known = chain_of(system)
        named = ((key, names.get(key, key)) for members in gold for key in members)
        self.partners = {key: partner for key, partner in named if partner in known}
        for credit in self.alignment("ceafe").pairs:
            self.partners["gold", credit.gold.split.key] = "system", credit.system.split.key

    def alignment(self, measure: str) -> SplitAlignment:
        """Return how split antecedents are aligned under a measure."""
        if measure not in self.alignments:
            self.alignments[measure] = align(*self.splits, self.names, measure)
        return self.alignments[measure]

    def weighed(self, measure: str) -> Extra:
        """Return the credit of aligned split antecedents, where there is any."""
        extra = Extra({}, {}, {})
        for credit in self.alignment(measure).pairs:
            cell = credit.gold.chain, credit.system.chain
            for weights, weight in zip(extra, (credit.recall, credit.precision, credit.f1), strict=True):
                if weight > 0:
                    weights[cell] = weight
        return extra

    @cached_property
    def equals(self) -> dict[int, int]:
        """The system chain with the same split antecedent as a gold chain."""
        systems = {placed.split.key: placed.chain for placed in self.splits[1]}
        return {placed.chain: systems[placed.split.key] for placed in self.splits[0] if placed.split.key in systems}

    def shared(self, measure: str) -> Contingency:
        """Return the table by which a measure aligns chains."""
        return self.plain._replace(shared=merged(self.plain.shared, self.weighed(measure).shared))

    def described(self, key: Hashable, company: str, *, right: bool) -> tuple[str, str]:
        """Return the case of a gold mention that has a partner, and the reason."""
        if key in self.likeness:
            return "split-antecedent", f"split antecedents, {self.likeness[key]:.2f} alike by CEAFe"
        if key in self.names:
            return f"{self.page.match}-match", f"other words, matched by the rule {self.page.match}; {company}"
        return super().described(key, company, right=right)

    @cached_property
    def likeness(self) -> dict[Hashable, float]:
        """The similarity of a gold split antecedent to its partner, by its key."""
        return {("gold", credit.gold.split.key): credit.f1 for credit in self.alignment("ceafe").pairs}

    def _with_equal_splits(self) -> Contingency:
        """Return the table in which equal split antecedents are the same mention."""
        if not all(self.splits):
            return self.plain
        same: Weights = {cell: 1 for cell, weight in self.weighed("ceafe").shared.items() if weight == 1}
        plain = self.plain
        found, given, shared = (merged(cells, same) for cells in (plain.found, plain.given, plain.shared))
        return plain._replace(found=found, given=given, shared=shared)


def _keys(side: AnaphoraSide, name: str) -> list[list[Hashable]]:
    """Return the keys of a side; a split antecedent equals none of the other side."""
    return [
        [(name, member.key) if isinstance(member, Split) else member.key for member in members]
        for members in side.chains
    ]


def merged(cells: Cells, weights: Weights) -> Any:
    """Return the cells with the credit of split antecedents."""
    return {cell: cells.get(cell, 0) + weights.get(cell, 0) for cell in {**cells, **weights}} if weights else cells
