"""Why two protocols give different numbers on the same data: the numbers that differ, and the items behind them."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby, zip_longest
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING

import msgspec

from karat.evaluation.ledger import Entry, Item
from karat.matching.equivalence import representatives
from karat.measures.ratios import same_number

if TYPE_CHECKING:
    from karat.evaluation.scores import Row, Scores


_Waiting = dict[Hashable, deque[tuple[int, Entry]]]
"""Entries without a counterpart in the other ledger so far, with their order, by items and judgement."""


class Difference(msgspec.Struct, frozen=True):
    """Items of a unit on which two ledgers differ, with the entries of both; one side may be empty.

    Entries that share an item are one difference: a pair of one protocol, and the missed and the spurious item that
    the other protocol makes of it.
    """

    first: tuple[Entry, ...]
    second: tuple[Entry, ...]

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The entries of both ledgers."""
        return self.first + self.second


class Shift(msgspec.Struct, frozen=True):
    """One number under two protocols."""

    first: Row
    second: Row

    @property
    def change(self) -> float | None:
        """The second value minus the first, or None if one of them is undefined."""
        if self.first.value is None or self.second.value is None:
            return None
        return self.second.value - self.first.value


class Comparison(msgspec.Struct, frozen=True):
    """The results of one system under two protocols, the numbers that differ, and the items judged differently.

    Args:
        first: the scores under the first protocol.
        second: the scores under the second protocol.
        shifts: the numbers that differ.
        differences: the items judged differently; filters may have left some out.
        found: the number of all items judged differently.
        texts: the texts of the units, as far as they were read.

    """

    first: Scores
    second: Scores
    shifts: Sequence[Shift]
    differences: Sequence[Difference]
    found: int = 0
    texts: Mapping[str, str] = {}


def differences(
    first: Iterable[Entry], second: Iterable[Entry], *, regime: str | None = None, renamed: str | None = None
) -> list[Difference]:
    """Return the differences between two ledgers of the same data, unit by unit.

    Two entries are the same if they are about the same items with the same labels, case and verdicts under the
    regimes of both ledgers. With ``regime``, only the verdicts under that regime are compared; ``renamed`` is its name
    in the second ledger, if that differs.

    >>> gold, system = Item("LOC", "Bern", (0, 1)), Item("LOC", "Bern city", (0, 2))
    >>> pair = Entry("d1", "NE", "LOC", "overlap", {"fuzzy": "correct"}, "shares a token", gold, system)
    >>> missed = Entry("d1", "NE", "LOC", "missed", {"fuzzy": "missed"}, "not found", gold)
    >>> spurious = Entry("d1", "NE", "LOC", "spurious", {"fuzzy": "spurious"}, "nothing there", None, system)
    >>> [[entry.case for entry in difference.entries] for difference in differences([pair], [missed, spurious])]
    [['overlap', 'missed', 'spurious']]
    """
    comparison = LedgerComparison(regime=regime, renamed=renamed)
    units = (groupby(side, key=attrgetter("unit")) for side in (first, second))
    for left, right in zip_longest(*units):
        comparison.add(left[1] if left else (), right[1] if right else ())
    return comparison.differences()


class LedgerComparison:
    """Compares two ledgers while they are read, and keeps only the entries that differ.

    Entries are compared as in :func:`differences`.
    """

    def __init__(self, *, regime: str | None = None, renamed: str | None = None) -> None:
        self._names = regime, renamed or regime
        self._units: tuple[dict[str, None], dict[str, None]] = {}, {}
        self._regimes: tuple[set[str], set[str]] = set(), set()
        self._waiting: tuple[_Waiting, _Waiting] = {}, {}
        self._entries = 0

    def add(self, first: Iterable[Entry], second: Iterable[Entry]) -> None:
        """Add the next entries of both ledgers; memory is least if both are about the same units."""
        for side, entries in enumerate((first, second)):
            for entry in entries:
                self._add(side, entry)

    def _add(self, side: int, entry: Entry) -> None:
        regime = self._names[side]
        if regime is not None and regime not in entry.verdicts:
            return
        self._units[side][entry.unit] = None
        self._regimes[side].update(entry.verdicts)
        key = _judged_items(entry, [*sorted(entry.verdicts)] if regime is None else regime)
        waiting = self._waiting[1 - side]
        if key in waiting:
            waiting[key].popleft()
            if not waiting[key]:
                del waiting[key]
            return
        self._entries += 1
        self._waiting[side].setdefault(key, deque()).append((self._entries, entry))

    def differences(self) -> list[Difference]:
        """Return the differences between what was added, unit by unit."""
        ordered = (sorted(chain(*waiting.values()), key=itemgetter(0)) for waiting in self._waiting)
        sides = [[entry for _, entry in side] for side in ordered]
        shared = sorted(self._regimes[0] & self._regimes[1])
        keys = [
            [_judged_items(entry, shared if regime is None else regime) for entry in side]
            for side, regime in zip(sides, self._names, strict=True)
        ]
        rest = _beyond(sides[0], keys[0], keys[1]), _beyond(sides[1], keys[1], keys[0])
        units = {unit: rank for rank, unit in enumerate(dict.fromkeys(chain(*self._units)))}
        return sorted(_joined(*rest), key=lambda difference: units[difference.entries[0].unit])


def _judged_items(entry: Entry, regimes: str | Sequence[str]) -> Hashable:
    """Return the items of an entry with its verdict under one regime, or with all verdicts, case and labels."""
    if isinstance(regimes, str):
        return *_items(entry), entry.verdicts.get(regimes)
    key = (*_items(entry), *((regime, entry.verdicts.get(regime)) for regime in regimes))
    return key, entry.case, *(item and item.label for item in (entry.gold, entry.system))


