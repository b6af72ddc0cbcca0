"""Candidates as sets of bits, for items with several places: a number in which bit *n* stands for gold item *n*.

Two items overlap if neither is over before the other begins. Which gold items begin before a system item ends, and
which are over before it begins, is one sweep over sorted offsets each; what must hold in several places at once is the
intersection of their bits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def below(values: Sequence[int], limits: Sequence[int]) -> list[int]:
    """Return for each limit, as bits, which values are below it.

    >>> [bin(bits) for bits in below([5, 1, 3], [2, 9])]
    ['0b10', '0b111']
    """
    order = sorted(range(len(values)), key=values.__getitem__)
    rows = [0] * len(limits)
    bits = reached = 0
    for place in sorted(range(len(limits)), key=limits.__getitem__):
        while reached < len(order) and values[order[reached]] < limits[place]:
            bits |= 1 << order[reached]
            reached += 1
        rows[place] = bits
    return rows


def positions(bits: int) -> Iterator[int]:
    """Yield the positions of the bits that are set, the lowest first.

    >>> list(positions(0b1010))
    [1, 3]
    """
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest
