"""The book of nervaluate: what its versions count for a label, and where one of them forgets half of the credit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

import msgspec

from karat.measures.ratios import Formula, Ratio
from karat.protocols.base import Average, Figure
from karat.protocols.casebook import RegimeBook, Verdict
from karat.protocols.spans.draft import Page
from karat.protocols.spans.scenarios import PARTIAL
from karat.tally import Tally

FORGETFUL = "forgetful"
"""The count of units of version 1.1.0, which forgets the half of partial matches as soon as there are two."""


class ScenarioBook(RegimeBook):
    """A book whose labels are counted as a version does.

    Versions 1.x judge the entities of a label again, without all others; those before book a pair on the gold label.
    """

    def _counts(self) -> tuple[str, ...]:
        return (*super()._counts(), FORGETFUL)

    def book_page(self, page: Page, verdicts: Iterable[Verdict]) -> Tally:  # type: ignore[override]
        """Count a page over all labels, and each label as the version has it."""
        profile = page.options.profile
        if profile == "corrected":
            return super().book_page(page, verdicts)
        judged = list(verdicts)
        tally = {page.group: super().book_page(page, judged)[page.group]}
        for label in dict.fromkeys(entity.label for side in (page.gold, page.system) for entity in side):
            if profile in ("1.2.1", "1.1.0"):
                part = _alone(page, label)
                counts = super().book_page(part, self.judge(part))[page.group]
            else:
                counts = super().book_page(page, _on_gold(page, judged, label))[page.group]
            tally[page.group._replace(label=label)] = counts
        forgetful = int(profile == "1.1.0")
        return {group: (*counts[:-1], forgetful) for group, counts in tally.items()}

    def _figure(self, measure: str, regime: str, average: Average, ratio: Callable[..., Ratio]) -> Figure:
        figure = super()._figure(measure, regime, average, ratio)
        if regime != PARTIAL:
            return figure
        halves, *credited = (
            self.counts.index(name) for name in (f"{PARTIAL}-partial", f"{PARTIAL}-credit", f"{PARTIAL}-credit-system")
        )
        forgetting = partial(_forgetting, figure.formula, self.counts.index(FORGETFUL), halves, credited)
        return msgspec.structs.replace(figure, formula=forgetting)


def _alone(page: Page, label: str) -> Page:
    """Return a page with the entities of one label only."""
    sides = ([entity for entity in side if entity.label == label] for side in (page.gold, page.system))
    gold, system = sides
    return msgspec.structs.replace(page, gold=gold, system=system)


def _on_gold(page: Page, verdicts: Iterable[Verdict], label: str) -> Iterator[Verdict]:
    """Yield the verdicts on gold entities of a label, and on system entities of it that have no partner."""
    for verdict in verdicts:
        entity = page.gold[verdict.gold] if verdict.gold is not None else page.system[verdict.system or 0]
        if entity.label == label:
            yield verdict


def _forgetting(formula: Formula, forgetful: int, halves: int, credited: Sequence[int], counts: Sequence[Any]) -> Ratio:
    """Return the ratio without the credit of partial matches, where several units are of a version that forgets it."""
    lost = counts[halves] / 2 * (counts[forgetful] > 1)
    return formula([count - lost if place in credited else count for place, count in enumerate(counts)])
