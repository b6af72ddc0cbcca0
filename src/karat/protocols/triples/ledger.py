"""The ledger of triples: every triple of both sides with the one that comes nearest, its verdicts and the reason.

Other spellings of a triple have lines of their own, on which only the exact regime judges.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from karat.ledger import Entry, Item, Outcome
from karat.protocols.base import Case
from karat.protocols.triples.counting import CHECKS
from karat.protocols.triples.graph import Graph
from karat.protocols.triples.judge import GOLD, PLAIN, SYSTEM, Judgement, Sheet, key_of
from karat.protocols.triples.nearest import nearest
from karat.protocols.triples.reasons import EXACT, Verdict, of_lone, of_pair, shown
from karat.protocols.triples.triples import Triple, Wording

if TYPE_CHECKING:
    from karat.protocols.triples.soft import Likeness

_WRONG: tuple[Outcome, Outcome] = ("missed", "spurious")

_Worth = dict[int, tuple[float, int | None]]
"""What triples of one side are worth under a graded regime, and with whom."""
_NOTHING = 0.0, None


def ledger(case: Case) -> list[Entry]:
    """Return every triple of a document with its verdicts, gold ones first."""
    return list(_Book(case.unit, case.content).entries())


class _Book:
    """What is known about the triples of one document before they are written down."""

    def __init__(self, unit: str, sheet: Sheet) -> None:
        self.unit = unit
        self.judged = Judgement(sheet)
        self.sources = self.judged.sheet.gold_source, self.judged.sheet.system_source
        pairs = nearest(self.judged)
        self.partners = {gold: system for system, gold in pairs.items()}
        self.marks = {regime: self.judged.marks(regime, pairs) for regime in PLAIN[1:]}
        self.worth: dict[str, tuple[_Worth, _Worth]] = {
            regime: (
                {two: (graded.worth[one], one) for one, two in graded.pairs.items()},
                {one: (graded.worth[one], two) for one, two in graded.pairs.items()},
            )
            for regime, graded in self.judged.graded.items()
        }
        self.members: tuple[dict[int, Sequence[int]], dict[int, Sequence[int]]] = (
            _members(self.judged.sheet.graphs[GOLD]),
            _members(self.judged.sheet.graphs[SYSTEM]),
        )
        self.paired = set(pairs.values()), set(pairs)
        shared = self.judged.wordings[GOLD] & self.judged.wordings[SYSTEM]
        self.chosen: tuple[list[Wording], list[Wording]] = (
            [_chosen(triple, shared) for triple in self.judged.sides[GOLD]],
            [_chosen(triple, shared) for triple in self.judged.sides[SYSTEM]],
        )
        self.shared = shared

    def entries(self) -> list[Entry]:
        """Return the entries of all triples, and of their other spellings."""
        found: list[Entry] = []
        alone = set(range(len(self.judged.sides[SYSTEM])))
        for gold in range(len(self.judged.sides[GOLD])):
            system = self.partners.get(gold)
            entry = None if system is None else self._pair(gold, system)
            if entry is not None and system is not None:
                alone.discard(system)
            found.append(entry or self._lone(GOLD, gold))
            found += self._spellings(GOLD, gold)
        for system in range(len(self.judged.sides[SYSTEM])):
            found += [self._lone(SYSTEM, system)] if system in alone else []
            found += self._spellings(SYSTEM, system)
        return found

    def _pair(self, gold: int, system: int) -> Entry | None:
        """Return the entry of two partners, nothing if some regime pairs them with others."""
        verdicts = self._verdicts(gold, system)
        if verdicts is None:
            return None
        verdicts |= self._grades(GOLD, gold, "incorrect")
        verdicts |= self._checks(system)
        case, reason = of_pair(self.judged, gold, system)
        reason = self._with_remarks(reason, (GOLD, gold), (SYSTEM, system))
        items = [self._item(side, at, self.chosen[side][at]) for side, at in ((GOLD, gold), (SYSTEM, system))]
        label = self.judged.sides[GOLD][gold].label
        return Entry(self.unit, "", label, case, verdicts, reason, items[GOLD], items[SYSTEM])

    def _verdicts(self, gold: int, system: int) -> dict[str, Outcome] | None:
        """Return what a pair counts for; nothing if one of the two is correct with somebody else."""
        written = self.chosen[GOLD][gold], self.chosen[SYSTEM][system]
        marks: dict[str, tuple[bool | None, bool | None]] = {
            "exact": (written[GOLD] in self.shared, written[SYSTEM] in self.shared)
        }
        marks |= {regime: (golds.get(gold), systems.get(system)) for regime, (golds, systems) in self.marks.items()}
        verdicts: dict[str, Outcome] = {}
        for regime, (left, right) in marks.items():
            if (left or right) and not (left and right and self._agree(regime, gold, system)):
                return None
            if left is not None or right is not None:
                wrong: Outcome = "spurious" if left is None else "missed" if right is None else "incorrect"
                verdicts[regime] = "correct" if left else wrong
        return verdicts

    def _agree(self, regime: str, gold: int, system: int) -> bool:
        """Say whether two triples agree with each other under a regime."""
        judged = self.judged
        if regime == "exact":
            return self.chosen[GOLD][gold] == self.chosen[SYSTEM][system]
        if regime in ("overlap", "mapped"):
            rows = judged.overlaps if regime == "overlap" else judged.meant
            return bool(rows[system] >> gold & 1)
        if regime == "graph":
            return True
        return key_of(judged.sides[GOLD][gold], regime) == key_of(judged.sides[SYSTEM][system], regime)

    def _lone(self, side: int, index: int) -> Entry:
        """Return the entry of a triple without a partner, or with different ones."""
        verdicts: dict[str, Outcome] = {"exact": "correct" if self.chosen[side][index] in self.shared else _WRONG[side]}
        for regime, both in self.marks.items():
            if index in both[side]:
                verdicts[regime] = "correct" if both[side][index] else _WRONG[side]
        if "correct" in verdicts.values():
            verdict = Verdict("regrouped", "correct, but not with the same partner under every regime")
        else:
            verdict = of_lone(self.judged, side, index, self._twin(side, index), self._nearest(side, index))
        verdicts |= self._grades(side, index, _WRONG[side])
        verdicts |= self._checks(index) if side == SYSTEM else {}
        reason = self._with_remarks(verdict.reason, (side, index))
        item = self._item(side, index, self.chosen[side][index])
        label = self.judged.sides[side][index].label
        sides = (item, None) if side == GOLD else (None, item)
        return Entry(self.unit, "", label, verdict.case, verdicts, reason, *sides)

    def _twin(self, side: int, index: int) -> Triple | None:
        """Return the triple of the same side that says the same as a lonely one, if there is one to name."""
        members = self.members[side].get(index, (index,))
        others = [at for at in members if at != index and at in self.paired[side]]
        first = next(iter(others), members[0])
        return None if first == index else self.judged.sides[side][first]

    def _nearest(self, side: int, index: int) -> Triple | None:
        """Return the triple of the other side that is most like a lonely one, if any is like it."""
        others = self.judged.sides[1 - side]
        if not others:
            return None
        row = self._likeness[1 - side].row(self.judged.sides[side][index])
        best = int(row.argmax())
        return others[best] if row[best] else None

    @cached_property
    def _likeness(self) -> tuple[Likeness, Likeness]:
        from karat.protocols.triples.soft import Likeness  # needs NumPy

        return Likeness(self.judged.sides[GOLD]), Likeness(self.judged.sides[SYSTEM])

    def _grades(self, side: int, index: int, wrong: Outcome) -> dict[str, Outcome]:
        """Return what the graded regimes make of a triple."""
        found: dict[str, Outcome] = {}
        for regime, both in self.worth.items():
            worth, _ = both[side].get(index, _NOTHING)
            found[regime] = "correct" if worth == 1 else "partial" if worth else wrong
        return found

    def _checks(self, system: int) -> dict[str, Outcome]:
        """Return what is asked of a system triple alone."""
        head, tail, predicate = CHECKS
        found: dict[str, bool] = {}
        if self.judged.sheet.invented is not None:
            heads, tails = self.judged.sheet.invented
            found |= {head: not heads[system], tail: not tails[system]}
        if self.judged.sheet.looks_up:
            found[predicate] = bool(self.judged.sides[SYSTEM][system].canonical)
        return {check: "correct" if is_true else "spurious" for check, is_true in found.items()}

    def _with_remarks(self, reason: str, *items: tuple[int, int]) -> str:
        """Add what the graded regimes say of the first triple, and why one is no fact of the graph."""
        parts = [reason, *self._worths(*items)]
        for side, index in items:
            why = self.judged.sheet.graphs[side].left_out.get(index)
            parts += [f"left out of the {('gold', 'system')[side]} graph: {why}"] if why else []
        return "; ".join(parts)

    def _worths(self, item: tuple[int, int], *others: tuple[int, int]) -> Iterator[str]:
        """Yield what a triple is worth under the graded regimes: as the pair that is shown, or with whom instead."""
        side, index = item
        beside = others[0][1] if others else None
        for regime, both in self.worth.items():
            worth, partner = both[side].get(index, _NOTHING)
            if partner is not None and partner == beside:
                yield from [f"{regime} {worth:.6f}"] if worth < 1 else []
                continue
            whom = "" if partner is None else f" with {shown(self.judged.sides[1 - side][partner])}"
            here = 0.0 if beside is None else self._worth(regime, index, beside)
            if worth or here:
                yield f"{regime} {worth:.6f}{whom}" + ("" if beside is None else f", {here:.6f} here")

    def _worth(self, regime: str, gold: int, system: int) -> float:
        """Return what a pair would be worth under a graded regime."""
        likeness = self.judged.likenesses[regime]([self.judged.sides[GOLD][gold]])
        return float(likeness.row(self.judged.sides[SYSTEM][system])[0])

    def _spellings(self, side: int, index: int) -> list[Entry]:
        """Return the entries of the other spellings of a triple; those that both sides have stand with the gold."""
        found = []
        triple = self.judged.sides[side][index]
        for wording in triple.wordings:
            if wording == self.chosen[side][index] or (side == SYSTEM and wording in self.shared):
                continue
            item = self._item(side, index, wording)
            both = wording in self.shared
            outcome: Outcome = "correct" if both else _WRONG[side]
            reason = "another spelling of a triple that stands elsewhere"
            gold, system = (item if both or side == one else None for one in (GOLD, SYSTEM))
            case = EXACT if both else outcome
            found.append(Entry(self.unit, "", triple.label, case, {"exact": outcome}, reason, gold, system))
        return found

    def _item(self, side: int, index: int, wording: Wording) -> Item:
        triple = self.judged.sides[side][index]
        spans = (*triple.head.spans, *triple.tail.spans)
        hull = (min(start for start, _ in spans), max(end for _, end in spans)) if spans else (0, 0)
        ids = ",".join(triple.ids)
        source = self.sources[side]
        text = f"{wording[0]} → {wording[2]}"
        return Item(wording[1], text, hull, place=f"{source}:{ids}" if source else ids)


def _chosen(triple: Triple, shared: set[Wording]) -> Wording:
    """Return the spelling by which a triple is shown: one that both sides have, if there is one."""
    common: Sequence[Wording] = [wording for wording in triple.wordings if wording in shared]
    return (common or triple.wordings)[0]


def _members(graph: Graph) -> dict[int, Sequence[int]]:
    """Return for each triple of a graph those that say the same, with itself."""
    return {at: fact.members for fact in graph.facts for at in fact.members}
