"""Label confusion as text: a matrix if it fits, else the pairs of labels; and views for programs."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Literal

from karat.display.views._columns import ScreenColumn, fitted, lines_of, room_of
from karat.display.views.papers import Tables, TextTable, rendered
from karat.display.views.values import csv_line, tsv_line
from karat.errors import unknown
from karat.io.terminal import Screen, clipped, visible, wrapped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from karat.analysis.slices.confusion import Cell, Confusion
    from karat.display.views.ledger import LedgerView

    ConfusionView = LedgerView | Literal["html"]

MISSED, SPURIOUS = "(missed)", "(spurious)"
_MOST_LABELS = 12
"""The largest number of labels in a matrix; with more, pairs of labels are listed."""
_MOST_PAIRS = 40
_LONGEST = 24
_NOTHING = "no items"


def render_confusion(
    confusion: Confusion,
    view: ConfusionView = "table",
    *,
    screen: Screen = Screen(),  # noqa: B008 - it cannot change
) -> Iterator[str]:
    """Yield the lines of a label confusion, without line ends; no line is wider than the terminal.

    >>> from karat.analysis.slices.confusion import Cell, Confusion
    >>> cells = (Cell("NE", "LOC", "LOC", 7, 2), Cell("NE", "LOC", "ORG", 2), Cell("NE", None, "ORG", 1))
    >>> for line in render_confusion(Confusion("small", "strict", cells)): print(line)
    small: labels of gold (rows) and system (columns) under strict
    <BLANKLINE>
    NE                LOC  ORG  (missed)
    ----------  ---------  ---  --------
    LOC         7 (2 off)    2         .
    (spurious)          .    1
    <BLANKLINE>
    off: the boundaries differ, too
    """
    views: dict[str, Callable[[Confusion], Iterator[str]]]
    views = {"table": partial(_table, screen=screen), "tsv": _tsv, "csv": _csv, "json": _json, "jsonl": _jsonl}
    views |= {name: partial(_paper, view=name) for name in ("markdown", "latex", "html")}
    if view not in views:
        raise unknown("view", view, views)
    return views[view](confusion)


def _table(confusion: Confusion, screen: Screen) -> Iterator[str]:
    matrices = [_matrix(confusion, layer) for layer in confusion.layers()]
    fits = _is_small(confusion)
    fits = fits and (not screen.terminal or all(room_of(matrix) <= screen.width for matrix in matrices))
    heading = visible(_heading(confusion, matrix=fits))
    yield from wrapped(heading, screen.width) if screen.terminal else [heading]
    if not confusion.cells:
        yield ""
        yield _NOTHING
    for layer, matrix in zip(confusion.layers(), matrices, strict=True):
        cells = [cell for cell in confusion.cells if cell.layer == layer]
        yield ""
        yield from lines_of(matrix, screen) if fits else _pairs(layer, cells, screen)
    for remark in _remarks(confusion):
        yield ""
        yield remark


def _is_small(confusion: Confusion) -> bool:
    return all(len(confusion.labels(layer)) <= _MOST_LABELS for layer in confusion.layers())


def _heading(confusion: Confusion, *, matrix: bool) -> str:
    what = "gold (rows) and system (columns)" if matrix else "gold and system that differ"
    return f"{confusion.protocol}: labels of {what} under {confusion.regime}"


def _remarks(confusion: Confusion) -> list[str]:
    return ["off: the boundaries differ, too"] if any(cell.off for cell in confusion.cells) else []


def _paper(confusion: Confusion, view: str) -> Iterator[str]:
    """Yield the matrix of each layer, or the pairs of labels if there are many labels, for papers and pages."""
    small = _is_small(confusion)
    blocks = []
    for layer in confusion.layers():
        pairs = [cell for cell in confusion.cells if cell.layer == layer and cell.gold != cell.system]
        named = ScreenColumn("layer", [layer] * len(pairs), left=True)
        columns = _matrix(confusion, layer) if small else [named, *_pair_columns(pairs)]
        lines = list(zip(*(column.cells for column in columns), strict=True))
        blocks.append(TextTable([column.head for column in columns], lines, sum(column.left for column in columns)))
    told = [] if confusion.cells else [_NOTHING]
    tables = Tables(_heading(confusion, matrix=small), told, blocks, _remarks(confusion))
    return iter(rendered(view, tables).splitlines())


def _matrix(confusion: Confusion, layer: str) -> list[ScreenColumn]:
    """Return the matrix of a layer: a line for each gold label, a column for each system label."""
    labels = confusion.labels(layer)
    cells = {(cell.gold, cell.system): cell for cell in confusion.cells if cell.layer == layer}
    golds, systems = ([label for label in labels if label in {pair[side] for pair in cells}] for side in (0, 1))
    names = ScreenColumn(_named(layer, "gold"), [*(_named(gold, "") for gold in golds), SPURIOUS], left=True)
    columns = [
        ScreenColumn(_named(system, ""), [_shown(cells.get((gold, system))) for gold in (*golds, None)])
        for system in systems
    ]
    missed = ScreenColumn(MISSED, [*(_shown(cells.get((gold, None))) for gold in golds), ""])
    return [names, *columns, missed]


def _named(label: str, nothing: str) -> str:
    return clipped(visible(label), _LONGEST) or nothing


def _shown(cell: Cell | None) -> str:
    if cell is None or not cell.items:
        return "."
    return f"{cell.items} ({cell.off} off)" if cell.off else str(cell.items)


def _pairs(layer: str, cells: Sequence[Cell], screen: Screen) -> Iterator[str]:
    """Yield the pairs of different labels, the most frequent first, and how many more there are."""
    differing = [cell for cell in cells if cell.gold != cell.system]
    same = sum(cell.items for cell in cells if cell.gold == cell.system)
    yield visible(f"{layer or 'all'}: {same} items with the same label, and")
    yield from lines_of(fitted(_pair_columns(differing[:_MOST_PAIRS]), screen.width)[0], screen)
    if len(differing) > _MOST_PAIRS:
        yield f"and {len(differing) - _MOST_PAIRS} more pairs of labels; --view tsv has all of them"


def _pair_columns(cells: Sequence[Cell]) -> list[ScreenColumn]:
    return [
        ScreenColumn("gold", [_named(cell.gold or "", SPURIOUS) for cell in cells], left=True),
        ScreenColumn("system", [_named(cell.system or "", MISSED) for cell in cells], left=True),
        ScreenColumn("items", [_shown(cell) for cell in cells]),
    ]


_HEAD = ("layer", "gold", "system", "items", "off")


def _tsv(confusion: Confusion) -> Iterator[str]:
    return map(tsv_line, (_HEAD, *([*names, str(items), str(off)] for *names, items, off in _values(confusion))))


def _csv(confusion: Confusion) -> Iterator[str]:
    return map(csv_line, (_HEAD, *_values(confusion)))


def _values(confusion: Confusion) -> list[tuple[str, str, str, int, int]]:
    return [
        (cell.layer, cell.gold or SPURIOUS, cell.system or MISSED, cell.items, cell.off) for cell in confusion.cells
    ]


def _json(confusion: Confusion) -> Iterator[str]:
    yield json.dumps(confusion.to_dict(), ensure_ascii=False, indent=2)


def _jsonl(confusion: Confusion) -> Iterator[str]:
    about = {"protocol": confusion.protocol, "regime": confusion.regime}
    return (json.dumps({**about, **cell._asdict()}, ensure_ascii=False) for cell in confusion.cells)
