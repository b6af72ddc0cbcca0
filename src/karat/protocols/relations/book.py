"""The book of relations: five definitions side by side, or what a program counts, by its own arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import msgspec

from karat.ledger import Item
from karat.measures.ratios import Formula, Ratio
from karat.protocols.base import Average, Figure, Side
from karat.protocols.casebook import Cases, Verdict
from karat.protocols.invented import counting_invented
from karat.protocols.published_book import PUBLISHED, PublishedBook
from karat.protocols.relations import counted, reasons
from karat.protocols.relations import judge as definitions
from karat.protocols.relations.counted import ENTITIES, PROGRAM_REGIMES, REL, ProgramPage
from karat.protocols.relations.judge import REGIMES

STOPPING = "stopping"
"""How many units are counted by a program that stops where the gold has nothing."""
COLUMNS: Mapping[str, tuple[str, ...]] = (
    {regime: ("gold", "system", regime) for regime in REGIMES}
    | {"entity": ("gold-facts", "system-facts", "entity")}
    | {regime: (f"{regime}-gold", f"{regime}-system", f"{regime}-correct") for regime in PROGRAM_REGIMES}
)
"""The counts of each regime: of the definitions all but the last one count the same relations."""
_OF_DEFINITIONS = tuple(dict.fromkeys(name for regime in REGIMES for name in COLUMNS[regime]))


def judge(page: Any) -> Iterator[Verdict]:
    """Return the verdicts of a page: under the definitions, or as a program counts."""
    return counted.judge(page) if isinstance(page, ProgramPage) else definitions.judge(page)


def item(page: Any, side: Side, index: int) -> Item:
    """Return an item of a page as it is shown."""
    return counted.item(page, side, index) if isinstance(page, ProgramPage) else reasons.item(page, side, index)


def reason(page: Any, verdict: Verdict) -> str:
    """Return in words why a verdict is what it is."""
    return counted.reason(page, verdict) if isinstance(page, ProgramPage) else reasons.reason(page, verdict)


def place(page: Any, verdict: Verdict) -> Any:
    """Return where an item or pair stands in the order of the text."""
    return counted.place(page, verdict) if isinstance(page, ProgramPage) else reasons.place(page, verdict)


def beside(page: Any) -> Any:
    """Return a page that is ready for the ledger."""
    return page if isinstance(page, ProgramPage) else definitions.beside(page)


def _stops(page: Any) -> int:
    return int(isinstance(page, ProgramPage) and page.stops)


class RelationsBook(PublishedBook):
    """A book that counts under five definitions or, on pages of a program, what that counts."""

    def __init__(self, cases: Cases, *, is_invented: Callable[[Any], bool]) -> None:
        super().__init__(
            **counting_invented(cases, judge, item=item, reason=reason, is_invented=is_invented),
            columns=COLUMNS,
            empty={"precision": 0, "recall": 0, "f1": 0},
            charge=reasons.on_shown_label,
            averages=("micro", "macro-unit", "macro-label"),
            order=place,
            beside=beside,
            optional=[regime for regime in PROGRAM_REGIMES if regime != REL],
            also={STOPPING: _stops},
        )

    def _figure(self, measure: str, regime: str, average: Average, ratio: Callable[..., Ratio]) -> Figure:
        figure = super()._figure(measure, regime, average, ratio)
        if regime in PROGRAM_REGIMES:
            return msgspec.structs.replace(figure, where=(PUBLISHED, True))
        behind = {name: name for name in _OF_DEFINITIONS}
        return msgspec.structs.replace(figure, behind=behind, where=(PUBLISHED, False))

    def _published(self, formula: Formula, measure: str, regime: str, average: Average) -> Formula:
        filled = super()._published(formula, measure, regime, average)
        if regime == ENTITIES or measure == "precision":
            return filled
        gold = self.counts.index(self.columns[regime][0])
        return partial(_unless_it_stops, filled, self.counts.index(STOPPING), gold)


def _unless_it_stops(filled: Formula, stopping: int, gold: int, counts: Sequence[Any]) -> Ratio:
    """Return a ratio that is filled where there is nothing below the line, unless the program stops there."""
    goes_on = 1 - (counts[stopping] > 0) * (counts[gold] == 0)
    above, below = filled(counts)
    return above * goes_on, below * goes_on
