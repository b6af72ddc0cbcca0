"""Finding the gold items that each system item overlaps, by one sweep over both sides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Spanned(Protocol):
    """Anything with a half-open range."""

    @property
    def start(self) -> int:
        """The first position."""

    @property
    def end(self) -> int:
        """The position behind the last."""


def overlapping(gold: Sequence[Spanned], system: Sequence[Spanned]) -> list[list[int]]:
    """Return for each system item the indices of the gold items that share a position with it, in gold order.

    Both sides must be sorted by their start. The work is linear in the items and the overlaps.

    >>> from collections import namedtuple
    >>> S = namedtuple("S", "start end")
    >>> overlapping([S(0, 2), S(4, 9)], [S(1, 5), S(9, 10)])
    [[0, 1], []]
    """
    starts, ends = [item.start for item in gold], [item.end for item in gold]
    found: list[list[int]] = []
    active: list[int] = []
    reached = 0
    for item in system:
        start, end = item.start, item.end
        while reached < len(starts) and starts[reached] < end:
            active.append(reached)
            reached += 1
        active = [index for index in active if ends[index] > start]
        found.append([index for index in active if starts[index] < end])
    return found
