"""The ledger of relations: every claim of both sides with its partner, its verdict under each regime and the reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from karat.ledger import Entry, Item, Outcome
from karat.model import Span
from karat.protocols.base import Case
from karat.protocols.relations.claims import NOWHERE, TRIGGER, Claim
from karat.protocols.relations.judge import KEYS, REGIMES, Sheet
from karat.protocols.relations.nearest import EXACT, OTHER_MENTION, WRONG_BOUNDARY, WRONG_TYPE, case_of, nearest
from karat.protocols.relations.overlap import relaxed_pairs
from karat.protocols.relations.reasons import Places, lacks_mention, lone_reason, pair_reason

GOLD, SYSTEM = 0, 1

Marks = dict[int, bool]
"""For each claim of one side that counts under a regime whether it is correct."""


def ledger(case: Case) -> list[Entry]:
    """Return every claim of a document with its verdicts, in the order of the text."""
    book = _Book(case.unit, case.content)
    partners = {gold: system for system, gold in book.pairs.items()}
    entries = [entry for gold in range(len(book.claims[GOLD])) for entry in book.of_gold(gold, partners.get(gold))]
    entries += [book.lone(SYSTEM, at) for at in range(len(book.claims[SYSTEM])) if at not in book.pairs]
    return sorted(entries, key=_place)


def _place(entry: Entry) -> Span:
    item = entry.gold or entry.system
    return item.span if item else (0, 0)


class _Book:
    """What is known about the claims of one document before they are written down; gold is side 0, system side 1."""

    def __init__(self, unit: str, sheet: Sheet) -> None:
        self.unit = unit
        self.claims = gold, system = sheet.gold, sheet.system
        self.sources = sheet.gold_source, sheet.system_source
        self.places = Places(sheet.gold_places), Places(sheet.system_places)
        relaxed = relaxed_pairs(gold, system)
        self.pairs = nearest(gold, system, relaxed)
        self.marks: dict[str, tuple[Marks, Marks]] = {}
        for regime in REGIMES:
            if regime == "relaxed":
                self.marks[regime] = _marked(gold, relaxed.values()), _marked(system, relaxed)
            else:
                once = regime == "entity" and sheet.facts
                self.marks[regime] = agreement(gold, system, KEYS[regime], self.pairs, once=once)

    def of_gold(self, gold: int, system: int | None) -> list[Entry]:
        """Return the entry of a gold claim and its partner, or two where some regime pairs them with others."""
        if system is None:
            return [self.lone(GOLD, gold)]
        verdicts = self._shared(gold, system)
        if verdicts is None:
            return [self.lone(GOLD, gold), self.lone(SYSTEM, system)]
        left, right = self.claims[GOLD][gold], self.claims[SYSTEM][system]
        case = case_of(left, right)
        reason = pair_reason(case, left, right, self.places[SYSTEM])
        items = _item(left, self.sources[GOLD]), _item(right, self.sources[SYSTEM])
        return [self._entry(case, verdicts, reason, *items)]

    def _shared(self, gold: int, system: int) -> dict[str, Outcome] | None:
        """Return the verdicts on a pair; nothing if one of the two is correct and the other is not."""
        verdicts: dict[str, Outcome] = {}
        for regime, (golds, systems) in self.marks.items():
            left, right = golds.get(gold), systems.get(system)
            if left is not right and (left or right):
                return None
            if left is not None or right is not None:
                wrong: Outcome = "spurious" if left is None else "missed" if right is None else "incorrect"
                verdicts[regime] = "correct" if left else wrong
        return verdicts

    def lone(self, side: int, index: int) -> Entry:
        """Return the entry of a claim that has no partner, or not the same one under every regime."""
        claim, places = self.claims[side][index], self.places[1 - side]
        marks = {regime: both[side][index] for regime, both in self.marks.items() if index in both[side]}
        wrong: Outcome = "spurious" if side else "missed"
        verdicts: dict[str, Outcome] = {regime: "correct" if mark else wrong for regime, mark in marks.items()}
        narrowest = next((regime for regime in REGIMES if marks.get(regime)), None)
        if narrowest is not None:
            case, reason = _CASES[narrowest], "correct, but not with the same partner under every regime"
        else:
            case = _NO_MENTION[side] if lacks_mention(claim, places) else wrong
            reason = lone_reason(claim, ("system", "gold")[side], places)
        item = _item(claim, self.sources[side])
        return self._entry(case, verdicts, reason, **{("gold", "system")[side]: item})

    def _entry(
        self,
        case: str,
        verdicts: dict[str, Outcome],
        reason: str,
        gold: Item | None = None,
        system: Item | None = None,
    ) -> Entry:
        booked = gold or system
        return Entry(self.unit, "", booked.label if booked else "", case, verdicts, reason, gold, system)


def _marked(claims: Sequence[Claim], correct: Iterable[int]) -> Marks:
    return dict.fromkeys(range(len(claims)), False) | dict.fromkeys(correct, True)


_NO_MENTION = ("missing-mention", "spurious-mention")
_CASES = {
    "strict": EXACT,
    "boundaries": WRONG_TYPE,
    "last-token": WRONG_BOUNDARY,
    "relaxed": WRONG_BOUNDARY,
    "entity": OTHER_MENTION,
}


def agreement(
    gold: Sequence[Claim],
    system: Sequence[Claim],
    key: Callable[[Claim], object],
    pairs: dict[int, int],
    *,
    once: bool,
) -> tuple[Marks, Marks]:
    """Mark the claims of both sides that have an equal one on the other side, one to one; partners come first.

    With ``once`` equal claims of one side count as one; only that one is marked.
    """
    classes: dict[object, tuple[list[int], list[int]]] = {}
    for side, claims in enumerate((gold, system)):
        for index, claim in enumerate(claims):
            classes.setdefault(key(claim), ([], []))[side].append(index)
    marks: tuple[Marks, Marks] = ({}, {})
    for members in classes.values():
        golds = set(members[GOLD])
        together = [(pairs[one], one) for one in members[SYSTEM] if pairs.get(one) in golds]
        number = min(len(members[GOLD]), len(members[SYSTEM]))
        for side in (GOLD, SYSTEM):
            order = list(dict.fromkeys([*(pair[side] for pair in together), *members[side]]))
            counted = order[:1] if once else order
            marks[side].update((index, at < number) for at, index in enumerate(counted))
    return marks


def _item(claim: Claim, source: str) -> Item:
    spans = [span for end in claim.ends if end.spans != NOWHERE for span in end.spans]
    hull = (min(start for start, _ in spans), max(end for _, end in spans)) if spans else (0, 0)
    ids = ",".join(claim.ids)
    return Item(claim.label, _text(claim), hull, place=f"{source}:{ids}" if source else ids)


def _text(claim: Claim) -> str:
    """Return the ends of a claim as text: two as an arrow, others with their roles."""
    if claim.is_binary:
        arrow = " → " if claim.is_directed else " – "
        return arrow.join(end.text for end in claim.listed)
    return ", ".join(_roles(claim))


def _roles(claim: Claim) -> Iterable[str]:
    for end in sorted(claim.listed, key=lambda end: end.name != TRIGGER):
        yield end.text if end.name == TRIGGER or not end.name else f"{end.name}={end.text}"
