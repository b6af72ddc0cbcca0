"""What mentions and chains count for under each regime, read off the judgement of their document.

Regimes that count links between mentions, such as MUC and BLANC, have no verdict on one item alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from karat.ledger import Outcome
from karat.measures.coreference import pairs_of
from karat.protocols.coreference.judgement import Judgement


class Verdicts:
    """The verdicts on the mentions and chains of a document, which are named by the numbers of their chains.

    ``regimes`` are those of the protocol. ``singletons`` says whether B³ and LEA count chains of one mention, ``each``
    whether B³ may find every occurrence of a repeated gold mention, or only the last one.
    """

    def __init__(self, judged: Judgement, regimes: Collection[str], *, singletons: bool, each: bool) -> None:
        self.table, self.aligned, self.left_out = judged.table, judged.by_likeness, judged.left_out
        self.regimes, self.singletons, self.each = regimes, singletons, each
        table = judged.table
        self.links = Counter[int](), Counter[int]()
        for (gold, system), size in table.found.items():
            self.links[0][gold] += self._links(size, table.gold[gold], table.system[system])
        for (gold, system), size in table.given.items():
            self.links[1][system] += self._links(size, table.system[system], table.gold[gold])

    @staticmethod
    def _links(common: int, size: int, other_size: int) -> int:
        """Return how many links of a chain LEA finds in another one; a chain of one mention is linked with itself."""
        return int(other_size == 1) if size == 1 else pairs_of(common)

    def are_same(self, gold: int, system: int) -> bool:
        """Say whether two chains hold the same mentions."""
        return self.table.found.get((gold, system)) == self.table.gold[gold] == self.table.system[system]

    def are_partners(self, gold: int, system: int) -> bool:
        """Say whether a system chain is the one of a gold chain: CEAFe aligns them, or they are the same."""
        return self.aligned.get(gold) == system or self.are_same(gold, system)

    def on_pair(self, gold: int, system: int, *, kept: bool) -> dict[str, Outcome]:
        """Return the verdicts on a mention of both sides; ``kept`` if the chain that CEAFm aligns holds it."""
        counted = self._count(gold, system)
        b3: Outcome | None
        if all(counted):
            common = self.table.found.get((gold, system))
            b3 = "correct" if self.are_same(gold, system) else "partial" if common else "incorrect"
        else:
            b3 = _one_sided(*counted)
        return self._of_mention("correct", b3, "correct" if kept else "incorrect")

    def on_gold(self, gold: int, system: int | None, *, repeated: bool, kept: bool) -> dict[str, Outcome]:
        """Return the verdicts on a gold mention without a partner; one that is repeated may be found nevertheless."""
        b3: Outcome | None = "missed" if self._count(gold)[0] else None
        ceafm: Outcome = "correct" if kept else "missed" if system is None else "incorrect"
        if b3 and system is not None and self._count(system=system)[1] and (self.each or not repeated):
            b3 = "correct" if self.are_same(gold, system) else "partial"
        return self._of_mention(None if repeated else "missed", b3, ceafm)

    def on_system(self, system: int, gold: int | None, *, repeated: bool) -> dict[str, Outcome]:
        """Return the verdicts on a system mention without a partner; one that is repeated may be right nevertheless."""
        b3: Outcome | None = "spurious" if self._count(system=system)[1] else None
        if b3 and gold is not None and self._count(gold)[0]:
            b3 = "correct" if self.are_same(gold, system) else "partial"
        return self._of_mention(None if repeated else "spurious", b3, "spurious")

    def on_chains(self, gold: int | None, system: int | None, ceafe: Outcome) -> dict[str, Outcome]:
        """Return the verdicts on a gold chain, a system chain, or both; CEAFe's is known."""
        outcomes: dict[str, Outcome | None] = {"ceafe": ceafe, "lea": self._lea(gold, system)}
        if gold is None and system in self.left_out:
            outcomes["ceafe"] = None
        return self._known(outcomes)

    def _lea(self, gold: int | None, system: int | None) -> Outcome | None:
        counted = self._count(gold, system)
        right = [
            chain is not None and counts and links[chain] > 0
            for chain, counts, links in zip((gold, system), counted, self.links, strict=True)
        ]
        if not any(counted):
            return None
        if gold is not None and system is not None and all(counted) and self.are_same(gold, system):
            return "correct"
        if any(right):
            return "partial"
        return "incorrect" if all(counted) else _one_sided(*counted)

    def _count(self, gold: int | None = None, system: int | None = None) -> tuple[bool, bool]:
        """Say whether B³ and LEA count these chains: not if they are empty and, by some, if they have one mention."""
        least = 1 if self.singletons else 2
        sizes = ((gold, self.table.gold), (system, self.table.system))
        counted = [chain is not None and of_side[chain] >= least for chain, of_side in sizes]
        return counted[0], counted[1]

    def _of_mention(self, mentions: Outcome | None, b3: Outcome | None, ceafm: Outcome) -> dict[str, Outcome]:
        return self._known({"mentions": mentions, "b3": b3, "ceafm": ceafm})

    def _known(self, verdicts: dict[str, Outcome | None]) -> dict[str, Outcome]:
        return {name: outcome for name, outcome in verdicts.items() if outcome and name in self.regimes}


def _one_sided(gold: bool, system: bool) -> Outcome | None:
    """Return the verdict on what counts for one side only, or for none."""
    return "missed" if gold else "spurious" if system else None
