"""Judging one document: which gold entity each system entity meets, and what that counts for.

The six cases and what each is worth under the four regimes:

======================  =========  =========  =========  =========
case                    strict     fuzzy      partial    exact
======================  =========  =========  =========  =========
exact                   correct    correct    correct    correct
wrong-label             incorrect  incorrect  correct    correct
wrong-boundary          incorrect  correct    partial    incorrect
wrong-both              incorrect  incorrect  partial    incorrect
spurious                spurious   spurious   spurious   spurious
missed                  missed     missed     missed     missed
======================  =========  =========  =========  =========
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from karat.annotations.tokens import line_of
from karat.ledger import Entry, Item, Outcome
from karat.matching.greedy import best_first, first_come
from karat.matching.sweep import overlapping
from karat.measures.ratios import Formula, f1, f1_both, precision, recall
from karat.model import TokenTable
from karat.protocols.base import Average, Case, Figure
from karat.protocols.hipe.entities import Entity
from karat.tally import Group, Tally

EXACT, WRONG_LABEL, WRONG_BOUNDARY, WRONG_BOTH, SPURIOUS, MISSED = range(6)
CASES = ("exact", "wrong-label", "wrong-boundary", "wrong-both", "spurious", "missed")

_CORRECT = {
    "strict": (EXACT,),
    "fuzzy": (EXACT, WRONG_BOUNDARY),
    "partial": (EXACT, WRONG_LABEL),
    "exact": (EXACT, WRONG_LABEL),
}
_PARTIAL = {"partial": (WRONG_BOUNDARY, WRONG_BOTH)}
REGIMES = tuple(_CORRECT)


def outcome(case: int, regime: str) -> Outcome:
    """Return what a case counts as under a regime.

    >>> outcome(WRONG_BOUNDARY, "fuzzy"), outcome(WRONG_BOUNDARY, "strict")
    ('correct', 'incorrect')
    """
    if case == SPURIOUS:
        return "spurious"
    if case == MISSED:
        return "missed"
    if case in _CORRECT[regime]:
        return "correct"
    return "partial" if case in _PARTIAL.get(regime, ()) else "incorrect"


class Verdict(NamedTuple):
    """A case with the indices of the gold and system entities concerned; one of them may be missing."""

    case: int
    gold: int | None
    system: int | None


class Place(msgspec.Struct, frozen=True):
    """Where the tokens of one side of a document stand: the file, and its table if the lines are known."""

    source: str
    table: TokenTable | None = None

    def of(self, token: int) -> str:
        """Return ``file:line`` of a token, as far as it is known."""
        line = None if self.table is None else line_of(self.table, token)
        return self.source if line is None else f"{self.source}:{line}"


class Sheet(msgspec.Struct, frozen=True):
    """The entities of one document under one layer and slice, filtered by the tag set, ready to be judged."""

    group: Group
    gold: Sequence[Entity]
    system: Sequence[Entity]
    tags: frozenset[str]
    compare_text: bool
    best_overlap: bool
    charge_both: bool
    forms: tuple[Sequence[str], Sequence[str]]
    gold_place: Place
    system_place: Place


def judge(sheet: Sheet) -> Iterator[Verdict]:
    """Yield the verdicts: system entities in text order, then what was missed."""
    candidates = overlapping(sheet.gold, sheet.system)

    def grade(system: int, gold: int) -> int:
        return _grade(sheet.gold[gold], sheet.system[system], sheet.compare_text)

    if sheet.best_overlap:
        pairs = best_first(candidates, lambda system, gold: _preference(sheet, system, gold))
    else:
        pairs = first_come(candidates, is_exact=lambda system, gold: grade(system, gold) == EXACT)
    used = set()
    for index in range(len(sheet.system)):
        partner = pairs.get(index)
        if partner is None:
            yield Verdict(SPURIOUS, None, index)
        else:
            used.add(partner)
            yield Verdict(grade(index, partner), partner, index)
    for index in range(len(sheet.gold)):
        if index not in used:
            yield Verdict(MISSED, index, None)


def _grade(gold: Entity, system: Entity, compare_text: bool) -> int:
    """Return the case of a pair that shares a token."""
    label = gold.labels[0]
    same_label = label in system.labels
    if gold.start == system.start and gold.end == system.end:
        if same_label and (not compare_text or gold.text == system.text):
            return EXACT
        if label != system.labels[0]:
            return WRONG_LABEL
    return WRONG_BOUNDARY if same_label else WRONG_BOTH


def _preference(sheet: Sheet, system: int, gold: int) -> tuple[int, int]:
    """Return how good a partner is, smaller is better: the label first, then the tokens shared."""
    left, right = sheet.gold[gold], sheet.system[system]
    case = _grade(left, right, sheet.compare_text)
    order = (EXACT, WRONG_BOUNDARY, WRONG_LABEL, WRONG_BOTH).index(case)
    return order, max(left.start, right.start) - min(left.end, right.end)


def tally(case: Case) -> Tally:
    """Count the cases of a document by layer, slice and label, and over all labels."""
    tally: Tally = {}
    for sheet in case.content:
        total = [0] * len(CASES)
        by_label: dict[str, list[int]] = {}
        for verdict in judge(sheet):
            total[verdict.case] += 1
            for label, booked in _bookings(sheet, verdict):
                counts = by_label.get(label)
                if counts is None:
                    counts = by_label[label] = [0] * len(CASES)
                counts[booked] += 1
        tally[sheet.group] = tuple(total)
        for label, counts in by_label.items():
            tally[Group(sheet.group.layer, sheet.group.slice, label)] = tuple(counts)
    return tally


def _bookings(sheet: Sheet, verdict: Verdict) -> list[tuple[str, int]]:
    """Return the labels a verdict is booked on, and as what.

    A spurious entity whose first label is no tag, which only happens to ranked links, is booked on every tag.
    """
    if verdict.gold is None:
        assert verdict.system is not None  # noqa: S101 - a verdict is about something
        label = sheet.system[verdict.system].labels[0]
        return [(label, SPURIOUS)] if label in sheet.tags else [(tag, SPURIOUS) for tag in sorted(sheet.tags)]
    label = sheet.gold[verdict.gold].labels[0]
    if sheet.charge_both and verdict.case in (WRONG_LABEL, WRONG_BOTH) and verdict.system is not None:
        return [(label, MISSED), (sheet.system[verdict.system].labels[0], SPURIOUS)]
    return [(label, verdict.case)]


def ledger(case: Case) -> list[Entry]:
    """Return every gold and system entity of a document with its verdict."""
    return [_entry(case.unit, sheet, verdict) for sheet in case.content for verdict in judge(sheet)]


def _entry(unit: str, sheet: Sheet, verdict: Verdict) -> Entry:
    gold = None if verdict.gold is None else sheet.gold[verdict.gold]
    system = None if verdict.system is None else sheet.system[verdict.system]
    layer, part, _ = sheet.group
    return Entry(
        unit=unit,
        layer=layer,
        slice=part,
        label=_bookings(sheet, verdict)[0][0],
        case=CASES[verdict.case],
        verdicts={regime: outcome(verdict.case, regime) for regime in REGIMES},
        reason=_reason(verdict.case, gold, system),
        gold=_item(gold, sheet.forms[0], sheet.gold_place),
        system=_item(system, sheet.forms[1], sheet.system_place),
    )


def _item(entity: Entity | None, forms: Sequence[str], place: Place) -> Item | None:
    if entity is None:
        return None
    return Item(
        label=entity.labels[0],
        text=" ".join(forms[entity.start : entity.end]),
        span=(entity.start, entity.end),
        alternatives=entity.labels[1:],
        place=place.of(entity.start),
    )


def _reason(case: int, gold: Entity | None, system: Entity | None) -> str:
    """Return in words why the case is what it is."""
    if gold is None:
        return "no gold mention that is still free shares a token with it"
    if system is None:
        return "no system mention was paired with it"
    labels = f"{'|'.join(system.labels)} for {gold.labels[0]}"
    if case == EXACT:
        return "same label and same tokens"
    if case == WRONG_LABEL:
        return f"same tokens, but {labels}"
    tokens = f"tokens {system.start}-{system.end} for {gold.start}-{gold.end}"
    if case == WRONG_BOTH:
        return f"{labels}, and {tokens}"
    if (gold.start, gold.end) == (system.start, system.end):
        return f"same label and place, but the text reads {system.text!r} for {gold.text!r}"
    return f"same label, but {tokens}"


def _formula(regime: str, ratio: Any) -> Formula:
    correct, half = _CORRECT[regime], _PARTIAL.get(regime, ())

    def formula(counts: Sequence[Any]) -> tuple[Any, Any]:
        total = sum(counts)
        credit = sum(counts[case] for case in correct) + 0.5 * sum(counts[case] for case in half)
        return ratio(credit, total - counts[MISSED], total - counts[SPURIOUS])  # type: ignore[no-any-return]

    return formula


def figures(averages: tuple[Average, ...]) -> tuple[Figure, ...]:
    """Return precision, recall and F1 of all regimes under these averages.

    In the average over documents, F1 counts only where both sides have an entity, as published.
    """
    return tuple(
        Figure(measure, regime, average, _formula(regime, ratio))
        for average in averages
        for regime in REGIMES
        for measure, ratio in (
            ("precision", precision),
            ("recall", recall),
            ("f1", f1_both if average == "macro-unit" else f1),
        )
    )
