"""Pairs that are worth something between 0 and 1: those that give the greatest total, one to one.

What a pair is worth, by words or by meaning, is said by a likeness: the gold triples of a document, with how alike any
other triple is to each of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import heapify, heappop, heappush
from math import fsum
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from karat.matching.optimal import optimal
from karat.protocols.triples.triples import Triple

MOST_CELLS = 1_000_000
"""Up to how many pairs of triples of a document are all weighed; beyond, only those that have something in common."""
MOST_CANDIDATES = 250_000
"""How many of those may be solved exactly; beyond, the best pairs are made first."""

_MOST_LOOKS = 20
"""How often the best partner of a triple may be taken away before it gets the next best at once."""

Numbers = NDArray[np.float64]


class Likeness(Protocol):
    """The gold triples of a document, and how alike any other triple is to each of them."""

    size: int

    def row(self, triple: Triple) -> Numbers:
        """Return how alike a triple is to each gold triple, from 0 to 1."""


class Graded(NamedTuple):
    """The gold partner of each system triple, and what each pair is worth."""

    pairs: dict[int, int]
    worth: dict[int, float]

    @property
    def total(self) -> float:
        """The worth of all pairs."""
        return fsum(self.worth.values())


def graded_pairs(
    gold: Sequence[Triple], system: Sequence[Triple], likeness_to: Callable[[Sequence[Triple]], Likeness]
) -> Graded:
    """Pair the triples of a document so that the pairs are worth as much as possible.

    It is exact up to ``MOST_CELLS`` pairs of triples, or ``MOST_CANDIDATES`` with something in common. Beyond, the best
    pairs are made first, so that they may be worth less than possible.
    """
    if not gold or not system:
        return Graded({}, {})
    likeness = likeness_to(gold)
    if _are_equal(gold, system):
        return _valued({at: at for at in range(len(gold))}, likeness.row, system)
    if len(gold) * len(system) <= MOST_CELLS:
        matrix = np.stack([likeness.row(triple) for triple in system])
        return _valued(_assigned(matrix), lambda triple: matrix[triple], range(len(system)))
    candidates = _candidates(likeness, system)
    if candidates is None:
        return _best_first(likeness, system)
    pairs = optimal([list(row) for row in candidates], lambda one, two: candidates[one][two])
    return Graded(pairs, {one: candidates[one][two] for one, two in pairs.items()})


def is_oversized(
    gold: Sequence[Triple], system: Sequence[Triple], likeness_to: Callable[[Sequence[Triple]], Likeness]
) -> bool:
    """Say whether the triples of a document are too many for the pairs to be exact."""
    if len(gold) * len(system) <= MOST_CELLS or _are_equal(gold, system):
        return False
    return _candidates(likeness_to(gold), system) is None


def _are_equal(gold: Sequence[Triple], system: Sequence[Triple]) -> bool:
    return [triple[:3] for triple in gold] == [triple[:3] for triple in system]


def _valued(pairs: dict[int, int], row: Callable[[Any], Numbers], system: Sequence[Any]) -> Graded:
    """Return the pairs that are worth something, with what they are."""
    worth = {one: float(row(system[one])[two]) for one, two in pairs.items()}
    return Graded({one: two for one, two in pairs.items() if worth[one]}, {one: of for one, of in worth.items() if of})


def _assigned(matrix: Numbers) -> dict[int, int]:
    if len(matrix) == 1:
        return {0: int(matrix[0].argmax())}
    from scipy.optimize import linear_sum_assignment

    systems, golds = linear_sum_assignment(matrix, maximize=True)
    return dict(zip(systems.tolist(), golds.tolist(), strict=True))


def _candidates(likeness: Likeness, system: Sequence[Triple]) -> list[dict[int, float]] | None:
    """Return the gold triples with which each system triple has something in common; nothing if they are too many."""
    found: list[dict[int, float]] = []
    number = 0
    for triple in system:
        row = likeness.row(triple)
        places = np.flatnonzero(row)
        number += len(places)
        if number > MOST_CANDIDATES:
            return None
        found.append(dict(zip(places.tolist(), row[places].tolist(), strict=True)))
    return found


def _best_first(likeness: Likeness, system: Sequence[Triple]) -> Graded:
    """Make the best pairs first.

    The heap says what a triple was worth at best when it was last looked at, which can only become less. So as not to
    look too often, a triple that was looked at a few times takes the best that is free.
    """
    free = np.ones(likeness.size)
    found = Graded({}, {})
    heap: list[tuple[float, int, int, int]] = []
    for at, triple in enumerate(system):
        row = likeness.row(triple)
        best = int(row.argmax())
        heap.append((-float(row[best]), at, best, 0))
    heapify(heap)
    while heap and heap[0][0]:
        worth, at, best, looks = heappop(heap)
        if not free[best]:
            row = likeness.row(system[at]) * free
            best = int(row.argmax())
            worth = -float(row[best])
            if heap and worth > heap[0][0] and looks < _MOST_LOOKS:
                heappush(heap, (worth, at, best, looks + 1))
                continue
        if worth:
            found.pairs[at], found.worth[at] = best, -worth
            free[best] = 0
    return found
