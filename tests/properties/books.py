"""What a ledger adds up to in protocols whose regimes pair items differently, counted again entry by entry."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

from karat.evaluation.counting import RegimeCounts
from karat.evaluation.ledger import Entry, Item
from karat.evaluation.registry import protocols
from karat.evaluation.tally import Group
from karat.vocabularies.normal_forms import normal_name


def _label(item: Item, regime: str) -> str:
    del regime
    return item.label


def _type(item: Item, regime: str) -> str:
    """Return the type of a linked mention, which is shown before its identifier if it has one."""
    del regime
    return item.label if item.alternatives else ""


def _name(item: Item, regime: str) -> str:
    """Return the label of a triple as it is compared."""
    del regime
    return normal_name(item.label)


def _directed(item: Item, regime: str) -> str:
    """Return the label of a relation, which is shown with its direction, and booked with it under one regime."""
    return item.label if regime == "directed" else re.sub(r"\((e1,e2|e2,e1)\)$", "", item.label)


def _credit(entry: Entry, regime: str) -> float:
    outcome = entry.verdicts[regime]
    return {"correct": 1, "partial": 0.5}.get(outcome, 0)


def _overlap(entry: Entry, regime: str) -> float:
    """Return the intersection over union of places without fragments, where a pair is graded."""
    if entry.gold is None or entry.system is None or not regime.endswith("graded"):
        return _credit(entry, regime)
    (start, end), (other_start, other_end) = entry.gold.span, entry.system.span
    either = max(end, other_end) - min(start, other_start)
    return _credit(entry, regime) and (min(end, other_end) - max(start, other_start)) / either


def _soft(entry: Entry, regime: str) -> float:
    """Return what a triple is worth, which stands in the reason where it is graded."""
    worth = re.search(rf"{regime} (0\.\d+)", entry.reason) if entry.verdicts[regime] == "partial" else None
    return float(worth[1]) if worth else _credit(entry, regime)


Summary = Callable[[Iterable[Entry], Sequence[str]], dict[Group, Any]]


def summary(
    name: str,
    label: Callable[[Item, str], str] = _label,
    credit: Callable[[Entry, str], float] = _credit,
) -> Summary:
    """Return what counts the items of a ledger and their credit under each regime, for all labels and for each."""
    bound = protocols()[name].with_options()
    book: Any = getattr(bound.book, "book", bound.book)
    book = book.counting
    assert isinstance(book, RegimeCounts)
    first = {column: regime for regime in reversed(book.regimes) for column in book.columns[regime] if column}

    def booked(entry: Entry, regime: str) -> Iterable[tuple[str | None, Item, float]]:
        sides = [item for item in (entry.gold, entry.system) if item is not None]
        gold, system, correct, *correct_system = book.columns[regime]
        if entry.gold is not None and entry.verdicts[regime] != "spurious":
            yield gold, entry.gold, 1
        if entry.system is not None and entry.verdicts[regime] != "missed":
            yield system, entry.system, 1
        if entry.gold is not None or gold is None:
            yield correct, sides[0], credit(entry, regime)
        if len(sides) == 2:
            yield from ((column, sides[1], credit(entry, regime)) for column in correct_system)
        if book.outcomes:
            yield f"{regime}-{entry.verdicts[regime]}", sides[0], 1

    def summed(entries: Iterable[Entry], counts: Sequence[str]) -> dict[Group, Any]:
        tally: dict[Group, list[float]] = {}
        for entry in entries:
            sides = [item for item in (entry.gold, entry.system) if item is not None]
            for regime in entry.verdicts:
                mixed = len({label(item, regime) for item in sides}) > 1
                for column, item, number in booked(entry, regime):
                    if not column or first.get(column, regime) != regime:
                        continue
                    of_pair = column in book.columns[regime][2:]
                    groups = [Group(entry.layer), Group(entry.layer, label=label(item, regime))]
                    by_label = book.labelled is None or regime in book.labelled
                    for group in groups[: 2 if by_label and not (mixed and of_pair and book.same_label) else 1]:
                        tally.setdefault(group, [0] * len(counts))[counts.index(column)] += number
        return {group: pytest.approx(tuple(numbers), abs=1e-4) for group, numbers in tally.items() if any(numbers)}

    return summed


BOOK_SUMMARIES: dict[str, Summary] = {
    "conll2003": summary("conll2003"),
    "conlleval": summary("conlleval"),
    "seqeval": summary("seqeval"),
    "wnut17": summary("wnut17"),
    "multiconer": summary("multiconer"),
    "nervaluate": summary("nervaluate"),
    "semeval2013": summary("semeval2013"),
    "overlap": summary("overlap", credit=_overlap),
    "tac-edl": summary("tac-edl", _type),
    "gerbil-a2kb": summary("gerbil-a2kb", _type),
    "gerbil-d2kb": summary("gerbil-d2kb", _type),
    "relations": summary("relations"),
    "semeval2010-task8": summary("semeval2010-task8", _directed),
    "tacred": summary("tacred"),
    "docred": summary("docred"),
    "redocred": summary("redocred"),
    "triples": summary("triples", _name, _soft),
}
