"""Collects the ledgers of systems, one system after the other, into the units that the reader shows.

A report has hundreds of thousands of items, and needs them one unit at a time, so ledgers are kept as compressed bytes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, overload

import msgspec

from karat.display.drawing.offsets import offsets_of, origin_of, placed
from karat.display.drawing.reader.origins import UNKNOWN, AnnotationOrigin, origin_of_item, origins_in
from karat.display.drawing.reader.units import (
    ItemVerdicts,
    ReaderRow,
    ReaderUnit,
    crop_text,
    declared_order,
    in_text_order,
)
from karat.evaluation.ledger import Entry, Item, PackedEntries

if TYPE_CHECKING:
    from karat.evaluation.evaluation import UnitLedger, Witness


class _LedgerEntry(msgspec.Struct, frozen=True, array_like=True):
    """An entry with offsets in the shown text, and with the origin of its annotations."""

    entry: Entry
    origin: AnnotationOrigin
    gold_answer: str


class _CollectedUnit(NamedTuple):
    """A unit with its name, the id and the text of its document, its title, and a ledger for each system."""

    name: str
    document: str
    text: str
    title: str
    ledgers: dict[int, PackedEntries[_LedgerEntry]]

    def unit(self, name: str, *, is_part: bool) -> ReaderUnit:
        """Return the unit for the reader, with only its own lines of the text if it is a part of a document."""
        unit = ReaderUnit(name, self.document, self.text, [], self.title)
        unit.rows = _merged({system: ledger.unpacked() for system, ledger in self.ledgers.items()})
        if is_part:
            crop_text(unit)
        unit.rows = in_text_order(unit.rows)
        return unit


class LedgerCollection:
    """Collects the ledgers of systems, one after the other; units with the same name are matched by order."""

    def __init__(self) -> None:
        self._units: dict[tuple[str, int], _CollectedUnit] = {}
        self._systems: list[list[tuple[str, int]]] = []
        self._entries: list[int] = []

    def next_system(self) -> Witness:
        """Return a function that receives the ledger of every unit of the next system."""
        system, seen = len(self._systems), Counter[str]()
        order: list[tuple[str, int]] = []
        self._systems.append(order)
        self._entries.append(0)

        def add(ledger: UnitLedger) -> None:
            key = ledger.unit, seen[ledger.unit]
            seen[ledger.unit] += 1
            unit = self._units.get(key)
            if unit is None:
                unit = self._units[key] = _CollectedUnit(ledger.unit, *origin_of(ledger), ledger.title, {})
            unit.ledgers[system] = PackedEntries(list(_described(ledger, unit.text)), _LedgerEntry)
            order.append(key)
            self._entries[system] += len(ledger.entries)

        return add

    def size(self) -> int:
        """Return the largest number of ledger entries of a system."""
        return max(self._entries, default=0)

    def ledgers(self, system: int) -> Iterator[list[Entry]]:
        """Yield the ledger of a system, unit by unit."""
        for key in self._systems[system]:
            yield [described.entry for described in self._units[key].ledgers[system].unpacked()]

    def units(self) -> ReaderUnits:
        """Return the units in the order of the gold, each with a name of its own."""
        return ReaderUnits.of(self._units.values())


def _described(ledger: UnitLedger, text: str) -> Iterator[_LedgerEntry]:
    """Yield the entries of a ledger with offsets in the shown text, confidences and sources."""
    gold_offsets, system_offsets = offsets_of(text, ledger)
    golds, systems = map(origins_in, ledger.pair) if ledger.pair else ({}, {})
    for entry in ledger.entries:
        origin = origin_of_item(entry.system, systems) if entry.system else UNKNOWN
        answer = origin_of_item(entry.gold, golds).answer if entry.gold else ""
        gold, system = placed(entry.gold, gold_offsets), placed(_scored(entry.system, origin), system_offsets)
        if gold is not entry.gold or system is not entry.system:
            entry = msgspec.structs.replace(entry, gold=gold, system=system)
        yield _LedgerEntry(entry, origin, answer)


def _scored(item: Item | None, origin: AnnotationOrigin) -> Item | None:
    """Return an item with the confidence that its system gives it."""
    if item is None or item.score is not None or origin.score is None:
        return item
    return msgspec.structs.replace(item, score=origin.score)


def _merged(ledgers: dict[int, list[_LedgerEntry]]) -> list[ReaderRow]:
    """Return the rows of a unit: entries of several systems about the same item share one."""
    rows: dict[tuple[Hashable, int], ReaderRow] = {}
    for system, ledger in ledgers.items():
        times: Counter[Hashable] = Counter()
        for entry, origin, answer in ((one.entry, one.origin, one.gold_answer) for one in ledger):
            content = (entry.layer, entry.slice, entry.gold is not None, *_identity(entry))
            row = rows.get((content, times[content]))
            if row is not None and _has_verdicts(
                row, system, entry
            ):  # an equal item that occurs again, not the same one
                times[content] += 1
                row = rows.get((content, times[content]))
            if row is None:
                row = ReaderRow(entry.layer, entry.slice, entry.label, entry.gold, {}, answer)
                rows[content, times[content]] = row
            judged = ItemVerdicts(entry.case, entry.verdicts, entry.reason, entry.system, *origin[1:])
            row.judged.setdefault(system, []).append(judged)
    return list(rows.values())


def _identity(entry: Entry) -> tuple[Hashable, ...]:
    item = entry.gold or entry.system
    if item is None:
        return (entry.label, entry.case)
    return item.label, item.alternatives, item.text, item.span, item.ends, item.place if not item.ends else ""


def _has_verdicts(row: ReaderRow, system: int, entry: Entry) -> bool:
    """Return whether a row already has a verdict under a regime of an entry; regimes may pair items differently."""
    return any(not entry.verdicts.keys().isdisjoint(judged.verdicts) for judged in row.judged.get(system, ()))


class UnitSummary(NamedTuple):
    """What a report often needs of a unit: its name, its number of items, their regimes and layers."""

    name: str
    items: int
    regimes: frozenset[str]
    layers: frozenset[str]
    has_text: bool
    is_part: bool
    """Whether the unit is one of several of its document."""


class ReaderUnits(Sequence[ReaderUnit]):
    """A sequence of units that are kept compressed and unpacked on access; slices of it have the same type."""

    def __init__(self, collected: Sequence[_CollectedUnit], summaries: Sequence[UnitSummary]) -> None:
        self._collected, self.summaries = collected, summaries

    @classmethod
    def of(cls, units: Iterable[_CollectedUnit]) -> ReaderUnits:
        """Return units with their summaries; units with the same name are numbered."""
        collected, summaries = list(units), []
        names, known = Counter[str](), dict[frozenset[str], frozenset[str]]()
        shared = Counter(unit.document for unit in collected)
        for unit in collected:
            names[unit.name] += 1
            name = unit.name if names[unit.name] == 1 else f"{unit.name} ({names[unit.name]})"
            is_part = shared[unit.document] > 1 and unit.name != unit.document
            rows = _merged({system: ledger.unpacked() for system, ledger in unit.ledgers.items()})
            judged = [one for row in rows for several in row.judged.values() for one in several]
            regimes = frozenset(regime for verdicts in judged for regime in verdicts.verdicts)
            layers = frozenset(row.layer for row in rows)
            sets = known.setdefault(regimes, regimes), known.setdefault(layers, layers)
            summaries.append(UnitSummary(name, len(rows), *sets, has_text=bool(unit.text), is_part=is_part))
        return cls(collected, summaries)

    def __len__(self) -> int:
        return len(self._collected)

    @overload
    def __getitem__(self, index: int) -> ReaderUnit: ...
    @overload
    def __getitem__(self, index: slice) -> ReaderUnits: ...
    def __getitem__(self, index: int | slice) -> ReaderUnit | ReaderUnits:
        if isinstance(index, slice):
            return ReaderUnits(self._collected[index], self.summaries[index])
        summary = self.summaries[index]
        return self._collected[index].unit(summary.name, is_part=summary.is_part)

    def with_items(self) -> ReaderUnits:
        """Return the units that have items."""
        kept = [index for index, summary in enumerate(self.summaries) if summary.items]
        return ReaderUnits([self._collected[index] for index in kept], [self.summaries[index] for index in kept])

    @property
    def items(self) -> int:
        """The number of items of all units."""
        return sum(summary.items for summary in self.summaries)

    @property
    def layers(self) -> set[str]:
        """The layers of all items."""
        return set().union(*(summary.layers for summary in self.summaries))

    @property
    def has_texts(self) -> bool:
        """Whether some unit has a text."""
        return any(summary.has_text for summary in self.summaries)

    def regimes(self, declared: Iterable[str]) -> list[str]:
        """Return the regimes under which some item has a verdict, in the order in which they are declared."""
        return declared_order(set().union(*(summary.regimes for summary in self.summaries)), declared)
