"""Maximum matching: the largest number of pairs, by augmenting paths (Hopcroft and Karp).

Candidates are lists, or bit sets for items with several spans: integers in which bit *n* stands for gold item *n*. Two
items overlap if neither ends before the other begins. The gold items that begin before a system item ends, and those
that end before it begins, come from one sweep over sorted offsets each; a condition on several spans is the
intersection of their bit sets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from karat.matching.greedy import Candidates, first_free


def most_pairs(candidates: Candidates, preferred: Mapping[int, int] | None = None) -> dict[int, int]:
    """Return a maximum matching that starts from the preferred pairs.

    Preferred pairs come first, then each item is paired with the first free one, then pairs are exchanged. An item of a
    preferred pair stays paired, but possibly with another item.

    >>> most_pairs([[0, 1], [0], []])
    {0: 1, 1: 0}
    """
    return augmented(candidates, first_free(candidates, preferred))


def augmented(candidates: Candidates, pairs: Mapping[int, int]) -> dict[int, int]:
    """Return a maximum matching in which every item that ``pairs`` has paired stays paired.

    Takes at most the number of candidates times the square root of the number of items.

    >>> augmented([[0, 1], [0]], {0: 0})
    {0: 1, 1: 0}
    """
    golds = dict(pairs)
    systems = {gold: system for system, gold in golds.items()}
    while True:
        layers = _layers(candidates, golds, systems)
        if layers is None:
            return dict(sorted(golds.items()))
        tried = [iter(row) for row in candidates]
        for system, row in enumerate(candidates):
            if row and system not in golds:
                _extend(system, tried, layers, golds, systems)


def _layers(candidates: Candidates, golds: dict[int, int], systems: dict[int, int]) -> dict[int, int] | None:
    """Return the distance in pairs of each system item from a free one, or None if no free gold item is reachable."""
    layers = {system: 0 for system, row in enumerate(candidates) if row and system not in golds}
    front = list(layers)
    while front:
        later: list[int] = []
        arrived = False
        for system in front:
            for gold in candidates[system]:
                partner = systems.get(gold)
                if partner is None:
                    arrived = True
                elif partner not in layers:
                    layers[partner] = layers[system] + 1
                    later.append(partner)
        if arrived:
            return layers
        front = later
    return None


def _extend(
    root: int, tried: list[Iterator[int]], layers: dict[int, int], golds: dict[int, int], systems: dict[int, int]
) -> None:
    """Find a path through the layers from a free system item to a free gold item, and exchange its pairs."""
    path: list[tuple[int, int]] = []
    system = root
    while True:
        for gold in tried[system]:
            partner = systems.get(gold)
            if partner is None:
                for left, right in [*path, (system, gold)]:
                    golds[left], systems[right] = right, left
                return
            if layers.get(partner) == layers[system] + 1:
                path.append((system, gold))
                system = partner
                break
        else:
            if not path:
                return
            system, _ = path.pop()


def below(values: Sequence[int], limits: Sequence[int]) -> list[int]:
    """Return for each limit the set of values below it, as bits.

    >>> [bin(bits) for bits in below([5, 1, 3], [2, 9])]
    ['0b10', '0b111']
    """
    order = sorted(range(len(values)), key=values.__getitem__)
    rows = [0] * len(limits)
    bits = reached = 0
    for index in sorted(range(len(limits)), key=limits.__getitem__):
        while reached < len(order) and values[order[reached]] < limits[index]:
            bits |= 1 << order[reached]
            reached += 1
        rows[index] = bits
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


def most_pairs_of_bits(rows: Sequence[int], preferred: Mapping[int, int], most: int) -> dict[int, int]:
    """Return the gold partner of each paired system item in a maximum matching, preferred pairs first.

    The row of a system item is the bit set of its gold candidates. If all rows together have more than ``most`` bits,
    each item takes its first free candidate, which gives at least half of the possible pairs.

    >>> most_pairs_of_bits([0b11, 0b01], {0: 0}, most=100)
    {0: 1, 1: 0}
    """
    pairs = {system: gold for system, gold in preferred.items() if rows[system] >> gold & 1}
    free = ~sum(1 << gold for gold in pairs.values())
    for system, row in enumerate(rows):
        candidates = row & free
        if candidates and system not in pairs:
            first = candidates & -candidates  # alone the lowest bit: the first gold item that is free
            pairs[system] = first.bit_length() - 1
            free ^= first
    if len(pairs) == sum(map(bool, rows)) or number_of_bits(rows) > most:
        return dict(sorted(pairs.items()))
    return augmented([list(positions(row)) for row in rows], pairs)


def number_of_bits(rows: Iterable[int]) -> int:
    """Return how many bits are set in all rows together."""
    return sum(row.bit_count() for row in rows)
