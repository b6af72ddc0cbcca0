"""As many one-to-one pairs as possible between triples that agree, given as bits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from karat.matching.augment import augmented

MOST_CANDIDATES = 250_000
"""How many pairs are weighed against each other in a document; beyond, each triple takes the first that is free."""


def paired(rows: Sequence[int], preferred: Mapping[int, int]) -> dict[int, int]:
    """Return the gold partner of each system triple that has one; the preferred ones are taken where it is possible.

    In a document with more than ``MOST_CANDIDATES`` candidates there may be fewer pairs than possible, but at least
    half as many.

    >>> paired([0b11, 0b01], {0: 0})
    {0: 1, 1: 0}
    """
    pairs = {one: two for one, two in preferred.items() if rows[one] >> two & 1}
    free = ~sum(1 << two for two in pairs.values())
    for one, row in enumerate(rows):
        left = row & free
        if one not in pairs and left:
            lowest = left & -left
            pairs[one] = lowest.bit_length() - 1
            free ^= lowest
    if len(pairs) == sum(map(bool, rows)) or is_oversized(rows):
        return dict(sorted(pairs.items()))
    return augmented([list(bits(row)) for row in rows], pairs)


def is_oversized(rows: Sequence[int]) -> bool:
    """Say whether there are too many candidates for all of them to be weighed."""
    return sum(row.bit_count() for row in rows) > MOST_CANDIDATES


def bits(number: int) -> Iterator[int]:
    """Yield the positions of the bits that are set, the lowest first.

    >>> list(bits(0b1010))
    [1, 3]
    """
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest
