"""Which labels systems give to what the gold calls something else: a grid of labels as a chart, and as a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlencode

from karat.ledger import Entry
from karat.report.grids import CELL, DrawnGrid, Square, grid_chart
from karat.report.numbers import MOST_DETAILED, ShownSystem
from karat.slices.confusion import Cell, Confusion, confusion_of
from karat.slices.items import casebook_of

if TYPE_CHECKING:
    from karat.drawing.reader.gathering import ReaderUnit
    from karat.protocols.base import Protocol

MOST_LABELS = 12
"""How many labels a grid has."""


class Hit(NamedTuple):
    """A cell that opens its items: where it stands in the chart, what it says, and the filter that shows the items."""

    x: int
    y: int
    words: str
    asked: str


class Matrix(NamedTuple):
    """The labels of gold (rows) and of a system (columns), as cells with a count and a kind, and as a chart."""

    system: ShownSystem
    regime: str
    columns: Sequence[str]
    rows: Sequence[tuple[str, Sequence[tuple[str, str]]]]
    hits: Sequence[Hit]
    grid: DrawnGrid
    left_out: int


def matrices(
    protocol: Protocol, units: Sequence[ReaderUnit], systems: Sequence[ShownSystem], regime: str, layer: str
) -> list[Matrix]:
    """Return the confusions of the first two systems, if the protocol has labels and there are few enough to see."""
    if casebook_of(protocol) is None:
        return []
    confusions = [
        confusion_of(protocol, entries_of(units, system_index), regime)
        for system_index in range(len(systems[:MOST_DETAILED]))
    ]
    tables = [_matrix(system, confusion, layer) for system, confusion in zip(systems, confusions, strict=False)]
    return [table for table in tables if table is not None]


def entries_of(units: Sequence[ReaderUnit], system: int) -> Iterator[Entry]:
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


def _matrix(system: ShownSystem, confusion: Confusion, layer: str) -> Matrix | None:
    cells = [cell for cell in confusion.cells if cell.layer == layer]
    sizes: dict[str, int] = {}
    for cell in cells:
        for label in {cell.gold, cell.system} - {None}:
            sizes[label or ""] = sizes.get(label or "", 0) + cell.items
    if len(sizes) < 2 or len(sizes) > 4 * MOST_LABELS:
        return None
    shown: list[str | None] = [*sorted(sorted(sizes, key=lambda label: (-sizes[label], label))[:MOST_LABELS]), None]
    counts: Mapping[tuple[str | None, str | None], Cell] = {(cell.gold, cell.system): cell for cell in cells}
    totals = [sum(cell.items for cell in cells if cell.gold == label) for label in shown]
    squares, hits = [], []
    for row, gold in enumerate(shown):
        for column, other in enumerate(shown):
            items, off = counts.get((gold, other), Cell(layer, gold, other, 0))[3:]
            squares.append(Square(column, row, items, totals[row], "same" if gold == other else "other", off))
            if items:
                beside = f", {off} with other boundaries" if off else ""
                words = f"gold {_named(gold, 'nothing')}, system {_named(other, 'nothing')}: {items}{beside}"
                hits.append(Hit(column * CELL[0], row * CELL[1], words, _asked(gold, other)))
    columns = [*(_named(label, "nothing") for label in shown), "all"]
    names = [_named(label, "spurious") for label in shown]
    grid = grid_chart(f"confusion-{system.letter}", squares, names, columns, totals)
    rows = [
        (
            name,
            [
                *((_counted(square), square.kind if square.items else "") for square in squares if square.row == row),
                (str(totals[row]), ""),
            ],
        )
        for row, name in enumerate(names)
    ]
    return Matrix(system, confusion.regime, columns, rows, hits, grid, len(sizes) - len(shown) + 1)


def _counted(square: Square) -> str:
    return f"{square.items}, {square.off} off" if square.off else str(square.items or "·")


def _named(label: str | None, nothing: str) -> str:
    return nothing if label is None else label or "no label"


def _asked(gold: str | None, system: str | None) -> str:
    """Return the filter that shows the items of a cell."""
    asked = {"label": gold} if gold is not None else {"outcome": "spurious"}
    return urlencode(asked | ({"as": system} if system is not None else {"outcome": "missed"}))
