"""Tallies: the counts of a unit from which every measure can be computed, and which add up.

A tally maps a :class:`Group` (which layer, which slice, which label) to a vector of counts; the protocol names the
places of the vector. Everything downstream (sums, averages, resamples, a cluster) works on tallies alone.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, repeat
from math import fsum
from typing import NamedTuple

import msgspec

from karat.compact import Alike, CompactColumn, Packed, widened


class Group(NamedTuple):
    """What a vector of counts is about; ``label=None`` is all labels together, ``slice=""`` all of the data."""

    layer: str = ""
    slice: str = ""
    label: str | None = None


Counts = tuple[float, ...]
Tally = dict[Group, Counts]


def add(tallies: Iterable[Tally], weights: Iterable[int] | None = None) -> Tally:
    """Return the sum of tallies, each taken as often as its weight says.

    Groups keep the order in which they are first seen. Sums of fractions are exact before they are rounded once, so
    they do not depend on the order of the tallies.

    >>> add([{Group("NE"): (1, 0)}, {Group("NE"): (2, 5)}], weights=[1, 2])
    {Group(layer='NE', slice='', label=None): (5, 10)}
    """
    if weights is not None:
        tallies = (tally for tally, weight in zip(tallies, weights, strict=True) for _ in range(weight))
    return Rows(tallies).total()


class Rows(CompactColumn[Tally]):
    """The tallies of units, of which most are alike: each vector of counts of a group is kept once.

    >>> rows = Rows([{Group(): (1, 0)}, {Group(): (1, 0)}, {}])
    >>> rows[1], len(rows), rows.total()[Group()]
    ({Group(layer='', slice='', label=None): (1, 0)}, 3, (2, 0))
    """

    __slots__ = ("_codes", "_counted", "_ends", "_entries", "_groups", "_kinds")

    def __init__(self, tallies: Iterable[Tally] = ()) -> None:
        self._entries = Alike[tuple[float, ...]](Packed[tuple[float, ...]](tuple))
        """The place of a group among all, then its counts."""
        self._groups: list[Group] = []
        self._codes: dict[Group, int] = {}
        self._ends = array("B", [0])
        self._kinds: dict[tuple[type, ...], tuple[type, ...]] = {}
        self._counted: dict[Group, list[tuple[Counts, int]]] | None = None
        for tally in tallies:
            self.append(tally)

    @classmethod
    def of_entries(cls, groups: Iterable[Group], entries: Iterable[tuple[int, ...]], ends: Iterable[int]) -> Rows:
        """Return the tallies of units, given their entries: the place of a group among all, then whole numbers.

        The entries of a unit end before those of the next one begin.

        >>> Rows.of_entries([Group(), Group(label="LOC")], [(0, 2), (1, 2), (0, 0)], ends=[2, 3])[1]
        {Group(layer='', slice='', label=None): (0,)}
        """
        rows = cls()
        rows._groups += groups
        rows._codes |= {group: code for code, group in enumerate(rows._groups)}
        rows._ends = array("I", [0, *ends])
        rows._entries = Alike.of(entries)
        return rows

    def append(self, tally: Tally) -> None:
        """Add the tally of a unit; 0 and 0.0 are equal, and shown differently, so they are not alike."""
        for group, counts in tally.items():
            code = self._codes.get(group)
            if code is None:
                code = self._codes[group] = len(self._groups)
                self._groups.append(group)
            kinds = tuple(map(type, counts))
            entry = code, *counts
            self._entries.append(entry, (entry, self._kinds.setdefault(kinds, kinds)))
        try:
            self._ends.append(len(self._entries))
        except OverflowError:
            self._ends = widened(self._ends, len(self._entries))
        self._counted = None

    def _at(self, index: int) -> Tally:
        entries = self._entries[self._ends[index] : self._ends[index + 1]]
        return {self._groups[int(code)]: tuple(counts) for code, *counts in entries}

    def __len__(self) -> int:
        return len(self._ends) - 1

    def counted(self) -> dict[Group, list[tuple[Counts, int]]]:
        """Return the different counts of each group, with how many units have them, as they were first met."""
        if self._counted is None:
            members: dict[Group, list[tuple[Counts, int]]] = {}
            for (code, *counts), times in self._entries.times:
                members.setdefault(self._groups[int(code)], []).append((tuple(counts), times))
            self._counted = members
        return self._counted

    def total(self, *, labels: bool = True) -> Tally:
        """Return the sum of all tallies, as :func:`add` does, with the groups of single labels or without them."""
        return {group: _sum(vectors) for group, vectors in self.counted().items() if labels or group.label is None}


def _sum(vectors: Sequence[tuple[Counts, int]]) -> Counts:
    """Return the sum of vectors, each of which is there so many times; most labels have only one, once."""
    if len(vectors) == 1 and vectors[0][1] == 1:
        return tuple(vectors[0][0])
    return tuple(map(_sum_of, _places(vectors)))


def _places(vectors: Sequence[tuple[Counts, int]]) -> Iterator[list[tuple[float, int]]]:
    """Yield the numbers at each place of vectors, each with how often it is there."""
    return ([(vector[index], times) for vector, times in vectors] for index in range(len(vectors[0][0])))


def _sum_of(numbers: Sequence[tuple[float, int]]) -> float:
    """Return a whole number for whole numbers, else the exact sum as a float."""
    total = sum(number * times for number, times in numbers)
    return total if isinstance(total, int) else fsum(chain.from_iterable(repeat(*number) for number in numbers))


class Tallies(msgspec.Struct, frozen=True):
    """The tally of each unit of one evaluation, in the order of the gold data."""

    units: Sequence[str]
    rows: Sequence[Tally]

    def total(self, *, labels: bool = True) -> Tally:
        """Return the tally of the whole evaluation, with the groups of single labels or without them."""
        return self.compact().total(labels=labels)

    def compact(self) -> Rows:
        """Return the tallies as they need little memory."""
        return self.rows if isinstance(self.rows, Rows) else Rows(self.rows)

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
        named = [(name, _in_order(self.rows[index]) if name in shared else "") for index, name in enumerate(self.units)]
        return sorted(range(len(named)), key=named.__getitem__)

    def at(self, places: Iterable[int]) -> Tallies:
        """Return the tallies of some units, in this order."""
        chosen, units = list(places), list(self.units)
        return Tallies([units[index] for index in chosen], [self.rows[index] for index in chosen])


def _in_order(tally: Tally) -> str:
    """Return what a tally holds as a text that does not depend on the order of its groups."""
    return repr(sorted((group[:2], group.label or "", group.label is None, counts) for group, counts in tally.items()))
