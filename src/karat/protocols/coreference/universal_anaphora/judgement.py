"""The one look at a document with split antecedents, which are members of their chains as mentions are."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cached_property
from typing import Any, NamedTuple

from karat.measures.coreference import Cells, Chains, Contingency, chain_of
from karat.protocols.coreference.corefud.measured import table_of
from karat.protocols.coreference.judgement import Judgement
from karat.protocols.coreference.universal_anaphora.draft import AnaphoraPage
from karat.protocols.coreference.universal_anaphora.matching import matched
from karat.protocols.coreference.universal_anaphora.sides import AnaphoraSide, Split
from karat.protocols.coreference.universal_anaphora.splits import SplitAlignment, align, placed

Weights = dict[tuple[int, int], float]
"""The credit of split antecedents, by their gold and their system chain."""


class Extra(NamedTuple):
    """The credit of the split antecedents of a document under a measure, for recall, precision and F1."""

    found: Weights
    given: Weights
    shared: Weights


class AnaphoraJudgement(Judgement):
    """What is found out about a document with split antecedents."""

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
        self.partners = {**self._partners(gold, system), **self._split_partners()}

    def alignment(self, measure: str) -> SplitAlignment:
        """Return how split antecedents are aligned under a measure."""
        if measure not in self.alignments:
            golds, systems = ([placed.split for placed in side] for side in self.splits)
            self.alignments[measure] = align(golds, systems, self.names, measure)  # type: ignore[arg-type]
        return self.alignments[measure]

    def weighed(self, measure: str) -> Extra:
        """Return the credit of aligned split antecedents, where there is any."""
        extra = Extra({}, {}, {})
        for credit in self.alignment(measure).pairs:
            cell = self.splits[0][credit.gold].chain, self.splits[1][credit.system].chain
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
        """How alike its partner is, by the key of a gold split antecedent that has one."""
        golds = self.splits[0]
        return {("gold", golds[credit.gold].split.key): credit.f1 for credit in self.alignment("ceafe").pairs}

    def _partners(self, gold: Chains, system: Chains) -> dict[Hashable, Hashable]:
        known = chain_of(system)
        named = ((key, self.names.get(key, key)) for members in gold for key in members)
        return {key: partner for key, partner in named if partner in known}

    def _split_partners(self) -> dict[Hashable, Hashable]:
        golds, systems = self.splits
        return {
            ("gold", golds[credit.gold].split.key): ("system", systems[credit.system].split.key)
            for credit in self.alignment("ceafe").pairs
        }

    def _with_equal_splits(self) -> Contingency:
        """Return the table in which split antecedents that are quite alike are the same mention."""
        if not all(self.splits):
            return self.plain
        same = {cell for cell, weight in self.weighed("ceafe").shared.items() if weight == 1}
        found, given, shared = (
            {cell: cells.get(cell, 0) + (cell in same) for cell in {**cells, **dict.fromkeys(same)}}
            for cells in (self.plain.found, self.plain.given, self.plain.shared)
        )
        return self.plain._replace(found=found, given=given, shared=shared)


def _keys(side: AnaphoraSide, name: str) -> list[list[Hashable]]:
    """Return the keys of a side; a split antecedent equals none of the other side."""
    return [
        [(name, member.key) if isinstance(member, Split) else member.key for member in members]
        for members in side.chains
    ]


def merged(cells: Cells, weights: Weights) -> Any:
    """Return the cells with the credit of split antecedents."""
    return {cell: cells.get(cell, 0) + weights.get(cell, 0) for cell in {**cells, **weights}} if weights else cells
