"""Tallies: the counts of a unit from which every measure can be computed, and which add up.

A tally maps a :class:`Group` (which layer, which slice, which label) to a vector of counts; the protocol names the
counts of the vector. :class:`Tallies` is the table of the tallies of all units. Everything downstream (sums, averages,
resamples, a cluster) works on this table alone.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain, repeat
from math import fsum
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Group(NamedTuple):
    """What a vector of counts is about; ``label=None`` is all labels together, ``slice=""`` all of the data."""

    layer: str = ""
    slice: str = ""
    label: str | None = None


Counts = tuple[float, ...]
Tally = dict[Group, Counts]

_AT_ONCE = 256
"""Vectors that are moved into the columns together."""
_WHOLE = "bhiq"
"""Type codes of arrays of whole numbers, the narrowest first."""


def add(tallies: Iterable[Tally], weights: Iterable[int] | None = None) -> Tally:
    """Return the sum of tallies, each taken as often as its weight says.

    Groups keep the order in which they are first seen. Sums of fractions are exact before they are rounded once, so
    they do not depend on the order of the tallies.

    >>> add([{Group("NE"): (1, 0)}, {Group("NE"): (2, 5)}], weights=[1, 2])
    {Group(layer='NE', slice='', label=None): (5, 10)}
    """
    if weights is not None:
        tallies = (tally for tally, weight in zip(tallies, weights, strict=True) for _ in range(weight))
    table = Tallies()
    for tally in tallies:
        table.append("", tally)
    return table.total()


class NumberColumn:
    """One count of all entries, as an array that is as narrow as its numbers allow.

    A column with fractions is an array of floats and remembers which of them were whole numbers, because 0 and 0.0 are
    printed differently.

    >>> column = NumberColumn([1, 300])
    >>> column.extend([0.5])
    >>> column.numbers, column[1], column[2]
    (array('d', [1.0, 300.0, 0.5]), 300, 0.5)
    """

    def __init__(self, numbers: Sequence[float] = ()) -> None:
        self.numbers: array[Any] = array(_WHOLE[0])
        self.is_float = bytearray()
        """For each number of a column with fractions, 1 if it is a float; empty if all numbers are whole."""
        self.extend(numbers)

    @classmethod
    def of_arrays(cls, numbers: array[Any], is_float: bytearray | None = None) -> NumberColumn:
        """Return a column of an array; one of floats needs to be told which of them are no whole numbers."""
        column = cls()
        column.numbers, column.is_float = numbers, is_float or bytearray()
        return column

    def extend(self, numbers: Sequence[float]) -> None:
        """Add numbers behind the others."""
        flags = bytes([not isinstance(number, int) for number in numbers])
        if any(flags) or self.is_float:
            self._become_floats()
            self.numbers.extend(numbers)
            self.is_float += flags
            return
        for code in _WHOLE[_WHOLE.index(self.numbers.typecode) :]:
            try:
                added = array(code, numbers)
            except OverflowError:
                if code == _WHOLE[-1]:
                    raise
                continue
            self._append(added)
            break

    def _append(self, added: array[Any]) -> None:
        """Add an array of whole numbers behind the others, as wide as the wider of both."""
        if added.typecode != self.numbers.typecode:
            self.numbers = array(added.typecode, self.numbers)
        self.numbers += added

    def _become_floats(self) -> None:
        if self.numbers.typecode != "d":
            self.is_float = bytearray(len(self.numbers))
            self.numbers = array("d", self.numbers)

    def __getitem__(self, index: int) -> float:
        number: float = self.numbers[index]
        return int(number) if self.is_float and not self.is_float[index] else number

    def __len__(self) -> int:
        return len(self.numbers)

    def sum(self, indices: Sequence[int]) -> float:
        """Return the sum of some numbers: a whole number if all of them are, else the exact sum as a float."""
        numbers = map(self.numbers.__getitem__, indices)
        if not self.is_float:
            whole: int = sum(numbers)
            return whole
        total = fsum(numbers)
        return total if any(map(self.is_float.__getitem__, indices)) else int(total)

    def at(self, indices: Iterable[int]) -> NumberColumn:
        """Return the column of some of its numbers."""
        chosen = list(indices)
        numbers = array(self.numbers.typecode, map(self.numbers.__getitem__, chosen))
        return self.of_arrays(numbers, bytearray(map(self.is_float.__getitem__, chosen)) if self.is_float else None)

    def join(self, other: NumberColumn) -> None:
        """Add the numbers of another column behind the own ones."""
        if self.is_float or other.is_float:
            self._become_floats()
            self.numbers.extend(array("d", other.numbers))
            self.is_float += other.is_float or bytes(len(other))
        else:
            code = max(self.numbers.typecode, other.numbers.typecode, key=_WHOLE.index)
            self._append(array(code, other.numbers))


class Tallies:
    """The table of tallies: the counts of every group of every unit, in the order of the gold data.

    An entry of the table is one group of one unit. Entries stand unit by unit, a unit's groups in the order of its
    tally; ``columns`` hold their counts, one column for each count that the protocol names, and ``codes`` which of the
    ``groups`` each entry is about. Groups are numbered as they are first seen.

    >>> table = Tallies(["a", "b"], [{Group(): (1, 0)}, {Group(): (2, 1), Group(label="LOC"): (1, 1)}])
    >>> table.total()[Group()], table.row(1)[Group(label="LOC")], len(table)
    ((3, 1), (1, 1), 2)
    """

    def __init__(self, units: Iterable[str] = (), rows: Iterable[Tally] = ()) -> None:
        self.units: list[str] = []
        self.groups: list[Group] = []
        """The groups that any unit has, in the order in which they are first seen."""
        self.codes = array("i")
        """For each entry, the index of its group."""
        self._ends = array("q")
        """For each unit, the number of entries up to its last one."""
        self._numbers: dict[Group, int] = {}
        self._columns: list[NumberColumn] = []
        self._waiting: list[Counts] = []
        """Counts of the last entries, which are not in the columns yet."""
        self._members: list[array[int]] | None = None
        self._totals: dict[Group, Counts] = {}
        for unit, tally in zip(units, rows, strict=True):
            self.append(unit, tally)

    @classmethod
    def of_entries(
        cls,
        units: Iterable[str],
        ends: Iterable[int],
        groups: Iterable[Group],
        columns: Iterable[NumberColumn],
    ) -> Tallies:
        """Return the table of given entries.

        Args:
            units: the names of the units
            ends: for each unit, the number of entries up to its last one
            groups: the group of each entry
            columns: the counts of all entries, one column for each count

        """
        table = cls()
        table.units, table._ends, table._columns = list(units), array("q", ends), list(columns)
        table.codes = array("i", map(table._number, groups))
        return table

    def _number(self, group: Group) -> int:
        """Return the index of a group, which is a new one if it is seen for the first time."""
        number = self._numbers.get(group)
        if number is None:
            number = self._numbers[group] = len(self.groups)
            self.groups.append(group)
        return number

    def append(self, unit: str, tally: Tally) -> None:
        """Add the tally of a unit."""
        for group, counts in tally.items():
            self.codes.append(self._number(group))
            self._waiting.append(counts)
        self.units.append(unit)
        self._ends.append(len(self.codes))
        self._members = None
        self._totals.clear()
        if len(self._waiting) >= _AT_ONCE:
            self._store()

    def _store(self) -> None:
        """Move the counts of the last entries into the columns."""
        if self._waiting:
            self._columns = self._columns or [NumberColumn() for _ in self._waiting[0]]
            for column, numbers in zip(self._columns, zip(*self._waiting, strict=True), strict=True):
                column.extend(numbers)
            self._waiting.clear()

    @property
    def columns(self) -> Sequence[NumberColumn]:
        """The counts of all entries, one column for each count; none if there are no entries."""
        self._store()
        return self._columns

    @property
    def unit_numbers(self) -> Iterator[int]:
        """For each entry, the index of its unit."""
        starts = chain([0], self._ends)
        return chain.from_iterable(
            repeat(unit, end - start) for unit, (start, end) in enumerate(zip(starts, self._ends, strict=False))
        )

    @property
    def rows(self) -> list[Tally]:
        """The tally of each unit."""
        return [self.row(unit) for unit in range(len(self))]

    def row(self, unit: int) -> Tally:
        """Return the tally of the unit at an index."""
        return {
            self.groups[self.codes[entry]]: tuple([column[entry] for column in self.columns])
            for entry in self._entries(unit)
        }

    def _entries(self, unit: int) -> range:
        return range(self._ends[unit - 1] if unit else 0, self._ends[unit])

    def __len__(self) -> int:
        return len(self.units)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tallies):
            return NotImplemented
        return self.units == other.units and self.rows == other.rows

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Tallies({self.units!r}, {self.rows!r})"

    def total(self, *, labels: bool = True) -> Tally:
        """Return the sum of all tallies, with the groups of single labels or without them."""
        for group, code in self._numbers.items():
            if group not in self._totals and (labels or group.label is None):
                members = self._entries_by_group()[code]
                self._totals[group] = tuple([column.sum(members) for column in self.columns])
        return {group: self._totals[group] for group in self._numbers if labels or group.label is None}

    def of(self, group: Group) -> Iterator[Counts]:
        """Yield the counts of a group in each unit that has it."""
        members = self._entries_by_group()[self._numbers[group]] if group in self._numbers else ()
        return (tuple([column[entry] for column in self.columns]) for entry in members)

    def _entries_by_group(self) -> list[array[int]]:
        """Return for each group its entries."""
        if self._members is None:
            members = [array("q") for _ in self.groups]
            for entry, code in enumerate(self.codes):
                members[code].append(entry)
            self._members = members
        return self._members

    def arrays(self) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float64]]:
        """Return the table as NumPy arrays: for each entry its unit, its group, and its counts (entry × count)."""
        import numpy as np  # slow to load, and only statistics need matrices

        counts = [np.asarray(column.numbers, np.float64) for column in self.columns]
        matrix = np.array(counts).reshape(len(counts), len(self.codes)).T
        return np.fromiter(self.unit_numbers, np.intp, len(self.codes)), np.array(self.codes, np.intp), matrix

    def name_order(self) -> list[int]:
        """Return the indices of the units in the order of their names, whatever the order of the data.

        Units that are named alike are ordered by their counts.

        >>> Tallies(["b", "a"], [{Group(): (1,)}, {Group(): (2,)}]).name_order()
        [1, 0]
        """
        shared = {name for name, times in Counter(self.units).items() if times > 1}
        named = [(name, _in_order(self.row(index)) if name in shared else "") for index, name in enumerate(self.units)]
        return sorted(range(len(named)), key=named.__getitem__)

    def at(self, indices: Iterable[int]) -> Tallies:
        """Return the tallies of some units, in this order."""
        units = list(indices)
        entries = [entry for unit in units for entry in self._entries(unit)]
        return Tallies.of_entries(
            [self.units[unit] for unit in units],
            accumulate(len(self._entries(unit)) for unit in units),
            [self.groups[self.codes[entry]] for entry in entries],
            [column.at(entries) for column in self.columns],
        )


def concatenate(tables: Iterable[Tallies]) -> Tallies:
    """Return the units of several tables in one, which equals the table that all units together would have made.

    >>> parts = [Tallies(["a"], [{Group(): (1,)}]), Tallies(["b"], [{Group("NE"): (0.5,)}])]
    >>> concatenate(parts) == Tallies(["a", "b"], [{Group(): (1,)}, {Group("NE"): (0.5,)}])
    True
    """
    whole = Tallies()
    for table in tables:
        numbers = list(map(whole._number, table.groups))
        first = len(whole.codes)
        whole.codes.extend(map(numbers.__getitem__, table.codes))
        whole.units += table.units
        whole._ends.extend(first + end for end in table._ends)
        whole._columns = whole._columns or [NumberColumn() for _ in table.columns]
        for column, added in zip(whole._columns, table.columns, strict=bool(table.codes)):
            column.join(added)
    return whole


def _in_order(tally: Tally) -> str:
    """Return what a tally holds as a text that does not depend on the order of its groups."""
    return repr(sorted((group[:2], group.label or "", group.label is None, counts) for group, counts in tally.items()))
