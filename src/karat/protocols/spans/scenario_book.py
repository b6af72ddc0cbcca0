"""The book of nervaluate: what its versions count for a label, and where one of them forgets half of the credit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

import msgspec

from karat.measures.ratios import Formula, Ratio
from karat.protocols.base import Average, Figure
from karat.protocols.casebook import RegimeBook, Verdict, on_gold_label
from karat.protocols.spans.draft import Page
from karat.protocols.spans.scenarios import PARTIAL
from karat.tally import Tally

FORGETFUL = "forgetful"
"""The count of units of version 1.1.0, which forgets the half of partial matches as soon as there are two."""
_APART = ("1.2.1", "1.1.0")
"""The versions that judge the entities of a label again, without all others."""
_LABELS = "labels-do-not-add-up"


class ScenarioBook(RegimeBook):
    """A book whose labels are counted as a version does.

    Versions 1.x judge the entities of a label again, without all others; those before book a pair on the gold label.
    """

    def _counts(self) -> tuple[str, ...]:
        return (*super()._counts(), FORGETFUL)

    def pages(self, page: Page) -> Iterator[Page]:
        """Yield a page and, if the version judges labels apart, a page for each label."""
        yield page
        if _judges_apart(page):
            for label in _labels(page):
                yield _alone(page, label)

    def book_page(self, page: Page, verdicts: Iterable[Verdict]) -> Tally:  # type: ignore[override]
        """Count a page over all its labels, and each label unless it has a page of its own."""
        profile = page.options.profile
        if page.options.mends(_LABELS) and profile != "1.1.0":
            return super().book_page(page, verdicts)
        judged = list(verdicts)
        parts = {page.group: judged}
        if not _judges_apart(page):
            parts |= {page.group._replace(label=label): _on_gold(page, judged, label) for label in _labels(page)}
        everything = page.group._replace(label=None)
        forgetful = int(profile == "1.1.0")
        return {
            group: (*super(ScenarioBook, self).book_page(page, part)[everything][:-1], forgetful)
            for group, part in parts.items()
        }

    def _figure(self, measure: str, regime: str, average: Average, ratio: Callable[..., Ratio]) -> Figure:
        figure = super()._figure(measure, regime, average, ratio)
        if regime != PARTIAL:
            return figure
        halves, *credited = (
            self.counts.index(name) for name in (f"{PARTIAL}-partial", f"{PARTIAL}-credit", f"{PARTIAL}-credit-system")
        )
        forgetting = partial(_forgetting, figure.formula, self.counts.index(FORGETFUL), halves, credited)
        return msgspec.structs.replace(figure, formula=forgetting)


def _judges_apart(page: Page) -> bool:
    return page.options.profile in _APART and not page.options.mends(_LABELS)


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
    return formula([count - lost if place in credited else count for place, count in enumerate(counts)])
