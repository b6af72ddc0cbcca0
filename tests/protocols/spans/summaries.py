"""What the ledger of the entity protocols adds up to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import pytest

from karat.ledger import Entry, Item, Outcome
from karat.tally import Group

Booked = Iterator[tuple[str, str, float]]
"""Names of counts, the label each is for, and how much."""


def _summed(first: str, rule: Callable[..., Booked]) -> Callable[..., dict[Group, Any]]:
    """Return what counts the entities of a ledger by their verdicts under the first regime, and more by a rule."""

    def booked(entry: Entry) -> Booked:
        sides = (("gold", entry.gold), ("system", entry.system))
        if first in entry.verdicts:
            yield from ((name, item.label, 1) for name, item in sides if item is not None)
        for regime, outcome in entry.verdicts.items():
            yield from rule(regime, outcome, entry.gold, entry.system)

    def summed(entries: Iterable[Entry], counts: Sequence[str]) -> dict[Group, Any]:
        tally: dict[Group, list[float]] = {}
        for entry in entries:
            for name, label, number in booked(entry):
                for group in (Group(entry.layer), Group(entry.layer, label=label)):
                    tally.setdefault(group, [0] * len(counts))[counts.index(name)] += number
        return {group: pytest.approx(tuple(numbers)) for group, numbers in tally.items()}

    return summed


def _conll2003(regime: str, outcome: Outcome, gold: Item | None, system: Item | None) -> Booked:
    if outcome == "correct" and gold is not None:
        yield "correct", gold.label, 1


def _semeval2013(regime: str, outcome: Outcome, gold: Item | None, system: Item | None) -> Booked:
    item = gold or system
    assert item is not None
    yield f"{regime}-{outcome}", item.label, 1
    if system is not None and (regime, outcome) in (
        ("exact", "correct"),
        ("partial", "correct"),
        ("partial", "partial"),
    ):
        yield f"{regime}-{outcome}-system", system.label, 1


def _overlap(regime: str, outcome: Outcome, gold: Item | None, system: Item | None) -> Booked:
    if gold is None or system is None or outcome == "incorrect":
        return
    both = min(gold.span[1], system.span[1]) - max(gold.span[0], system.span[0])
    either = max(gold.span[1], system.span[1]) - min(gold.span[0], system.span[0])
    credit = both / either if regime.endswith("graded") else 1
    yield regime, gold.label, credit
    if regime.startswith("untyped"):
        yield f"{regime}-system", system.label, credit


SPAN_SUMMARIES = {
    "conll2003": _summed("strict", _conll2003),
    "semeval2013": _summed("strict", _semeval2013),
    "overlap": _summed("typed", _overlap),
}
