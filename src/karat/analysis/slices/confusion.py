"""Label confusion: counts of gold labels against system labels, from the ledger."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

import msgspec

from karat.analysis.slices.items import casebook_of
from karat.errors import UsageError, needing
from karat.evaluation.ledger import Entry, Item
from karat.evaluation.protocol import Bound


class Cell(NamedTuple):
    """The count of a gold label paired with a system label in a layer; a label of None means missed or spurious.

    ``off`` is the number of these pairs whose boundaries differ.
    """

    layer: str
    gold: str | None
    system: str | None
    items: int
    off: int = 0


class Confusion(msgspec.Struct, frozen=True):
    """The labels of paired items under a regime, and of items without a partner.

    Pairs count whether or not their boundaries agree; entries without a verdict under the regime do not. Cells are
    sorted by layer, then by descending count.
    """

    protocol: str
    regime: str
    cells: tuple[Cell, ...]

    def items(self, gold: str | None, system: str | None, layer: str | None = None) -> int:
        """Return how often a gold label is paired with a system label, in one layer or in all."""
        asked = (gold, system)
        return sum(cell.items for cell in self.cells if cell[1:3] == asked and layer in (None, cell.layer))

    def layers(self) -> list[str]:
        """Return the layers in their order."""
        return list(dict.fromkeys(cell.layer for cell in self.cells))

    def labels(self, layer: str) -> list[str]:
        """Return the labels of a layer, sorted."""
        cells = [cell for cell in self.cells if cell.layer == layer]
        return sorted({label for cell in cells for label in cell[1:3] if label is not None})

    def to_dict(self) -> dict[str, Any]:
        """Return plain dictionaries and lists, ready for JSON."""
        cells = [cell._asdict() for cell in self.cells]
        return {"protocol": self.protocol, "regime": self.regime, "cells": cells}

    def to_pandas(self) -> Any:
        """Return a data frame with a row for each cell (needs ``karat[frames]``)."""
        with needing("Confusion.to_pandas", "frames"):
            import pandas
        return pandas.DataFrame([cell._asdict() for cell in self.cells], columns=Cell._fields)

    def __str__(self) -> str:
        from karat.display.views.confusion import render_confusion

        return "\n".join(render_confusion(self))


def check_labels(bound: Bound) -> None:
    """Raise an error, with the reason, for a protocol without label confusion."""
    if casebook_of(bound) is None:
        why = {
            "coreference": "its items are mentions in chains, and chains have arbitrary names",
            "slots": "an answer always has the slot of its query",
        }.get(bound.task, "its items have no labels")
        raise UsageError(f"{bound.name} has no label confusion: {why}")


def confusion_of(bound: Bound, entries: Iterable[Entry], regime: str | None = None) -> Confusion:
    """Return the label confusion of ledger entries under a regime, by default the first main one of the protocol."""
    check_labels(bound)
    chosen = bound.main.regimes[0] if regime is None else regime
    counts = LabelPairCounts()
    for entry in entries:
        if chosen in entry.verdicts and not entry.slice:
            counts.add(entry.layer, entry.gold, entry.system)
    return Confusion(bound.name, chosen, counts.cells())


class LabelPairCounts:
    """Counts pairs of gold and system labels."""

    def __init__(self) -> None:
        self._items: Counter[tuple[str, str | None, str | None]] = Counter()
        self._off: Counter[tuple[str, str | None, str | None]] = Counter()
        self._layers: dict[str, int] = {}

    def add(self, layer: str, gold: Item | None, system: Item | None) -> None:
        """Count a pair, or an item without a partner."""
        self._layers.setdefault(layer, len(self._layers))
        key = layer, _label(gold), _label(system)
        self._items[key] += 1
        self._off[key] += _is_off(gold, system)

    def cells(self) -> tuple[Cell, ...]:
        """Return the counts by layer, in order of first appearance, the most frequent pairs first."""
        cells = [Cell(*key, items, self._off[key]) for key, items in self._items.items()]
        cells.sort(key=lambda cell: (self._layers[cell.layer], -cell.items, cell.gold or "", cell.system or ""))
        return tuple(cells)


def _is_off(gold: Item | None, system: Item | None) -> bool:
    """Return whether the boundaries of a pair differ, by character offsets if both are known."""
    if gold is None or system is None:
        return False
    return gold.ends != system.ends if gold.ends and system.ends else gold.span != system.span


def _label(item: Item | None) -> str | None:
    return None if item is None else item.label
