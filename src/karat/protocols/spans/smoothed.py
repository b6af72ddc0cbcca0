"""The book of a program that adds a tiny number below the line, lest it divide by zero: the baseline of MultiCoNER.

So nothing among nothing is 0, and a perfect system stays a little below 1. Where units are not counted as published,
the ratios are exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from karat.measures.ratios import Formula, Ratio, quotient
from karat.protocols.base import Average
from karat.protocols.published_book import PUBLISHED, PublishedBook

TINY = 1e-13


class SmoothedBook(PublishedBook):
    """A book whose ratios have a tiny number below the line; under ``plain`` regimes only F1 has it."""

    def __init__(self, *arguments: Any, plain: Sequence[str] = (), **declared: Any) -> None:
        self.plain = plain
        super().__init__(*arguments, empty=dict.fromkeys(("precision", "recall", "f1"), 0), **declared)

    def _published(self, formula: Formula, measure: str, regime: str, average: Average) -> Formula:
        smoothed = self._smoothed(formula, measure, regime, average)
        if self.labelled is None or regime in self.labelled:
            return smoothed
        return partial(_unless_of_a_label, smoothed, self._items(regime), self._items(self.labelled[0]))

    def _items(self, regime: str) -> list[int]:
        """Return where the gold and the system items of a regime are counted."""
        return [self.counts.index(name) for name in self.columns[regime][:2] if name]

    def _smoothed(self, formula: Formula, measure: str, regime: str, average: Average) -> Formula:
        if measure != "f1" and regime in self.plain:
            return super()._published(formula, measure, regime, average)
        places = [self.counts.index(name) for name in self.columns[regime] if name]
        tiny = 0.0 if regime in self.plain else TINY
        ratio = partial(_f1, places, tiny) if measure == "f1" else partial(_share, places, measure == "precision")
        return partial(_chosen, formula, ratio, self.counts.index(PUBLISHED))


def _chosen(formula: Formula, smoothed: Formula, published: int, counts: Sequence[Any]) -> Ratio:
    """Return the smoothed ratio where units are counted as published, else the exact one."""
    share = 1 * (counts[published] > 0)
    pairs = zip(smoothed(counts), formula(counts), strict=True)
    above, below = (share * ours + (1 - share) * exact for ours, exact in pairs)
    return above, below


def _unless_of_a_label(formula: Formula, items: Sequence[int], labelled: Sequence[int], counts: Sequence[Any]) -> Ratio:
    """Return a ratio that is undefined for a label, where a regime without labels has counted nothing.

    What a label has under the other regimes tells it from a page with nothing on it.

    >>> _unless_of_a_label(lambda counts: (0, 1), [0], [1], (0, 2)), _unless_of_a_label(
    ...     lambda counts: (0, 1), [0], [1], (0, 0))
    ((0, 0), (0, 1))
    """
    of_a_label = (sum(counts[place] for place in items) == 0) * (sum(counts[place] for place in labelled) > 0)
    above, below = formula(counts)
    return above * (1 - of_a_label), below * (1 - of_a_label)


def _share(places: Sequence[int], of_system: bool, counts: Sequence[Any]) -> Ratio:
    gold, system, correct = (counts[place] for place in places)
    return correct, (system if of_system else gold) + TINY


def _f1(places: Sequence[int], tiny: float, counts: Sequence[Any]) -> Ratio:
    """Return the F1 of a precision and a recall that may have the tiny number below them.

    >>> above, below = _f1([0, 1, 2], TINY, (1, 1, 1))
    >>> above / below
    0.9999999999998501
    """
    gold, system, correct = (counts[place] for place in places)
    precision, recall = quotient(correct, system + tiny), quotient(correct, gold + tiny)
    return 2 * precision * recall, precision + recall + TINY
