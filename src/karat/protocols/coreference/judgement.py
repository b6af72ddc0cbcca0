"""The judgement of a document: the overlap of its chains, the alignment of CEAF, and the counts of each program.

Counts and verdicts (:mod:`karat.protocols.coreference.ledger`) are read off the same judgement, so that they cannot
disagree. The measures of a program stand in the order of its figures; each has four counts, or, if it is BLANC, four
for each kind of pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from operator import truediv
from typing import Any

from karat.measures import coreference, official
from karat.measures.coreference import (
    Chains,
    Contingency,
    aligned_by_likeness,
    aligned_by_mentions,
    contingency,
    pairs_of,
)
from karat.measures.published import added_in_order


class Judgement:
    """The overlaps and alignments of the chains of a document, each computed when it is first used.

    ``names`` are those by which the table looks mentions up on the other side, where these are not their own keys.
    With ``lone`` false CEAFe does not see system chains of one mention, and with ``links`` false pairs of mentions are
    not counted.
    """

    def __init__(
        self,
        gold: Chains,
        system: Chains,
        table: Contingency | None = None,
        names: Mapping[Hashable, Hashable] | None = None,
        *,
        lone: bool = True,
        links: bool = True,
    ) -> None:
        self.gold, self.system, self.links = gold, system, links
        self.names: Mapping[Hashable, Hashable] = names or {}
        self.table = contingency(gold, system) if table is None else table
        sizes = () if lone else enumerate(self.table.system)
        self.left_out = frozenset(chain for chain, size in sizes if size == 1)
        """The system chains that CEAFe does not see."""

    def shared(self, measure: str) -> Contingency:
        """Return the table by which a measure aligns chains."""
        del measure
        return self.table

    @cached_property
    def by_likeness(self) -> dict[int, int]:
        """The system chain that CEAFe aligns with a gold chain."""
        return dict(aligned_by_likeness(self.shared("ceafe"), self.left_out))

    @cached_property
    def by_mentions(self) -> dict[int, int]:
        """The system chain that CEAFm aligns with a gold chain."""
        return dict(aligned_by_mentions(self.shared("ceafm")))

    @cached_property
    def partners(self) -> Mapping[Hashable, Hashable]:
        """The system mention that matches each gold mention."""
        system = {key for chain in self.system for key in chain}
        return {key: key for chain in self.gold for key in chain if key in system}

    def described(self, key: Hashable, company: str, *, right: bool) -> tuple[str, str]:
        """Return the case of a gold mention that has a partner, and the reason.

        ``company`` compares its chain with the chain of its partner; ``right`` says whether CEAF aligns the two.
        """
        del key
        return ("right-chain" if right else "wrong-chain"), company


Measure = Callable[[Any], Sequence[float]]
"""Takes the judgement of a document and returns counts."""

Cells = Iterable[tuple[int, int]]
"""Chains by their index, with what a chain of the other side shares with them."""
ChainShare = Callable[[int, int], float]
"""Takes what is shared of a chain, and its size."""

_NO_LINKS = (0,) * 8


def _of_table(count: Callable[[Contingency], Sequence[float]], judged: Judgement) -> Sequence[float]:
    return count(judged.table)


def ceafm(judged: Judgement) -> Sequence[float]:
    """Count the mentions that aligned chains share."""
    return coreference.ceaf_m(judged.shared("ceafm"), judged.by_mentions.items())


def ceafe(judged: Judgement) -> Sequence[float]:
    """Sum the similarity of aligned chains; system chains that are left out are not aligned."""
    found, gold, given, system = coreference.ceaf_e(judged.shared("ceafe"), judged.by_likeness.items())
    return found, gold, given, system - len(judged.left_out)


def blanc(judged: Judgement) -> Sequence[float]:
    """Count pairs of mentions in one chain, and in two chains."""
    together, apart = coreference.blanc(judged.table)
    return *together, *apart


def official_b3(judged: Judgement) -> Sequence[float]:
    """Sum over system mentions as the official scorer does."""
    return official.b_cubed(judged.table, judged.gold, judged.system)


def official_ceafe(judged: Judgement) -> Sequence[float]:
    """Sum the similarity of aligned chains as the official scorer does."""
    return official.ceaf_e(judged.table, judged.by_likeness.items())


def official_blanc(judged: Judgement) -> Sequence[float]:
    """Count pairs as the official scorer does, and in the end whether they are too many to be counted."""
    if not judged.links:
        return *_NO_LINKS, 1
    together, apart = official.blanc(judged.table, judged.gold, judged.system)
    return *together, *apart, 0


def b3_without_singletons(judged: Judgement) -> Sequence[float]:
    """Pass over chains of one mention, and give no credit for a partner that is one."""
    table = _without_singletons(judged.table)
    found = ((chain, size * size) for (chain, other), size in table.found.items() if table.system[other])
    given = ((chain, size * size) for (other, chain), size in table.given.items() if table.gold[other])
    return _summed(table, found, given, truediv)


def lea_without_singletons(judged: Judgement) -> Sequence[float]:
    """Pass over chains of one mention."""
    table = _without_singletons(judged.table)
    found = ((chain, pairs_of(size)) for (chain, _), size in table.found.items())
    given = ((chain, pairs_of(size)) for (_, chain), size in table.given.items())
    return _summed(table, found, given, _resolved)


def ceafe_one_by_one(judged: Judgement) -> Sequence[float]:
    """Sum the similarity of aligned chains in their order, as the program's rounding demands."""
    _, gold, _, system = ceafe(judged)
    parts = ((coreference.phi4(judged.table, pair),) for pair in judged.by_likeness.items())
    (likeness,) = added_in_order(parts, 1)
    return likeness, gold, likeness, system


