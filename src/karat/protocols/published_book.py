"""Books of programs that print a number where there is nothing to divide by.

The arithmetic of such a program is not that of its corrected profile. Scores are computed from tallies alone, so each
tally says by which of the two it was counted: the count ``published`` is 1 for a unit that is counted as the program
counts, else 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import msgspec

from karat.measures.ratios import Formula, Ratio
from karat.protocols.base import OVER_LABELS, Average, Figure
from karat.protocols.casebook import RegimeBook, Verdict
from karat.tally import Tally

PUBLISHED = "published"


class PublishedBook(RegimeBook):
    """A book whose pages say whether they are counted as ``published``.

    ``empty`` has for each measure what the program prints where there is nothing below the line. With ``stops`` it
    prints that only if there is something on one of the sides.
    """

    def __init__(self, *arguments: Any, empty: Mapping[str, int], stops: bool = False, **declared: Any) -> None:
        self.empty, self.stops = empty, stops
        super().__init__(*arguments, **declared)

    def _counts(self) -> tuple[str, ...]:
        return (*super()._counts(), PUBLISHED)

    def book_page(self, page: Any, verdicts: Iterable[Verdict]) -> Tally:
        """Count as every such book does, and say by which arithmetic the page is counted."""
        place, published = self.counts.index(PUBLISHED), int(page.published)
        booked = super().book_page(page, verdicts).items()
        return {group: (*counts[:place], published, *counts[place + 1 :]) for group, counts in booked}

    def _figure(self, measure: str, regime: str, average: Average, ratio: Callable[..., Ratio]) -> Figure:
        figure = super()._figure(measure, regime, average, ratio)
        return msgspec.structs.replace(figure, formula=self._published(figure.formula, measure, regime, average))

    def _published(self, formula: Formula, measure: str, regime: str, average: Average) -> Formula:
        """Return a formula that is the program's where units are counted as published.

        A label of which a regime has nothing, on either side, has no part in an average over labels.
        """
        is_needed = self.stops or average in OVER_LABELS
        needed = [self.counts.index(name) for name in self.columns[regime][:2] if name] if is_needed else []
        return partial(_filled, formula, self.counts.index(PUBLISHED), needed, self.empty[measure])


def _filled(formula: Formula, published: int, needed: Sequence[int], empty: int, counts: Sequence[Any]) -> Ratio:
    """Return a ratio that is some value where there is nothing below the line, if it is counted as published.

    Some of the counts may be ``needed``: where all of these are 0, it is undefined.

    >>> _filled(lambda counts: counts[:2], 2, [], 1, (0, 0, 3)), _filled(lambda counts: counts[:2], 2, [], 1, (0, 0, 0))
    ((1, 1), (0, 0))
    """
    above, below = formula(counts)
    hole = (below == 0) * (counts[published] > 0)
    if needed:
        hole = hole * (sum(counts[place] for place in needed) > 0)
    return above + empty * hole, below + hole
