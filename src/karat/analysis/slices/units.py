"""Slices by features of units: the metadata, name and length of their documents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import accumulate

from karat.evaluation.tally import Group, Tallies

PARTS = 4
"""The number of length ranges of documents."""
NONE = "(none)"
"""The value of units whose document does not have the metadata key."""


def part_of(group: Group, name: str, value: str) -> Group:
    """Return the group for a slice of a group; a slice of the protocol is divided further.

    >>> part_of(Group("NE"), "length", "2")
    Group(layer='NE', slice='length=2', label=None)
    """
    return group._replace(slice=f"{name}={value}" + (f" {group.slice}" if group.slice else ""))


def by_unit(tallies: Tallies, name: str, values: Sequence[str]) -> Tallies:
    """Return the tallies of units by slices, given the value of each unit."""
    sliced = (
        {part_of(group, name, value): counts for group, counts in tallies.row(unit).items()}
        for unit, value in enumerate(values)
    )
    return Tallies(tallies.units, sliced)


def length_ranges(lengths: Sequence[int]) -> list[str]:
    """Return the range of each length; ranges have equal numbers of units, as far as equal lengths allow.

    >>> length_ranges([3, 900, 12, 12, 40])
    ['3', '900', '12', '12', '40']
    """
    counted = sorted(Counter(lengths).items())
    ends = list(accumulate(units for _, units in counted))
    parts: dict[int, list[int]] = {}
    for (length, units), past in zip(counted, ends, strict=True):
        middle = past - (units + 1) / 2
        parts.setdefault(int(PARTS * middle / len(lengths)), []).append(length)
    ranges = {length: _range(several) for several in parts.values() for length in several}
    return [ranges[length] for length in lengths]


def _range(lengths: Sequence[int]) -> str:
    return f"{lengths[0]}-{lengths[-1]}" if len(lengths) > 1 else str(lengths[0])
