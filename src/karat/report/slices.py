"""Parts of the data on the page: the number for each slice that the data have, and which labels stand for which."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlencode

from karat.ledger import Entry
from karat.report.numbers import MOST_DETAILED, MOST_VALUES, System, same
from karat.report.summary import Table, beside
from karat.slices.confusion import Confusion, confusion_of
from karat.slices.items import casebook_of

if TYPE_CHECKING:
    from karat.protocols.base import Protocol
    from karat.report.gathering import Unit
    from karat.scores import Row

MOST_LABELS = 12
"""How many labels a table of confusions has."""
_TITLES = {
    "length": "Words of the item",
    "frequency": "How often the form stands in the gold",
    "ambiguity": "Labels of the form in the gold",
    "nesting": "Nesting",
    "document-length": "Words of the document",
}


class SliceTable(NamedTuple):
    """The slices of one feature."""

    title: str
    table: Table


class Matrix(NamedTuple):
    """The labels of gold (rows) and of a system (columns); cells have a count, a kind and what they open."""

    system: System
    regime: str
    labels: Sequence[str]
    rows: Sequence[tuple[str, Sequence[tuple[str, str, str]], int]]
    left_out: int


def slice_tables(systems: Sequence[System], wanted: Row) -> list[SliceTable]:
    """Return a table for each feature that cuts the data into more than one part; two systems stand side by side."""
    shown = systems[:MOST_DETAILED]
    features: dict[str, dict[str, list[Row | None]]] = {}
    for number, system in enumerate(shown):
        for row in system.details:
            key, is_slice, value = row.slice.partition("=")
            if is_slice and same(row, wanted, slice=row.slice):
                features.setdefault(key, {}).setdefault(value, [None] * len(shown))[number] = row
    several = {key: slices for key, slices in features.items() if len(slices) > 1}
    return [
        SliceTable(_TITLES.get(key, key), beside(f"slice-{number}", shown, list(slices.items())[:MOST_VALUES]))
        for number, (key, slices) in enumerate(several.items())
    ]


def matrices(
    protocol: Protocol, units: Sequence[Unit], systems: Sequence[System], regime: str, layer: str
) -> list[Matrix]:
    """Return the confusions of the first two systems, if the protocol has labels and there are few enough to see."""
    if casebook_of(protocol) is None:
        return []
    found = [
        confusion_of(protocol, entries_of(units, number), regime) for number in range(len(systems[:MOST_DETAILED]))
    ]
    tables = [_matrix(system, confusion, layer) for system, confusion in zip(systems, found, strict=False)]
    return [table for table in tables if table is not None]


def entries_of(units: Sequence[Unit], system: int) -> Iterator[Entry]:
    """Yield the ledger of a system again."""
    for unit in units:
        for row in unit.rows:
            for judged in row.judged.get(system, ()):
                yield Entry(
                    unit.name,
                    row.layer,
                    row.label,
                    judged.case,
                    judged.verdicts,
                    judged.reason,
                    row.gold,
                    judged.item,
                    row.slice,
                )


def _matrix(system: System, confusion: Confusion, layer: str) -> Matrix | None:
    cells = [cell for cell in confusion.cells if cell.layer == layer]
    sizes: dict[str, int] = {}
    for cell in cells:
        for label in {cell.gold, cell.system} - {None}:
            sizes[label or ""] = sizes.get(label or "", 0) + cell.items
    labels = sorted(sorted(sizes, key=lambda label: (-sizes[label], label))[:MOST_LABELS])
    if len(sizes) < 2 or len(sizes) > 4 * MOST_LABELS:
        return None
    counts: Mapping[tuple[str | None, str | None], int] = {(cell.gold, cell.system): cell.items for cell in cells}
    rows = []
    for gold in [*labels, None]:
        shown = [_cell(gold, other, counts.get((gold, other), 0)) for other in [*labels, None]]
        total = sum(number for (one, _), number in counts.items() if one == gold)
        rows.append((gold if gold is not None else "spurious", shown, total))
    return Matrix(system, confusion.regime, labels, rows, len(sizes) - len(labels))


def _cell(gold: str | None, system: str | None, number: int) -> tuple[str, str, str]:
    """Return what a cell shows, of which kind it is, and the filter that shows its items."""
    if not number:
        return "·", "", ""
    kind = "same" if gold == system else "other"
    asked = {"label": gold} if gold is not None else {"outcome": "spurious"}
    asked |= {"as": system} if system is not None else {"outcome": "missed"}
    return str(number), kind, urlencode(asked)
