"""Finding the gold items that each system item could be paired with, by one sweep over both sides."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Protocol

from karat.matching.places import Spans, common

MOST_CANDIDATES = 250_000
"""How many pairs of one document may overlap before only the nearest are candidates."""
_NEAREST = 8


class Spanned(Protocol):
    """Anything with a half-open range."""

    @property
    def start(self) -> int:
        """The first position."""

    @property
    def end(self) -> int:
        """The position behind the last."""


class Placed(Spanned, Protocol):
    """Anything with one or more fragments between its start and its end."""

    @property
    def spans(self) -> Spans:
        """The fragments, in order; those that touch are one."""


def overlapping(gold: Sequence[Spanned], system: Sequence[Spanned]) -> list[list[int]]:
    """Return for each system item the indices of the gold items that share a position with it, in gold order.

    Both sides must be sorted by their start. The work is linear in the items and the overlaps.

    >>> from collections import namedtuple
    >>> S = namedtuple("S", "start end")
    >>> overlapping([S(0, 2), S(4, 9)], [S(1, 5), S(9, 10)])
    [[0, 1], []]
    """
    starts, ends = [item.start for item in gold], [item.end for item in gold]
    rows: list[list[int]] = []
    active: list[int] = []
    reached = 0
    for item in system:
        start, end = item.start, item.end
        while reached < len(starts) and starts[reached] < end:
            active.append(reached)
            reached += 1
        active = [index for index in active if ends[index] > start]
        rows.append([index for index in active if starts[index] < end])
    return rows


def number_overlapping(gold: Sequence[Spanned], system: Sequence[Spanned]) -> int:
    """Return how many pairs share a position, without looking at each."""
    starts, ends = sorted(item.start for item in gold), sorted(item.end for item in gold)
    return sum(bisect_left(starts, item.end) - bisect_right(ends, item.start) for item in system)


def candidates(gold: Sequence[Placed], system: Sequence[Placed], most: int | None = None) -> list[list[int]]:
    """Return for each system item the gold items of which a fragment shares a position with one of its own.

    Both sides must be sorted by start, end and fragments. If more than ``most`` pairs overlap (``MOST_CANDIDATES``,
    unless said otherwise), only those are taken that stand near each other in that order, with the same place among
    them, so that time and memory stay within bounds.
    """
    if number_overlapping(gold, system) > (MOST_CANDIDATES if most is None else most):
        rows = _near(gold, system)
    else:
        rows = overlapping(gold, system)
        if all(len(item.spans) == 1 for side in (gold, system) for item in side):
            return rows
    return [[at for at in row if meets(gold[at], item)] for item, row in zip(system, rows, strict=True)]


def _near(gold: Sequence[Placed], system: Sequence[Placed]) -> list[list[int]]:
    """Return for each system item the few gold items that stand where it would stand among them."""
    order = [(item.start, item.end, item.spans) for item in gold]
    places = (bisect_left(order, (item.start, item.end, item.spans)) for item in system)
    return [list(range(max(0, place - _NEAREST), min(len(gold), place + _NEAREST))) for place in places]


def meets(gold: Placed, system: Placed) -> bool:
    """Say whether two items share a position."""
    return common(gold.spans, system.spans) > 0
