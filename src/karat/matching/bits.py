"""Candidates as sets of bits, for items with several places: a number in which bit *n* stands for gold item *n*.

Two items overlap if neither is over before the other begins. Which gold items begin before a system item ends, and
which are over before it begins, is one sweep over sorted offsets each; what must hold in several places at once is the
intersection of their bits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from karat.matching.augment import augmented


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


def most_pairs(rows: Sequence[int], preferred: Mapping[int, int], most: int) -> dict[int, int]:
    """Return the gold partner of each system item that has one: as many pairs as possible, the preferred ones first.

    The row of a system item has the bits of the gold items that it could be paired with. Where all rows together have
    more than ``most`` bits, each item takes the first partner that is free, which gives at least half of the pairs
    there could be.

    >>> most_pairs([0b11, 0b01], {0: 0}, most=100)
    {0: 1, 1: 0}
    """
    pairs = {system: gold for system, gold in preferred.items() if rows[system] >> gold & 1}
    free = ~sum(1 << gold for gold in pairs.values())
    for system, row in enumerate(rows):
        candidates = row & free
        if candidates and system not in pairs:
            lowest = candidates & -candidates
            pairs[system] = lowest.bit_length() - 1
            free ^= lowest
    if len(pairs) == sum(map(bool, rows)) or number_of_bits(rows) > most:
        return dict(sorted(pairs.items()))
    return augmented([list(positions(row)) for row in rows], pairs)


def number_of_bits(rows: Iterable[int]) -> int:
    """Return how many bits are set in all rows together."""
    return sum(row.bit_count() for row in rows)
