"""Overlaps by sweeping over both sides: which gold items each system item could be paired with."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from math import inf
from typing import Protocol

from karat.matching.fragments import Spans, common
from karat.settings import LIMITS, limit

MOST_CANDIDATES = 250_000
"""How many pairs of one document may overlap before only the nearest are candidates."""
ONLY_NEIGHBOURS = (
    f"more than {MOST_CANDIDATES:,} pairs of a document overlap, so that items meet their neighbours only; "
    f"the setting {LIMITS}, such as {LIMITS}=10, lets more of them be compared"
)
"""What is to be said where only the nearest were candidates."""
_NEAREST = 8


class Spanned(Protocol):
    """Anything with a half-open range."""

    @property
    def start(self) -> int:
        """The first position."""

    @property
    def end(self) -> int:
        """The position after the last."""


class Placed(Spanned, Protocol):
    """Anything with one or more fragments within its range."""

    @property
    def spans(self) -> Spans:
        """The fragments, in order; touching ones are merged. An item without a place has none."""


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


def first_overlapping(gold: Sequence[Spanned], system: Sequence[Spanned]) -> list[int | None]:
    """Return for each system item the first gold item that shares a position with it, or None; in any order.

    Each gold item in turn takes all remaining system items that it overlaps, so each system item is visited once.

    >>> from collections import namedtuple
    >>> S = namedtuple("S", "start end")
    >>> first_overlapping([S(4, 9), S(0, 5)], [S(1, 5), S(0, 2), S(9, 10)])
    [0, 1, None]
    """
    order = sorted(
        (index for index, item in enumerate(system) if item.start < item.end), key=lambda index: system[index].start
    )
    starts = [system[index].start for index in order]
    left = _Ends([system[index].end for index in order])
    firsts: list[int | None] = [None] * len(system)
    for gold_index, item in enumerate(gold):
        place = left.first_behind(item.start) if item.start < item.end else None
        while place is not None and starts[place] < item.end:
            firsts[order[place]] = gold_index
            left.take_out(place)
            place = left.first_behind(item.start)
    return firsts


class _Ends:
    """The ends of items as a tree of maxima, from which items can be removed.

    The tree is a list: the root is node 1, the children of node 3 are 6 and 7, and the leaves, in the second half, are
    the items. A node has the largest end below it, so that one descent, to the left where that is large enough, finds
    the first item.
    """

    def __init__(self, ends: Sequence[int]) -> None:
        self.size = 1 << max(0, len(ends) - 1).bit_length()
        self.largest: list[float] = [-inf] * self.size + [*ends] + [-inf] * (self.size - len(ends))
        for node in range(self.size - 1, 0, -1):
            self.largest[node] = max(self.largest[2 * node], self.largest[2 * node + 1])

    def first_behind(self, position: int) -> int | None:
        """Return the first item that ends after a position, or None."""
        node = 1
        if self.largest[node] <= position:
            return None
        while node < self.size:
            node = 2 * node if self.largest[2 * node] > position else 2 * node + 1
        return node - self.size

    def take_out(self, index: int) -> None:
        """Remove an item."""
        node = index + self.size
        self.largest[node] = -inf
        while node > 1:
            node //= 2
            self.largest[node] = max(self.largest[2 * node], self.largest[2 * node + 1])


def number_overlapping(gold: Sequence[Spanned], system: Sequence[Spanned]) -> int:
    """Return how many pairs share a position, without enumerating them."""
    starts, ends = sorted(item.start for item in gold), sorted(item.end for item in gold)
    return sum(bisect_left(starts, item.end) - bisect_right(ends, item.start) for item in system)


def are_crowded(gold: Sequence[Placed], system: Sequence[Placed]) -> bool:
    """Tell whether so many pairs overlap that :func:`candidates` returns only the nearest ones."""
    golds, systems = ([item for item in side if item.spans] for side in (gold, system))
    return number_overlapping(golds, systems) > limit(MOST_CANDIDATES)


def candidates(gold: Sequence[Placed], system: Sequence[Placed]) -> list[list[int]]:
    """Return for each system item the gold items of which a fragment overlaps one of its own.

    Both sides must be sorted by start, end and fragments, with those last that have no place: they are no candidates,
    and have none. If the others are crowded, only the gold items nearest to a system item in that order, and those with
    the same spans among them, are returned, so that time and memory stay bounded.
    """
    if are_crowded(gold, system):
        rows = _near(gold, system)
    else:
        rows = overlapping(gold, system)
        if all(len(item.spans) == 1 for side in (gold, system) for item in side):
            return rows
    return [[index for index in row if meets(gold[index], item)] for item, row in zip(system, rows, strict=True)]


def _near(gold: Sequence[Placed], system: Sequence[Placed]) -> list[list[int]]:
    """Return for each system item the few gold items around the index at which it would be inserted among them."""
    order = [(item.start, item.end, item.spans) for item in gold if item.spans]
    places = (bisect_left(order, (item.start, item.end, item.spans)) for item in system)
    return [list(range(max(0, rank - _NEAREST), min(len(order), rank + _NEAREST))) for rank in places]


def meets(gold: Placed, system: Placed) -> bool:
    """Tell whether two items share a position."""
    return common(gold.spans, system.spans) > 0
