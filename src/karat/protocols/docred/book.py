"""The arithmetic of DocRED's programs: precision of nothing is 0, and Re-DocRED adds a little below the line."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any

from karat.measures.ratios import Formula, Ratio
from karat.protocols.base import Average
from karat.protocols.published_book import PUBLISHED, PublishedBook


class DocredBook(PublishedBook):
    """A book of these programs.

    As published, the precision of the ``filled`` regimes is 0 where a system gives nothing, and some counts of a regime
    are more than they are by what is ``added``.
    """

    def __init__(
        self,
        *arguments: Any,
        filled: Collection[str],
        added: Mapping[str, tuple[str, float]],
        **declared: Any,
    ) -> None:
        self.filled, self.added = filled, added
        super().__init__(*arguments, empty={}, **declared)

    def _published(self, formula: Formula, measure: str, regime: str, average: Average) -> Formula:
        del average
        added = [(self.counts.index(name), amount) for known, (name, amount) in self.added.items() if known == regime]
        fills = int(measure == "precision" and regime in self.filled)
        return partial(_as_published, formula, self.counts.index(PUBLISHED), added, fills)


def _as_published(
    formula: Formula, published: int, added: Sequence[tuple[int, float]], fills: int, counts: Sequence[Any]
) -> Ratio:
    """Return a ratio as the program divides, if the counts are as published.

    >>> _as_published(lambda counts: counts[:2], 2, [(1, 0.5)], 0, (1, 2, 9)), _as_published(
    ...     lambda counts: counts[:2], 2, [], 1, (0, 0, 9))
    ((1, 2.5), (0, 1))
    """
    is_published = counts[published] > 0
    changed = [*counts]
    for place, amount in added:
        changed[place] = changed[place] + amount * is_published
    above, below = formula(changed)
    return above, below + (below == 0) * is_published * fills
