"""Pairing by graded similarity: the pairs of the greatest total worth, each worth between 0 and 1.

The worth of a system item with each gold item is a row of numbers, which is requested when it is needed.
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heapify, heappop, heappush
from math import fsum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from karat.matching.optimal import optimal

MOST_CELLS = 1_000_000
"""Up to how many pairs all are weighed; beyond, only those that are worth something."""
MOST_CANDIDATES = 250_000
"""How many of those may be solved exactly; beyond, the best pairs are made first."""

_MOST_LOOKS = 20
"""How often the best partner of an item may be taken away before it gets the next best at once."""

Numbers = NDArray[np.float64]
RowOf = Callable[[int], Numbers]
"""Takes a system item, and returns what it is worth with each gold item."""


class Weighted(NamedTuple):
    """The gold partner of each system item, the worth of each pair, and whether the total is the greatest possible."""

    pairs: dict[int, int]
    worth: dict[int, float]
    is_best: bool = True

    @property
    def total(self) -> float:
        """The sum of the worth of all pairs."""
        return fsum(self.worth.values())


def weighted_pairs(row: RowOf, systems: int, golds: int) -> Weighted:
    """Pair items so that the total worth is as high as possible.

    The result is exact up to ``MOST_CELLS`` pairs, or ``MOST_CANDIDATES`` pairs with a positive worth. Beyond that,
    pairs are made greedily, best first, which gives at least half of the greatest total.

    Args:
        row: returns the worth of a system item, given by index, with each gold item.
        systems: the number of system items.
        golds: the number of gold items.

    """
    if systems * golds <= MOST_CELLS:
        matrix = np.stack([row(system) for system in range(systems)])
        return worthy(dict(table_pairs(matrix)), matrix.__getitem__)
    candidates = _candidates(row, systems)
    if candidates is None:
        return _best_first(row, systems, golds)
    pairs = optimal(
        [list(weights) for weights in candidates], lambda system_index, gold_index: candidates[system_index][gold_index]
    )
    return Weighted(
        pairs, {system_index: candidates[system_index][gold_index] for system_index, gold_index in pairs.items()}
    )


def worthy(pairs: dict[int, int], row: RowOf) -> Weighted:
    """Return those pairs that have a positive worth, with their worth."""
    worths = {system: float(row(system)[gold]) for system, gold in pairs.items()}
    kept = {system: worth for system, worth in worths.items() if worth}
    return Weighted({system: pairs[system] for system in kept}, kept)


def table_pairs(table: Numbers) -> list[tuple[int, int]]:
    """Return row and column of the pairs that SciPy's solver chooses in a full table: as many as possible.

    Among pairs of equal worth the choice depends on the solver and on which side forms the rows.

    >>> table_pairs(np.array([[0.0, 1.0], [1.0, 1.0], [0.0, 0.0]]))
    [(0, 1), (1, 0)]
    """
    if len(table) == 1:
        return [(0, int(table[0].argmax()))]
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(table, maximize=True)
    return list(zip(rows.tolist(), columns.tolist(), strict=True))


def _candidates(row: RowOf, systems: int) -> list[dict[int, float]] | None:
    """Return the gold items of positive worth for each system item, or None if there are too many."""
    candidates: list[dict[int, float]] = []
    size = 0
    for system in range(systems):
        weights = row(system)
        places = np.flatnonzero(weights)
        size += len(places)
        if size > MOST_CANDIDATES:
            return None
        candidates.append(dict(zip(places.tolist(), weights[places].tolist(), strict=True)))
    return candidates


def _best_first(row: RowOf, systems: int, golds: int) -> Weighted:
    """Pair greedily, best first.

    The heap has the greatest worth of an item when it was last computed, which can only decrease. After a few
    recomputations an item takes its best free partner directly, which bounds the work.
    """
    free = np.ones(golds)
    made = Weighted({}, {}, is_best=False)
    heap: list[tuple[float, int, int, int]] = []
    for system in range(systems):
        weights = row(system)
        best = int(weights.argmax())
        heap.append((-float(weights[best]), system, best, 0))
    heapify(heap)
    while heap and heap[0][0]:
        worth, system, best, looks = heappop(heap)
        if not free[best]:
            weights = row(system) * free
            best = int(weights.argmax())
            worth = -float(weights[best])
            if heap and worth > heap[0][0] and looks < _MOST_LOOKS:
                heappush(heap, (worth, system, best, looks + 1))
                continue
        if worth:
            made.pairs[system], made.worth[system] = best, -worth
            free[best] = 0
    return made
