"""Which labels systems give to what the gold calls something else: a grid of labels as a chart, and as a table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple
from urllib.parse import urlencode

from karat.analysis.slices.confusion import Cell
from karat.report.charts import GREY, HAIR, HATCHED, INK, RIGHT, RIGHT_WASH, WRONG, Chart, drawn
from karat.report.numbers import ShownSystem

MOST_LABELS = 12
"""How many labels a grid has."""
CELL = 56, 38
"""The size of a cell."""
_LETTER, _LONGEST = 7, 16
"""About how wide a letter of a name is, and how many a name has."""
_GROUNDS = {"same": RIGHT_WASH, "other": HATCHED, "none": "transparent"}


class Square(NamedTuple):
    """A cell: where it stands, how many items it has, and how many its row; ``same`` ones are right, ``none`` empty.

    ``off`` is how many of its items have other boundaries, which stands below the count.
    """

    column: int
    row: int
    items: int
    total: int
    kind: Literal["same", "other", "none"]
    off: int = 0


class Name(NamedTuple):
    """A name beside a grid, as it is shown: where, to which side, and whether it slants."""

    x: float
    y: float
    text: str
    anchor: str
    slanted: bool = False


class DrawnGrid(NamedTuple):
    """A drawn grid, the names of its rows and columns, and how much room these take to the left and above."""

    chart: Chart
    names: Sequence[Name]
    left: int
    top: int


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
    systems: Sequence[ShownSystem], confusions: Iterable[Iterable[Cell]], regime: str, layer: str
) -> list[Matrix]:
    """Return the label confusions in a layer, by system, of those that have neither too few nor too many labels."""
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
            squares.append(Square(column, row, items, totals[row], kind, off))
            if items:
                beside = f", {off} with other boundaries" if off else ""
                words = f"gold {_named(gold, 'nothing')}, system {_named(other, 'nothing')}: {items}{beside}"
                hits.append(Hit(column * CELL[0], row * CELL[1], words, _asked(gold, other)))
    columns = [*(_named(label, "nothing") for label in shown), "all"]
    names = [_named(label, "spurious") for label in shown]
    grid = _grid_chart(f"confusion-{system.letter}", squares, names, columns, totals)
    rows = []
    for row, name in enumerate(names):
        counted = [(_counted(square), square.kind if square.items else "") for square in squares if square.row == row]
        rows.append((name, [*counted, (str(totals[row]), "")]))
    return Matrix(system, regime, columns, rows, hits, grid, len(sizes) - len(shown) + 1)


def _counted(square: Square) -> str:
    return f"{square.items}, {square.off} off" if square.off else str(square.items or "·")


def _named(label: str | None, nothing: str) -> str:
    return nothing if label is None else label or "no label"


def _asked(gold: str | None, system: str | None) -> str:
    """Return the filter that shows the items of a cell."""
    asked = {"label": gold} if gold is not None else {"outcome": "spurious"}
    return urlencode(asked | ({"as": system} if system is not None else {"outcome": "missed"}))


def _grid_chart(
    name: str, squares: Sequence[Square], rows: Sequence[str], columns: Sequence[str], totals: Sequence[int]
) -> DrawnGrid:
    """Return a grid; the more of its row a cell has, the fuller its ground. The last column has the totals of rows.

    Names come from the data, and the page sets them as it sets all texts: the library that draws stops the process at
    some of their characters.
    """
    across, down = CELL
    width, height = across * len(columns), down * len(rows)
    beside, above = ([_clipped(text) for text in names] for names in (rows, columns))
    slanted = max(map(len, above)) * _LETTER > across
    left, top = 16 + _LETTER * max(map(len, beside)), 18 + 5 * max(map(len, above)) if slanted else 22
    names = [Name(-10, (row + 0.5) * down + 4, text, "end") for row, text in enumerate(beside)]
    anchor = "start" if slanted else "middle"
    names += [Name((column + 0.5) * across, -8, text, anchor, slanted) for column, text in enumerate(above)]
    last = [_middle(len(columns) - 1, row, str(total)) for row, total in enumerate(totals)]
    layers = [*_grounds(squares), *_counts(squares), _text(last, fill=GREY)]
    places = {axis: _in_pixels(axis, size) for axis, size in (("x", width), ("y", height))}
    return DrawnGrid(drawn(name, {"encoding": places, "layer": layers}, width, height), names, left, top)


def _clipped(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _in_pixels(axis: str, size: int) -> dict[str, Any]:
    scale = {"domain": [0, size], "range": [0, size], "nice": False, "zero": False}
    return {"field": axis, "type": "quantitative", "axis": None, "scale": scale}


def _grounds(squares: Sequence[Square]) -> list[dict[str, Any]]:
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


def _counts(squares: Sequence[Square]) -> list[dict[str, Any]]:
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
