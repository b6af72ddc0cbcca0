"""The items on which two systems differ: from which case to which, and for which of the two they speak."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from karat.analysis.differences import changes
from karat.analysis.slices.breakdowns import Breakdown
from karat.analysis.slices.features import FEATURES
from karat.analysis.slices.items import ItemSlicer
from karat.analysis.summary import unit_values
from karat.evaluation.ledger import Entry, Outcome
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


def item_changes(
    names: Sequence[str], ledgers: Sequence[Iterable[Entry]], number: Row, slicer: ItemSlicer | None = None
) -> Changes:
    """Return the items behind a number on which two systems differ, given their ledgers on the same gold.

    A ``slicer`` tells what each of them is like.
    """
    (first, second), regime = names, number.regime
    held = [list(ledger) for ledger in ledgers]
    asked = [slicer.asking(entries) if slicer else None for entries in held]
    all_changes = []
    for difference in changes(*(_behind(number, entries) for entries in held), regime=regime):
        asking = asked[0] if difference.first else asked[1]
        features = asking(difference.entries[0]) if asking else {}
        change = _change(difference.first, difference.second, regime, features)
        if number.label in (None, change.label):
            all_changes.append(change)
    items = (item for item in all_changes if item.slice == number.slice)
    return Changes(first, second, regime, tuple(items), tuple(item for item in all_changes if item.slice))


def _behind(number: Row, entries: Iterable[Entry]) -> list[Entry]:
    """Return the items that a number counts, with the answers that could not be read."""
    return [entry for entry in entries if entry.layer == number.layer or not entry.verdicts]


def _change(first: Sequence[Entry], second: Sequence[Entry], regime: str, features: Mapping[str, str]) -> Change:
    entry = (*first, *second)[0]
    cases = tuple("+".join(entry.case for entry in side) or NOTHING for side in (first, second))
    outcomes = ([entry.verdicts[regime] for entry in side if regime in entry.verdicts] for side in (first, second))
    favours = favoured(*outcomes)
    return Change(entry.unit, entry.layer, entry.slice, entry.label, (cases[0], cases[1]), favours, features)


def favoured(first: Sequence[Outcome], second: Sequence[Outcome]) -> int:
    """Return 1 or -1 for the system for which an item speaks, given what it is for both; 0 if it speaks for neither.

    >>> favoured(["correct"], ["missed"]), favoured(["spurious"], []), favoured(["missed"], ["missed"])
    (1, -1, 0)
    """
    left, right = (sum(map(_WORTH.__getitem__, side)) / len(side) if side else _UNSAID for side in (first, second))
    return (left > right) - (left < right)
