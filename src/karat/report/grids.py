"""A grid of counts as a chart: names on two sides, right cells on a plain ground, others hatched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from karat.report.charts import GREY, HAIR, HATCHED, INK, RIGHT, RIGHT_WASH, WRONG, Chart, drawn

CELL = 56, 38
"""The size of a cell."""
_LETTER, _LONGEST = 7, 16
"""About how wide a letter of a name is, and how many a name has."""
_GROUNDS = {"same": RIGHT_WASH, "other": HATCHED, "none": "transparent"}


class Square(NamedTuple):
    """A cell: where it stands, how many items it has, and how many its row; ``same`` ones are right.

    ``off`` is how many of its items have other boundaries, which stands below the count.
    """

    column: int
    row: int
    items: int
    total: int
    kind: Literal["same", "other"]
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


def grid_chart(
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
            "kind": square.kind if square.items else "none",
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
        own = [square for square in squares if (square.kind if square.items else "none") == kind]
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
