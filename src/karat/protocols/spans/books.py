"""The books of protocols of entities with counts or ratios of their own.

:class:`ExactBook`: an entity is right or not, and how those that are not are paired changes no count.
:class:`ScenarioBook`: what the versions of nervaluate count for a label, and where one of them forgets half of the
credit. :class:`SmoothedBook`: the baseline of MultiCoNER adds a tiny number below the line, lest it divide by zero. So
nothing among nothing is 0, and a perfect system stays a little below 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from typing import Any

import msgspec

from karat.evaluation.casebook import Verdict, on_gold_label
from karat.evaluation.protocol import Average, Figure
from karat.evaluation.regimebook import PublishedBook, RegimeBook
from karat.evaluation.tally import Group, Tally
from karat.measures.ratios import Formula, Ratio, quotient
from karat.protocols.spans.draft import Page
from karat.protocols.spans.options import NervaluateOptions
from karat.protocols.spans.scenarios import PARTIAL

_group = lru_cache(maxsize=4096)(Group)
"""A group is made once, however many units have it."""


class ExactBook(RegimeBook):
    """A book of one regime whose counts are the entities of the gold, those of the system, and those of both.

    Every entity of a page is different from the others on its side. So a page is counted without looking for what
    comes near to an entity that is wrong; the verdicts, from which the ledger is told, add up to the same.
    """

    def counted(self, page: Page) -> Tally:
        """Count the entities of a page by their labels, and what is counted of it beside them."""
        golds, systems = page.gold, page.system
        correct = set(golds).intersection(systems)
        nothing = [0] * len(self.counts)
        labels: dict[str, list[int]] = {}
        for column, entities in enumerate((golds, systems, correct)):
            for entity in entities:
                label = entity.label
                if label not in labels:
                    labels[label] = nothing.copy()
                labels[label][column] += 1
        also = (count(page) for count in self.also.values())
        tally: Tally = {page.group: (len(golds), len(systems), len(correct), *also)}
        layer, part, _ = page.group
        for label, counts in labels.items():
            tally[_group(layer, part, label)] = tuple(counts)
        return tally


FORGETFUL = "forgetful"
"""The count of units under version 1.1.0, which forgets the half of partial matches as soon as there are two."""
_APART = ("1.2.1", "1.1.0")
"""The versions that judge the entities of a label again, without all others."""
_LABELS = "labels-do-not-add-up"


class ScenarioBook(RegimeBook):
    """A book whose labels are counted as a version does.

    Versions 1.x judge the entities of a label again, without all others; those before book a pair on the gold label.
    """

    def __init__(self, *arguments: Any, options: NervaluateOptions, **declared: Any) -> None:
        self.options, self.forgets = options, options.profile == "1.1.0"
        self.judges_apart = options.profile in _APART and not options.mends(_LABELS)
        super().__init__(*arguments, **declared)

    def _counts(self) -> tuple[str, ...]:
        return (*super()._counts(), FORGETFUL) if self.forgets else super()._counts()

    def pages(self, page: Page) -> Iterator[Page]:
        """Yield a page and, if the version judges labels apart, a page for each label."""
        yield page
        if self.judges_apart:
            for label in _labels(page):
                yield _alone(page, label)

    def book_page(self, page: Page, verdicts: Iterable[Verdict]) -> Tally:  # type: ignore[override]
        """Count a page over all its labels, and each label unless it has a page of its own."""
        if self.options.mends(_LABELS) and not self.forgets:
            return super().book_page(page, verdicts)
        judged = list(verdicts)
        parts = {page.group: judged}
        if not self.judges_apart:
            parts |= {page.group._replace(label=label): _on_gold(page, judged, label) for label in _labels(page)}
        everything = page.group._replace(label=None)
        counts = {group: super(ScenarioBook, self).book_page(page, part)[everything] for group, part in parts.items()}
        return {group: (*own[:-1], 1) for group, own in counts.items()} if self.forgets else counts

    def _figure(self, measure: str, regime: str, average: Average, ratio: Callable[..., Ratio]) -> Figure:
        figure = super()._figure(measure, regime, average, ratio)
        if regime != PARTIAL or not self.forgets:
            return figure
        halves, *credited = (
            self.counts.index(name) for name in (f"{PARTIAL}-partial", f"{PARTIAL}-credit", f"{PARTIAL}-credit-system")
        )
        forgetting = partial(_forgetting, figure.formula, self.counts.index(FORGETFUL), halves, credited)
        return msgspec.structs.replace(figure, formula=forgetting)


def _labels(page: Page) -> Iterable[str]:
    return dict.fromkeys(entity.label for side in (page.gold, page.system) for entity in side)


def _alone(page: Page, label: str) -> Page:
    """Return the page of a label: its entities only."""
    gold, system = ([entity for entity in side if entity.label == label] for side in (page.gold, page.system))
    return msgspec.structs.replace(page, group=page.group._replace(label=label), gold=gold, system=system)


def _on_gold(page: Page, verdicts: Iterable[Verdict], label: str) -> list[Verdict]:
    """Return the verdicts on gold entities of a label, and on system entities of it that have no partner."""
    return [verdict for verdict in verdicts if next(iter(on_gold_label(page, verdict)))[0] == label]


def _forgetting(formula: Formula, forgetful: int, halves: int, credited: Sequence[int], counts: Sequence[Any]) -> Ratio:
    """Return the ratio without the credit of partial matches, where several units are of a version that forgets it."""
    lost = counts[halves] / 2 * (counts[forgetful] > 1)
    return formula([count - lost if column in credited else count for column, count in enumerate(counts)])


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
        return partial(_f1, places, tiny) if measure == "f1" else partial(_share, places, measure == "precision")


def _unless_of_a_label(formula: Formula, items: Sequence[int], labelled: Sequence[int], counts: Sequence[Any]) -> Ratio:
    """Return a ratio that is undefined for a label, where a regime without labels has counted nothing.

    What a label has under the other regimes tells it from a page with nothing on it.

    >>> _unless_of_a_label(lambda counts: (0, 1), [0], [1], (0, 2)), _unless_of_a_label(
    ...     lambda counts: (0, 1), [0], [1], (0, 0))
    ((0, 0), (0, 1))
    """
    of_a_label = (sum(counts[column] for column in items) == 0) * (sum(counts[column] for column in labelled) > 0)
    above, below = formula(counts)
    return above * (1 - of_a_label), below * (1 - of_a_label)


def _share(places: Sequence[int], of_system: bool, counts: Sequence[Any]) -> Ratio:
    gold, system, correct = (counts[column] for column in places)
    return correct, (system if of_system else gold) + TINY


def _f1(places: Sequence[int], tiny: float, counts: Sequence[Any]) -> Ratio:
    """Return the F1 of a precision and a recall that may have the tiny number below them.

    >>> above, below = _f1([0, 1, 2], TINY, (1, 1, 1))
    >>> above / below
    0.9999999999998501
    """
    gold, system, correct = (counts[column] for column in places)
    precision, recall = quotient(correct, system + tiny), quotient(correct, gold + tiny)
    return 2 * precision * recall, precision + recall + TINY
