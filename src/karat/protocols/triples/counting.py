"""The counts of a document, and the measures that are computed from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from karat.measures.ratios import Ratio, f1, precision, recall
from karat.protocols.base import Average, Case, Figure
from karat.protocols.triples.judge import GOLD, LABELLED, PLAIN, REGIMES, SYSTEM, Judgement, Sheet
from karat.tally import Group, Tally

PARTS = ("gold", "system", "correct")
CHECKS = {
    "head-in-text": ("checked", "heads-in-text"),
    "tail-in-text": ("checked", "tails-in-text"),
    "known-predicate": ("looked-up", "known-predicates"),
}
"""What is asked of the system's triples alone: how many were asked, and of how many it is true."""

COUNTS = (
    *(f"{regime}-{part}" for regime in REGIMES for part in PARTS),
    *("checked", "heads-in-text", "tails-in-text", "looked-up", "known-predicates"),
)
_PLACES = {name: at for at, name in enumerate(COUNTS)}
_RATIOS: dict[str, Callable[[Any, Any, Any], Ratio]] = {"precision": precision, "recall": recall, "f1": f1}


def tally(case: Case) -> Tally:
    """Count the triples of a document and the correct ones under each regime, over all relations and by relation."""
    sheet: Sheet = case.content
    judged = Judgement(sheet)
    book = _Book()
    for side, name in ((GOLD, "gold"), (SYSTEM, "system")):
        for triple in judged.sides[side]:
            book.add(f"exact-{name}", triple.label, len(triple.wordings))
    shared = judged.wordings[GOLD] & judged.wordings[SYSTEM]
    for triple in judged.sides[GOLD]:
        book.add("exact-correct", triple.label, len(shared.intersection(triple.wordings)))
    for regime in PLAIN[1:]:
        for side, marks in enumerate(judged.marks(regime, judged.equal)):
            counted = Counter(judged.sides[side][at].label if regime in LABELLED else None for at in marks)
            for label, number in counted.items():
                book.add(f"{regime}-{PARTS[side]}", label, number)
            if side == GOLD:
                labels = (judged.sides[side][at].label if regime in LABELLED else None for at in marks if marks[at])
                for label, number in Counter(labels).items():
                    book.add(f"{regime}-correct", label, number)
    for regime, graded in judged.graded.items():
        book.add(f"{regime}-gold", None, len(sheet.gold))
        book.add(f"{regime}-system", None, len(sheet.system))
        book.add(f"{regime}-correct", None, graded.total)
    _add_checks(book, judged)
    return book.tally()


def _add_checks(book: _Book, judged: Judgement) -> None:
    """Count the ends that are in the text and the predicates that are in the table."""
    system, invented = judged.sides[SYSTEM], judged.sheet.invented
    if invented is not None:
        heads, tails = invented
        book.add("checked", None, len(system))
        book.add("heads-in-text", None, heads.count(False))
        book.add("tails-in-text", None, tails.count(False))
    if judged.sheet.looks_up:
        book.add("looked-up", None, len(system))
        book.add("known-predicates", None, sum(bool(triple.canonical) for triple in system))


class _Book:
    """The counts by relation, and over all relations together."""

    def __init__(self) -> None:
        self.groups: dict[str | None, list[float]] = {None: [0] * len(COUNTS)}

    def add(self, name: str, label: str | None, number: float = 1) -> None:
        """Count something, under its relation too if it has one."""
        place = _PLACES[name]
        self.groups[None][place] += number
        if label is not None:
            self.groups.setdefault(label, [0] * len(COUNTS))[place] += number

    def tally(self) -> Tally:
        """Return the counts."""
        return {Group(label=label): tuple(numbers) for label, numbers in self.groups.items()}


def _ratio(regime: str, measure: str, counts: Sequence[Any]) -> Ratio:
    gold, system, correct = (counts[_PLACES[f"{regime}-{part}"]] for part in PARTS)
    return _RATIOS[measure](correct, system, gold)


def _checked(asked: str, true: str, counts: Sequence[Any]) -> Ratio:
    return counts[_PLACES[true]], counts[_PLACES[asked]]


def _averages(regime: str) -> tuple[Average, ...]:
    return ("micro", "macro-unit", "macro-label") if regime in LABELLED else ("micro", "macro-unit")


FIGURES = (
    *(
        Figure(
            measure,
            regime,
            average,
            partial(_ratio, regime, measure),
            {part: f"{regime}-{part}" for part in PARTS},
            optional=regime == "semantic",
        )
        for average in _averages(REGIMES[0])
        for regime in REGIMES
        if average in _averages(regime)
        for measure in _RATIOS
    ),
    *(
        Figure("precision", check, "micro", partial(_checked, asked, true), {"system": asked, "correct": true})
        for check, (asked, true) in CHECKS.items()
    ),
)
