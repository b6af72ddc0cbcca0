"""The items on which two systems differ: from which case to which, and for which of the two they speak."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from karat.differences import changes
from karat.ledger import Entry
from karat.runs.run import Run

NOTHING = "-"
"""What a system says of an item that it does not have."""
_WORTH = {"correct": 3, "partial": 2, "missed": 1, "incorrect": 0, "spurious": 0}
"""How outcomes stand to each other: what is wrong costs more than what was left out."""
_UNSAID = 1
"""What it is worth to say nothing where the other system invents something."""


class Change(msgspec.Struct, frozen=True):
    """An item that is another case for two systems; ``favours`` is 1 or -1 for the system whose verdict is better."""

    unit: str
    layer: str
    slice: str
    label: str
    cases: tuple[str, str]
    favours: int


class Changes(msgspec.Struct, frozen=True):
    """All items that are another case for two systems; those with another verdict decide between them."""

    first: str
    second: str
    regime: str
    items: tuple[Change, ...]

    def decide(self) -> tuple[int, int]:
        """Return how many items speak for the first system, and for the second."""
        counted = Counter(item.favours for item in self.items)
        return counted[1], counted[-1]

    def by(self, key: Callable[[Change], Any]) -> dict[Any, tuple[int, int, int]]:
        """Return how many items there are of each kind, and how many speak for either; the most frequent first."""
        kinds: dict[Any, list[Change]] = {}
        for item in self.items:
            kinds.setdefault(key(item), []).append(item)
        counted = {
            kind: (len(own), sum(item.favours > 0 for item in own), sum(item.favours < 0 for item in own))
            for kind, own in kinds.items()
        }
        return dict(sorted(counted.items(), key=lambda entry: (-entry[1][0], str(entry[0]))))

    def by_case(self) -> dict[tuple[str, str], tuple[int, int, int]]:
        """Return how many items went from which case to which, and how many of them speak for either."""
        return self.by(lambda item: item.cases)

    def parts(self, name: str, run: Run) -> dict[str, tuple[int, int, int]]:
        """Return the same by label, slice, unit or document, or by a key of the metadata."""
        own: Mapping[str, Callable[[Change], str]] = {
            "label": lambda item: item.label,
            "slice": lambda item: item.slice,
            "unit": lambda item: item.unit,
        }
        if name in own:
            return self.by(own[name])
        of_units = dict(zip(run.tallies.units, run.documents, strict=True))
        if name != "document":
            values = (metadata.get(name, NOTHING) for metadata in run.metadata)
            of_units = dict(zip(run.tallies.units, values, strict=True))
        return self.by(lambda item: of_units.get(item.unit, NOTHING))

    def to_dict(self) -> dict[str, Any]:
        """Return plain dictionaries and lists, ready for JSON."""
        return msgspec.to_builtins(self)  # type: ignore[no-any-return]


def item_changes(names: Sequence[str], ledgers: Sequence[Iterable[Entry]], regime: str) -> Changes:
    """Return the items on which two systems differ under a regime, given their ledgers on the same gold."""
    (first, second), (ours, theirs) = names, ledgers
    found = [_change(change.first, change.second, regime) for change in changes(ours, theirs, regime=regime)]
    return Changes(first, second, regime, tuple(found))


def _change(first: Sequence[Entry], second: Sequence[Entry], regime: str) -> Change:
    entry = (*first, *second)[0]
    cases = tuple("+".join(entry.case for entry in side) or NOTHING for side in (first, second))
    ours, theirs = (_worth(side, regime) for side in (first, second))
    favours = (ours > theirs) - (ours < theirs)
    return Change(entry.unit, entry.layer, entry.slice, entry.label, (cases[0], cases[1]), favours)


def _worth(entries: Sequence[Entry], regime: str) -> float:
    known = [_WORTH[entry.verdicts[regime]] for entry in entries if regime in entry.verdicts]
    return sum(known) / len(known) if known else _UNSAID