def changes(first: Iterable[Entry], second: Iterable[Entry], *, regime: str | None = None) -> list[Difference]:
    """Return the items on which two systems differ, given their ledgers on the same gold, unit by unit.

    Entries are paired by their gold item, or by their system item if they have no gold item. A pair of entries is the
    same if the cases and the verdicts are the same, under ``regime`` or under all regimes.

    >>> gold, shorter = Item("LOC", "Bern city", (0, 2)), Item("LOC", "Bern", (0, 1))
    >>> pair = Entry("d1", "NE", "LOC", "overlap", {"fuzzy": "correct"}, "shares a token", gold, shorter)
    >>> missed = Entry("d1", "NE", "LOC", "missed", {"fuzzy": "missed"}, "not found", gold)
    >>> [[entry.case for entry in change.entries] for change in changes([pair], [missed])]
    [['overlap', 'missed']]
    """
    sides = [_by_item(side, regime) for side in (first, second)]
    differences = []
    for key in dict.fromkeys(chain(*sides)):
        left, right = (side.get(key, []) for side in sides)
        if len(left) == len(right) == 1 and _judgement(left[0], regime) == _judgement(right[0], regime):
            continue  # as nearly all are, which need no counting
        judged = [[_judgement(entry, regime) for entry in entries] for entries in (left, right)]
        rest = tuple(_beyond(left, judged[0], judged[1])), tuple(_beyond(right, judged[1], judged[0]))
        if any(rest):
            differences.append(Difference(*rest))
    units = {unit: rank for rank, unit in enumerate(dict.fromkeys(key[0] for key in chain(*sides)))}
    return sorted(differences, key=lambda change: units[change.entries[0].unit])


def _by_item(entries: Iterable[Entry], regime: str | None) -> dict[tuple[Hashable, ...], list[Entry]]:
    """Return entries by their gold item, or by their system item if they have no gold item."""
    entries_by_item: dict[tuple[Hashable, ...], list[Entry]] = {}
    for entry in entries:
        if regime is None or regime in entry.verdicts or not entry.verdicts:
            item = entry.gold or entry.system
            side = "gold" if entry.gold else "system"
            about = (item.label, item.text, item.span, item.place if entry.gold else "") if item else ()
            entries_by_item.setdefault((*_whereabouts(entry), side, *about), []).append(entry)
    return entries_by_item


def _judgement(entry: Entry, regime: str | None) -> Hashable:
    verdicts = frozenset(entry.verdicts.items()) if regime is None else entry.verdicts.get(regime)
    return entry.case, verdicts


def shifts(first: Scores, second: Scores) -> list[Shift]:
    """Return the numbers that both results have and that differ by more than rounding errors.

    >>> from karat.evaluation.scores import Row, Scores
    >>> from karat.evaluation.tally import Tallies
    >>> rows = [(Row("f1", "strict", "micro", "NE", value),) for value in (1.0, 0.5)]
    >>> one, other = (Scores("small", "team1", several, "", Tallies([], [])) for several in rows)
    >>> [(shift.first.name, shift.change) for shift in shifts(one, other)]
    [('f1[layer=NE,regime=strict,avg=micro]', -0.5)]
    """
    second_rows = {row.name: row for row in second.rows}
    both = (Shift(row, second_rows[row.name]) for row in first.rows if row.name in second_rows)
    return [shift for shift in both if not same_number(shift.first.value, shift.second.value)]


def names_by_order(units: Sequence[str], others: Sequence[str]) -> dict[str, str]:
    """Return the unit names by ``others``, paired by order, if the lists have equal lengths but no common name.

    Two protocols may name the documents of one file differently.

    >>> names_by_order(["news (1)", "news (2)"], ["news-1", "news-2"])
    {'news-1': 'news (1)', 'news-2': 'news (2)'}
    """
    if len(units) != len(others) or not set(units).isdisjoint(others):
        return {}
    return dict(zip(others, units, strict=True))


def _beyond(entries: Iterable[Entry], keys: Iterable[Hashable], other_keys: Iterable[Hashable]) -> Iterator[Entry]:
    """Yield the entries whose key is missing in the other ledger or occurs less often there."""
    known = Counter(other_keys)
    for entry, key in zip(entries, keys, strict=True):
        if known[key]:
            known[key] -= 1
        else:
            yield entry


def _joined(first: Iterable[Entry], second: Iterable[Entry]) -> Iterator[Difference]:
    """Yield the entries grouped by shared items, directly or through other entries."""
    sides = list(first), list(second)
    classes = representatives((items[0], item) for items in map(_items, chain(*sides)) for item in items)
    groups: dict[Hashable, tuple[list[Entry], list[Entry]]] = {}
    for side_index, side in enumerate(sides):
        for entry in side:
            groups.setdefault(classes[_items(entry)[0]], ([], []))[side_index].append(entry)
    return (Difference(tuple(left), tuple(right)) for left, right in groups.values())


def _items(entry: Entry) -> list[Hashable]:
    """Return the keys that identify the items of an entry.

    Labels are left out, since protocols may read them differently, unless an item has no other key.
    """
    sides = (("gold", entry.gold), ("system", entry.system))
    return [(*_whereabouts(entry), side, *_identity(item)) for side, item in sides if item] or [_whereabouts(entry)]


def _identity(item: Item) -> tuple[Hashable, ...]:
    return (item.text, item.span) if item.text or item.span else (item.label,)


def _whereabouts(entry: Entry) -> tuple[str, str, str]:
    return entry.unit, entry.layer, entry.slice
