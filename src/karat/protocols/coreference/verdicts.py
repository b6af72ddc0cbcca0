"""What mentions and chains count for under each regime, read off the table of their overlaps.

Regimes that count links between mentions, such as MUC and BLANC, have no verdict on one item alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from karat.ledger import Outcome
from karat.measures.coreference import Contingency, aligned_by_likeness, aligned_by_mentions, pairs_of
from karat.protocols.coreference import counting
from karat.protocols.coreference.scorch import MEASURES, scorch

OF_MENTIONS = ("mentions", "b3", "ceafm")
OF_CHAINS = ("ceafe", "lea")
"""The regimes that a verdict on a mention, and on a chain, may be about."""


class Rules(NamedTuple):
    """What counts in a protocol."""

    regimes: Sequence[str]
    singletons: bool = True
    """Whether chains of one mention count; if not, B³ and LEA pass over them, and CEAFe over those of the system."""
    each: bool = True
    """Whether B³ may find every occurrence of a repeated gold mention, or only the last one."""
    sets: bool = False
    """Whether a mention that stands in a chain twice is there once."""


_RULES: dict[Callable[..., Any], Rules] = {
    counting.conll2012: Rules(counting.CONLL2012, each=False),
    counting.coval: Rules(counting.COVAL),
    counting.corefeval: Rules(counting.COREFEVAL, singletons=False),
    scorch: Rules(MEASURES, sets=True),
}


def rules_of(counting_of: Callable[..., Any]) -> Rules:
    """Return what counts where documents are counted by this function."""
    function = counting_of.func if isinstance(counting_of, partial) else counting_of
    return _RULES.get(function, Rules(counting.COREF))


class Verdicts:
    """The verdicts on the mentions and chains of a document, which are named by the numbers of their chains."""

    def __init__(self, table: Contingency, rules: Rules) -> None:
        self.table, self.rules = table, rules
        self.left_out = frozenset(() if rules.singletons else (at for at, size in enumerate(table.system) if size == 1))
        """The system chains that CEAFe does not see."""
        shared = {pair: size for pair, size in table.shared.items() if pair[1] not in self.left_out}
        self.aligned = dict(aligned_by_likeness(table._replace(shared=shared)))
        """The system chain that CEAFe aligns with a gold chain."""
        self.aligned_by_mentions = dict(aligned_by_mentions(table)) if "ceafm" in rules.regimes else {}
        """The same of CEAFm."""
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
        if b3 and system is not None and self._count(system=system)[1] and (self.rules.each or not repeated):
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
        found: dict[str, Outcome | None] = {"ceafe": ceafe, "lea": self._lea(gold, system)}
        if gold is None and system in self.left_out:
            found["ceafe"] = None
        return self._known(found)

    def _lea(self, gold: int | None, system: int | None) -> Outcome | None:
        counted = self._count(gold, system)
        right = [
            one is not None and does and number[one] > 0
            for one, does, number in zip((gold, system), counted, self.links, strict=True)
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
        least = 1 if self.rules.singletons else 2
        sizes = ((gold, self.table.gold), (system, self.table.system))
        counted = [at is not None and side[at] >= least for at, side in sizes]
        return counted[0], counted[1]

    def _of_mention(self, mentions: Outcome | None, b3: Outcome | None, ceafm: Outcome) -> dict[str, Outcome]:
        return self._known({"mentions": mentions, "b3": b3, "ceafm": ceafm})

    def _known(self, verdicts: dict[str, Outcome | None]) -> dict[str, Outcome]:
        return {name: outcome for name, outcome in verdicts.items() if outcome and name in self.rules.regimes}


def _one_sided(gold: bool, system: bool) -> Outcome | None:
    """Return the verdict on what counts for one side only, or for none."""
    return "missed" if gold else "spurious" if system else None
