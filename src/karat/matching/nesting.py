"""Nested ranges: finding the first one that contains another or lies in it, and counting such pairs.

Ranges in a text are often nested so that nearly all pairs qualify. Instead of looking at each pair, a tree over the
ends of the ranges, which are sorted by their starts, leads to the first partner that is still free.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from math import inf

from karat.model import Span


class Nest:
    """Ranges sorted by start and end, each free until it is taken.

    A node of the tree covers a sequence of ranges, and has the lowest and the highest end of those still free. The root
    is node 1, the children of node 3 are 6 and 7, and the leaves are the ranges.

    >>> nest = Nest([(0, 9), (1, 3), (2, 3)])
    >>> nest.first((1, 3)), list(nest.meeting((1, 3)))
    (0, [0, 1, 2])
    >>> nest.take(0)
    >>> nest.first((2, 5))
    2
    """

    def __init__(self, ranges: Sequence[Span]) -> None:
        self._starts = [start for start, _ in ranges]
        self._leaves = 1 << max(0, len(ranges) - 1).bit_length()
        gaps = self._leaves - len(ranges)
        ends = [end for _, end in ranges]
        self._highest: list[float] = [-inf] * self._leaves + ends + [-inf] * gaps
        self._lowest: list[float] = [inf] * self._leaves + ends + [inf] * gaps
        for node in range(self._leaves - 1, 0, -1):
            self._sum_up(node)

    def take(self, index: int) -> None:
        """Mark a range as taken."""
        node = index + self._leaves
        self._highest[node], self._lowest[node] = -inf, inf
        while node > 1:
            node //= 2
            self._sum_up(node)

    def first(self, span: Span, begin: int = 0) -> int | None:
        """Return the first free range from index ``begin`` on that contains the span or lies in it, or None."""
        start, end = span
        behind = bisect_right(self._starts, start)
        whole = self._leftmost(begin, behind, lambda node: self._highest[node] >= end)
        inside = max(begin, bisect_left(self._starts, start))
        last = len(self._starts) if whole is None else whole
        part = self._leftmost(inside, last, lambda node: self._lowest[node] <= end)
        return whole if part is None else part

    def meeting(self, span: Span) -> Iterator[int]:
        """Yield all free ranges that contain the span or lie in it."""
        index = self.first(span)
        while index is not None:
            yield index
            index = self.first(span, index + 1)

    def _sum_up(self, node: int) -> None:
        left, right = 2 * node, 2 * node + 1
        self._highest[node] = max(self._highest[left], self._highest[right])
        self._lowest[node] = min(self._lowest[left], self._lowest[right])

    def _leftmost(self, begin: int, end: int, fits: Callable[[int], bool]) -> int | None:
        """Return the first index whose leaf fits; an inner node fits if a leaf below it does."""
        while begin < end:
            node, width = begin + self._leaves, 1
            while not node % 2 and begin + 2 * width <= end:
                node, width = node // 2, 2 * width
            if fits(node):
                while node < self._leaves:
                    node = 2 * node if fits(2 * node) else 2 * node + 1
                return node - self._leaves
            begin += width
        return None


def number_nested(gold: Sequence[Span], system: Sequence[Span]) -> int:
    """Return how many pairs of ranges are nested or equal; both sides must be sorted.

    >>> number_nested([(0, 9), (1, 3)], [(1, 3), (2, 5)])
    3
    """
    golds = Counter(gold)
    same = sum(golds[span] for span in system)
    return _number_inside(gold, system) + _number_inside(system, gold) - same


def _number_inside(wholes: Sequence[Span], parts: Sequence[Span]) -> int:
    """Return how many pairs have the part within the whole: wholes that began, minus those that end before the part."""
    inside = reached = 0
    ends: list[int] = []
    for start, end in parts:
        while reached < len(wholes) and wholes[reached][0] <= start:
            insort(ends, wholes[reached][1])
            reached += 1
        del ends[: bisect_left(ends, start)]
        inside += len(ends) - bisect_left(ends, end)
    return inside
