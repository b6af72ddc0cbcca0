"""Tallies: the counts of a unit from which every measure can be computed, and which add up.

A tally maps a :class:`Group` (which layer, which slice, which label) to a vector of counts; the protocol names the
places of the vector. Everything downstream (sums, averages, resamples, a cluster) works on tallies alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import fsum
from typing import NamedTuple

import msgspec


class Group(NamedTuple):
    """What a vector of counts is about; ``label=None`` is all labels together, ``slice=""`` all of the data."""

    layer: str = ""
    slice: str = ""
    label: str | None = None


Counts = tuple[float, ...]
Tally = dict[Group, Counts]

_MOST_KNOWN = 10_000
"""Different tallies that are compared with others."""


def add(tallies: Iterable[Tally], weights: Iterable[int] | None = None) -> Tally:
    """Return the sum of tallies, each taken as often as its weight says.

    Groups keep the order in which they are first seen. Sums of fractions are exact before they are rounded once, so
    they do not depend on the order of the tallies.

    >>> add([{Group("NE"): (1, 0)}, {Group("NE"): (2, 5)}], weights=[1, 2])
    {Group(layer='NE', slice='', label=None): (5, 10)}
    """
    if weights is not None:
        tallies = (tally for tally, weight in zip(tallies, weights, strict=True) for _ in range(weight))
    members: dict[Group, list[Counts]] = {}
    for tally in tallies:
        for group, counts in tally.items():
            members.setdefault(group, []).append(counts)
    return {group: tuple(map(_sum, _places(vectors))) for group, vectors in members.items()}


def _places(vectors: Sequence[Counts]) -> Iterator[list[float]]:
    """Yield the numbers at each place of vectors, of which there may be a million."""
    return ([vector[place] for vector in vectors] for place in range(len(vectors[0])))


def _sum(numbers: Sequence[float]) -> float:
    """Return a whole number for whole numbers, else the exact sum as a float."""
    total = sum(numbers)
    return total if isinstance(total, int) else fsum(numbers)


def held_once(tallies: Iterable[Tally]) -> list[Tally]:
    """Return tallies, of which equal ones are one and the same as far as there are not too many: most units are alike.

    >>> first, second = held_once([{Group(): (1, 0)}, {Group(): (1, 0)}])
    >>> first is second
    True
    """
    known: dict[tuple[tuple[Group, Counts], ...], Tally] = {}
    held = []
    for tally in tallies:
        key = tuple(tally.items())
        equal = known.get(key)
        if equal is None and len(known) < _MOST_KNOWN:
            known[key] = tally
        held.append(equal if equal is not None and _kinds(equal) == _kinds(tally) else tally)
    return held


def _kinds(tally: Tally) -> list[type]:
    """Return which numbers are whole: 0 and 0.0 are equal, and shown differently."""
    return [type(number) for counts in tally.values() for number in counts]


class Tallies(msgspec.Struct, frozen=True):
    """The tally of each unit of one evaluation, in the order of the gold data."""

    units: Sequence[str]
    rows: Sequence[Tally]

    def total(self) -> Tally:
        """Return the tally of the whole evaluation."""
        return add(self.rows)

    def of(self, group: Group) -> list[tuple[int, Counts]]:
        """Return the counts of a group in each unit that has any, with the unit's index."""
        return [(index, tally[group]) for index, tally in enumerate(self.rows) if group in tally]

    def name_order(self) -> list[int]:
        """Return the places of the units in the order of their names, whatever the order of the data.

        Units that are named alike are ordered by their counts.

        >>> Tallies(["b", "a"], [{Group(): (1,)}, {Group(): (2,)}]).name_order()
        [1, 0]
        """
        shared = {name for name, times in Counter(self.units).items() if times > 1}
        named = [
            (name, _in_order(tally) if name in shared else "")
            for name, tally in zip(self.units, self.rows, strict=True)
        ]
        return sorted(range(len(named)), key=named.__getitem__)

    def at(self, places: Iterable[int]) -> Tallies:
        """Return the tallies of some units, in this order."""
        chosen = list(places)
        return Tallies([self.units[place] for place in chosen], [self.rows[place] for place in chosen])


def _in_order(tally: Tally) -> str:
    """Return what a tally holds as a text that does not depend on the order of its groups."""
    return repr(sorted((group[:2], group.label or "", group.label is None, counts) for group, counts in tally.items()))
