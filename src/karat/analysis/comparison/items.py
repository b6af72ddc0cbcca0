"""The items on which two systems differ: from which case to which, and for which of the two they speak."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

import msgspec

from karat.analysis.differences import changes
from karat.analysis.slices.breakdowns import Breakdown
from karat.analysis.slices.features import FEATURES
from karat.analysis.slices.items import ItemSlicer
from karat.analysis.summary import unit_values
from karat.evaluation.ledger import Entry, Outcome, PackedEntries
from karat.evaluation.run import Run
from karat.evaluation.scores import Row

NOTHING = "-"
"""What a system says of an item that it does not have."""
_WORTH: Mapping[Outcome, int] = {"correct": 3, "partial": 2, "missed": 1, "incorrect": 0, "spurious": 0}
"""How outcomes stand to each other: what is wrong costs more than what was left out."""
_UNSAID = 1
"""What it is worth to say nothing where the other system invents something."""


class Change(msgspec.Struct, frozen=True):
    """An item that is another case for two systems; ``favours`` is 1 or -1 for the system whose verdict is better.

    ``features`` are what the item is like, as far as that was asked for.
    """

    unit: str
    layer: str
    slice: str
    label: str
    cases: tuple[str, str]
    favours: int
    features: Mapping[str, str] = {}


class Changes(msgspec.Struct, frozen=True):
    """All items behind a number that are another case for two systems; those with another verdict decide between them.

    ``sliced`` are those of the parts of the data that the protocol itself tells apart: the same items again.
    """

    first: str
    second: str
    regime: str
    items: tuple[Change, ...]
    sliced: tuple[Change, ...] = ()

    def decide(self) -> tuple[int, int]:
        """Return how many items speak for the first system, and for the second."""
        counted = Counter(item.favours for item in self.items)
        return counted[1], counted[-1]

    def by(self, key: Callable[[Change], Any]) -> dict[Any, tuple[int, int, int]]:
        """Return how many items there are of each kind, and how many speak for either; the most frequent first."""
        return _counted(self.items, key)

    def by_slice(self) -> dict[str, tuple[int, int, int]]:
        """Return the same for each part of the data that the protocol tells apart."""
        return _counted(self.sliced, lambda item: item.slice)

    def by_case(self) -> dict[tuple[str, str], tuple[int, int, int]]:
        """Return how many items went from which case to which, and how many of them speak for either."""
        return self.by(lambda item: item.cases)

    def parts(self, breakdown: Breakdown, run: Run) -> dict[str, tuple[int, int, int]]:
        """Return the same by label or unit, by what items are like, or by what the run knows of its units."""
        if breakdown.of_items:
            by_feature = self.by(lambda item: item.features.get(breakdown.name, NOTHING))
            order = [*FEATURES[breakdown.name].values, NOTHING]
            return dict(sorted(by_feature.items(), key=lambda part: order.index(part[0])))
        if not breakdown.of_units:
            return self.by(lambda item: getattr(item, breakdown.name))
        values = dict(zip(run.tallies.units, unit_values(run, breakdown), strict=True))
        return self.by(lambda item: values.get(item.unit, NOTHING))

    def to_dict(self) -> dict[str, Any]:
        """Return plain dictionaries and lists, ready for JSON."""
        return msgspec.to_builtins(self)  # type: ignore[no-any-return]


def _counted(items: Iterable[Change], key: Callable[[Change], Any]) -> dict[Any, tuple[int, int, int]]:
    kinds: dict[Any, list[int]] = {}
    for item in items:
        kinds.setdefault(key(item), []).append(item.favours)
    counted = {kind: (len(favours), favours.count(1), favours.count(-1)) for kind, favours in kinds.items()}
    return dict(sorted(counted.items(), key=lambda entry: (-entry[1][0], str(entry[0]))))


class Standing(NamedTuple):
    """What a ledger says of an item: how it is booked, the case, and the outcome under each regime."""

    layer: str
    slice: str
    label: str
    case: str
    outcomes: Mapping[str, Outcome]


class ItemComparison:
    """Compares the ledgers of two systems on the same gold unit by unit, and keeps only items on which they differ.

    The ledger of the first system waits as compressed bytes. A slicer tells what each item is like.
    """

    def __init__(self, slicer: ItemSlicer | None = None) -> None:
        self._slicer = slicer
        self._waiting: dict[str, deque[PackedEntries[Entry]]] = {}
        """By unit, the ledgers of the first system without their counterparts of the second; names may repeat."""
        self._kept: dict[str, list[_DifferingItem]] = {}
        self._standings: dict[Hashable, Standing] = {}
        """Equal standings are kept once."""

    def add_first(self, unit: str, entries: list[Entry]) -> None:
        """Add the ledger of the next unit of the first system, of which all come before those of the second."""
        self._kept.setdefault(unit, [])
        self._waiting.setdefault(unit, deque()).append(PackedEntries(entries, Entry))

    def add_second(self, unit: str, entries: list[Entry]) -> None:
        """Add the ledger of the next unit of the second system."""
        waiting = self._waiting.get(unit)
        self._keep(unit, waiting.popleft().unpacked() if waiting else [], entries)

    def _keep(self, unit: str, first: list[Entry], second: list[Entry]) -> None:
        """Keep the items of a unit of which the case, or the outcome under any regime, is another one."""
        kept = self._kept.setdefault(unit, [])
        differences = changes(first, second)
        asking = [self._slicer.asking(side) for side in (first, second)] if self._slicer and differences else []
        for difference in differences:
            features = asking[0 if difference.first else 1](difference.entries[0]) if asking else {}
            left, right = (tuple(map(self._standing, side)) for side in (difference.first, difference.second))
            kept.append(_DifferingItem(left, right, features))

    def _standing(self, entry: Entry) -> Standing:
        standing = Standing(entry.layer, entry.slice, entry.label, entry.case, entry.verdicts)
        return self._standings.setdefault((*standing[:4], *entry.verdicts.items()), standing)

    def changes(self, first: str, second: str, number: Row) -> Changes:
        """Return the items behind a number on which the systems differ, once both ledgers are through."""
        for unit, waiting in self._waiting.items():
            while waiting:
                self._keep(unit, waiting.popleft().unpacked(), [])
        found = (item.change(unit, number) for unit, items in self._kept.items() for item in items)
        own = [change for change in found if change is not None and number.label in (None, change.label)]
        items = (change for change in own if change.slice == number.slice)
        return Changes(first, second, number.regime, tuple(items), tuple(change for change in own if change.slice))


class _DifferingItem(NamedTuple):
    """What two ledgers say of an item on which they differ, and what the item is like."""

    first: tuple[Standing, ...]
    second: tuple[Standing, ...]
    features: Mapping[str, str]

    def change(self, unit: str, number: Row) -> Change | None:
        """Return the change that is behind a number, if there is one."""
        left, right = (_behind(number, side) for side in (self.first, self.second))
        first, second = _beyond(left, right, number.regime), _beyond(right, left, number.regime)
        if not first and not second:
            return None
        booked = (*first, *second)[0]
        cases = tuple("+".join(standing.case for standing in side) or NOTHING for side in (first, second))
        outcomes = (
            [side.outcomes[number.regime] for side in own if number.regime in side.outcomes] for own in (first, second)
        )
        favours = favoured(*outcomes)
        return Change(unit, booked.layer, booked.slice, booked.label, (cases[0], cases[1]), favours, self.features)


def _behind(number: Row, standings: Iterable[Standing]) -> list[Standing]:
    """Return those that a number counts, with the answers that could not be read, which have no outcome."""
    return [
        standing
        for standing in standings
        if not standing.outcomes or (standing.layer == number.layer and number.regime in standing.outcomes)
    ]


def _beyond(standings: Iterable[Standing], others: Iterable[Standing], regime: str) -> list[Standing]:
    """Return those that the others do not have, by case and outcome, or not as often."""
    known = Counter((other.case, other.outcomes.get(regime)) for other in others)
    rest = []
    for standing in standings:
        key = standing.case, standing.outcomes.get(regime)
        if known[key]:
            known[key] -= 1
        else:
            rest.append(standing)
    return rest


def item_changes(
    names: Sequence[str], ledgers: Sequence[Iterable[Entry]], number: Row, slicer: ItemSlicer | None = None
) -> Changes:
    """Return the items behind a number on which two systems differ, given their ledgers on the same gold.

    A ``slicer`` tells what each of them is like.
    """
    comparison = ItemComparison(slicer)
    for add, ledger in zip((comparison.add_first, comparison.add_second), ledgers, strict=True):
        for unit, entries in groupby(ledger, key=attrgetter("unit")):
            add(unit, list(entries))
    first, second = names
    return comparison.changes(first, second, number)


def favoured(first: Sequence[Outcome], second: Sequence[Outcome]) -> int:
    """Return 1 or -1 for the system for which an item speaks, given what it is for both; 0 if it speaks for neither.

    >>> favoured(["correct"], ["missed"]), favoured(["spurious"], []), favoured(["missed"], ["missed"])
    (1, -1, 0)
    """
    left, right = (sum(map(_WORTH.__getitem__, side)) / len(side) if side else _UNSAID for side in (first, second))
    return (left > right) - (left < right)