def _summed(table: Contingency, found: Cells, given: Cells, share: ChainShare) -> Sequence[float]:
    gold, system = table.gold, table.system
    return _one_by_one(gold, found, share), sum(gold), _one_by_one(system, given, share), sum(system)


def _one_by_one(sizes: Sequence[int], cells: Cells, share: ChainShare) -> float:
    """Add the shares of chains in their order: the program prints digits in which an exact sum would differ."""
    totals = [0] * len(sizes)
    for chain, shared in cells:
        totals[chain] += shared
    parts = ((share(total, size),) for total, size in zip(totals, sizes, strict=True) if size)
    return added_in_order(parts, 1)[0]


def _resolved(links: int, size: int) -> float:
    return size * (links / pairs_of(size))


def _without_singletons(table: Contingency) -> Contingency:
    """Return the table with chains of one mention empty, but still overlapping with chains of the other side."""
    gold, system = ([size if size != 1 else 0 for size in sizes] for sizes in (table.gold, table.system))
    found = {pair: size for pair, size in table.found.items() if gold[pair[0]]}
    given = {pair: size for pair, size in table.given.items() if system[pair[1]]}
    return table._replace(gold=gold, system=system, found=found, given=given)


COREF: Mapping[str, Measure] = {
    "mentions": partial(_of_table, coreference.identification),
    "muc": partial(_of_table, coreference.muc),
    "b3": partial(_of_table, coreference.b_cubed),
    "ceafm": ceafm,
    "ceafe": ceafe,
    "blanc": blanc,
    "lea": partial(_of_table, coreference.lea),
}
"""Every measure by its definition."""

CONLL2012: Mapping[str, Measure] = {
    "mentions": COREF["mentions"],
    "muc": partial(_of_table, official.muc),
    "b3": official_b3,
    "ceafm": ceafm,
    "ceafe": official_ceafe,
    "blanc": official_blanc,
}
"""What the official scorer counts once it has removed repeated system mentions."""

COVAL: Mapping[str, Measure] = {name: COREF[name] for name in ("mentions", "muc", "b3", "ceafe", "lea")}
"""What CoVal counts: repeated mentions stay, and belong to the last chain that holds them."""

COREFEVAL: Mapping[str, Measure] = {
    "muc": COREF["muc"],
    "b3": b3_without_singletons,
    "ceafe": ceafe_one_by_one,
    "lea": lea_without_singletons,
}
"""What coreference-eval and its ancestors count, which treat singletons in four ways: MUC cannot see them, B³ and LEA
pass over them in two ways, and CEAFe leaves out those of the system, but not those of the gold."""
