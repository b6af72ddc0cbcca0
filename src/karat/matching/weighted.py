"""The pairs of the greatest total worth, where every pair may be worth something between 0 and 1.

What a system item is worth with each of the gold items is a row of numbers, which is asked for when it is needed.
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
    """The gold partner of each system item, what each pair is worth, and whether no other pairs are worth more."""

    pairs: dict[int, int]
    worth: dict[int, float]
    is_best: bool = True

    @property
    def total(self) -> float:
        """The worth of all pairs."""
        return fsum(self.worth.values())


def weighted_pairs(row: RowOf, systems: int, golds: int) -> Weighted:
    """Pair so many items so that the pairs are worth as much as possible.

    It is exact up to ``MOST_CELLS`` pairs, or ``MOST_CANDIDATES`` that are worth something. Beyond, the best pairs are
    made first, so that they may be worth less than possible, but at least half of it.
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
    """Return those of some pairs that are worth something, with what they are."""
    worths = {system: float(row(system)[gold]) for system, gold in pairs.items()}
    kept = {system: worth for system, worth in worths.items() if worth}
    return Weighted({system: pairs[system] for system in kept}, kept)


def table_pairs(table: Numbers) -> list[tuple[int, int]]:
    """Return row and column of the pairs that SciPy's solver takes of a full table: as many as there can be.

    Of pairs that are worth the same it depends on the solver, and on what is a row, which of them it takes.

    >>> table_pairs(np.array([[0.0, 1.0], [1.0, 1.0], [0.0, 0.0]]))
    [(0, 1), (1, 0)]
    """
    if len(table) == 1:
        return [(0, int(table[0].argmax()))]
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(table, maximize=True)
    return list(zip(rows.tolist(), columns.tolist(), strict=True))


def _candidates(row: RowOf, systems: int) -> list[dict[int, float]] | None:
    """Return the gold items with which each system item is worth something; nothing if they are too many."""
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
    """Make the best pairs first.

    The heap says what an item was worth at best when it was last looked at, which can only become less. So as not to
    look too often, an item that was looked at a few times takes the best that is free.
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
