"""Label confusions of systems, as a chart and as a table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple
from urllib.parse import urlencode

from karat.analysis.slices.confusion import Cell
from karat.report.charts import GREY, HAIR, HATCHED, INK, RIGHT, RIGHT_WASH, WRONG, Chart, drawn
from karat.report.numbers import ShownSystem

MOST_LABELS = 12
"""The smallest and largest number of labels of a grid."""
CELL = 56, 38
"""The size of a cell."""
_LETTER, _LONGEST = 7, 16
"""The approximate width of a letter, and the largest number of letters of a label."""
_GROUNDS = {"same": RIGHT_WASH, "other": HATCHED, "none": "transparent"}


class GridCell(NamedTuple):
    """A cell of a grid: its position, its count, and the total of its row; kind ``same`` is right, ``none`` empty.

    ``off`` is the number of its items with different boundaries, shown below the count.
    """

    column: int
    row: int
    items: int
    total: int
    kind: Literal["same", "other", "none"]
    off: int = 0


class GridLabel(NamedTuple):
    """The label of a row or column of a grid: its position, its text anchor, and whether it is slanted."""

    x: float
    y: float
    text: str
    anchor: str
    slanted: bool = False


class DrawnGrid(NamedTuple):
    """A drawn grid, the labels of its rows and columns, and their width on the left and height above."""

    chart: Chart
    names: Sequence[GridLabel]
    left: int
    top: int


class CellLink(NamedTuple):
    """A link from a cell to its items: its position in the chart, its text, and the filter for the items."""

    x: int
    y: int
    words: str
    asked: str


class Matrix(NamedTuple):
    """The label confusion of gold (rows) and a system (columns), as cells with a count and a kind, and as a chart."""

    system: ShownSystem
    regime: str
    columns: Sequence[str]
    rows: Sequence[tuple[str, Sequence[tuple[str, str]]]]
    hits: Sequence[CellLink]
    grid: DrawnGrid
    left_out: int


def matrices(
    systems: Sequence[ShownSystem], confusions: Iterable[Iterable[Cell]], regime: str, layer: str
) -> list[Matrix]:
    """Return the label confusions in a layer by system, without systems with too few or too many labels."""
    tables = [
        _matrix(system, [cell for cell in cells if cell.layer == layer], regime, layer)
        for system, cells in zip(systems, confusions, strict=False)
    ]
    return [table for table in tables if table is not None]


def _matrix(system: ShownSystem, cells: Sequence[Cell], regime: str, layer: str) -> Matrix | None:
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
            kind: Literal["same", "other", "none"] = "none" if not items else "same" if gold == other else "other"
            squares.append(GridCell(column, row, items, totals[row], kind, off))
            if items:
                beside = f", {off} with other boundaries" if off else ""
                words = f"gold {_named(gold, 'nothing')}, system {_named(other, 'nothing')}: {items}{beside}"
                hits.append(CellLink(column * CELL[0], row * CELL[1], words, _asked(gold, other)))
    columns = [*(_named(label, "nothing") for label in shown), "all"]
    names = [_named(label, "spurious") for label in shown]
    grid = _grid_chart(f"confusion-{system.letter}", squares, names, columns, totals)
    rows = []
    for row, name in enumerate(names):
        counted = [(_counted(square), square.kind if square.items else "") for square in squares if square.row == row]
        rows.append((name, [*counted, (str(totals[row]), "")]))
    return Matrix(system, regime, columns, rows, hits, grid, len(sizes) - len(shown) + 1)


def _counted(square: GridCell) -> str:
    return f"{square.items}, {square.off} off" if square.off else str(square.items or "·")


def _named(label: str | None, nothing: str) -> str:
    return nothing if label is None else label or "no label"


def _asked(gold: str | None, system: str | None) -> str:
    """Return the filter that shows the items of a cell."""
    asked = {"label": gold} if gold is not None else {"outcome": "spurious"}
    return urlencode(asked | ({"as": system} if system is not None else {"outcome": "missed"}))


def _grid_chart(
    name: str, squares: Sequence[GridCell], rows: Sequence[str], columns: Sequence[str], totals: Sequence[int]
) -> DrawnGrid:
    """Return a grid whose cells are shaded by their share of the row; the last column has the totals of rows.

    Labels come from the data and are set by the page, because some characters crash the chart library.
    """
    across, down = CELL
    width, height = across * len(columns), down * len(rows)
    beside, above = ([_clipped(text) for text in names] for names in (rows, columns))
    slanted = max(map(len, above)) * _LETTER > across
    left, top = 16 + _LETTER * max(map(len, beside)), 18 + 5 * max(map(len, above)) if slanted else 22
    names = [GridLabel(-10, (row + 0.5) * down + 4, text, "end") for row, text in enumerate(beside)]
    anchor = "start" if slanted else "middle"
    names += [GridLabel((column + 0.5) * across, -8, text, anchor, slanted) for column, text in enumerate(above)]
    last = [_middle(len(columns) - 1, row, str(total)) for row, total in enumerate(totals)]
    layers = [*_grounds(squares), *_counts(squares), _text(last, fill=GREY)]
    places = {axis: _in_pixels(axis, size) for axis, size in (("x", width), ("y", height))}
    return DrawnGrid(drawn(name, {"encoding": places, "layer": layers}, width, height), names, left, top)


def _clipped(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _in_pixels(axis: str, size: int) -> dict[str, Any]:
    scale = {"domain": [0, size], "range": [0, size], "nice": False, "zero": False}
    return {"field": axis, "type": "quantitative", "axis": None, "scale": scale}


def _grounds(squares: Sequence[GridCell]) -> list[dict[str, Any]]:
    across, down = CELL
    values = [
        {
            "x": square.column * across,
            "x2": (square.column + 1) * across,
            "y": square.row * down,
            "y2": (square.row + 1) * down,
            "full": 0.35 + 0.65 * square.items / max(1, square.total),
            "kind": square.kind,
        }
        for square in squares
    ]
    fullness = {"field": "full", "type": "quantitative", "scale": None}
    return [
        {
            "data": {"values": [value for value in values if value["kind"] == kind]},
            "mark": {"type": "rect", "fill": ground, "stroke": HAIR, "strokeWidth": 1},
            "encoding": {"x2": {"field": "x2"}, "y2": {"field": "y2"}, "fillOpacity": fullness},
        }
        for kind, ground in _GROUNDS.items()
    ]


def _counts(squares: Sequence[GridCell]) -> list[dict[str, Any]]:
    def shown(kind: str) -> list[dict[str, Any]]:
        own = [square for square in squares if square.kind == kind]
        return [_middle(square.column, square.row, str(square.items or "·"), -7 if square.off else 0) for square in own]

    def beside(kind: str) -> list[dict[str, Any]]:
        own = [square for square in squares if square.kind == kind and square.off]
        return [_middle(square.column, square.row, f"{square.off} off", 9) for square in own]

    return [
        _text(shown("none"), fill=GREY),
        *(_text(shown(kind), fill=colour, fontSize=14) for kind, colour in (("same", RIGHT), ("other", WRONG))),
        *(_text(beside(kind), fill=colour, fontSize=11) for kind, colour in (("same", RIGHT), ("other", WRONG))),
    ]


def _text(values: list[dict[str, Any]], **mark: Any) -> dict[str, Any]:
    shown = {"type": "text", "font": "sans-serif", "fontSize": 12, "fontWeight": 600, "fill": INK, **mark}
    return {"data": {"values": values}, "mark": shown, "encoding": {"text": {"field": "text"}}}


def _middle(column: int, row: int, text: str, below: int = 0) -> dict[str, Any]:
    across, down = CELL
    return {"x": (column + 0.5) * across, "y": (row + 0.5) * down + below, "text": text}
