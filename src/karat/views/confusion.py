"""Label confusion as text: a matrix where it fits, the pairs of labels otherwise; or lines for programs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from karat.errors import unknown
from karat.terminal import aligned, clipped, masked, visible, widths

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from karat.slices.confusion import Cell, Confusion
    from karat.views.ledger import LedgerView

MISSED, SPURIOUS = "(missed)", "(spurious)"
_MOST_LABELS = 12
"""Labels of a matrix; where there are more, pairs of labels are listed."""
_MOST_PAIRS = 40
_LONGEST = 24


def render_confusion(confusion: Confusion, view: LedgerView = "table") -> Iterator[str]:
    """Yield the lines of a label confusion, without line ends.

    >>> from karat.slices.confusion import Cell, Confusion
    >>> cells = (Cell("NE", "LOC", "LOC", 7), Cell("NE", "LOC", "ORG", 2), Cell("NE", None, "ORG", 1))
    >>> for line in render_confusion(Confusion("small", "strict", cells)): print(line)
    small: labels of gold (rows) and system (columns) under strict
    <BLANKLINE>
    NE          LOC  ORG  (missed)
    ----------  ---  ---  --------
    LOC           7    2         .
    (spurious)    .    1
    """
    views = {"table": _table, "tsv": _tsv, "jsonl": _jsonl}
    if view not in views:
        raise unknown("view", view, views)
    return views[view](confusion)


def _table(confusion: Confusion) -> Iterator[str]:
    yield visible(
        f"{confusion.protocol}: labels of gold (rows) and system (columns) under {confusion.regime}"
        if _fits(confusion)
        else f"{confusion.protocol}: labels of gold and system that differ under {confusion.regime}"
    )
    if not confusion.cells:
        yield ""
        yield "no items"
    for layer in confusion.layers():
        cells = [cell for cell in confusion.cells if cell.layer == layer]
        yield ""
        yield from _matrix(confusion, layer) if _fits(confusion) else _pairs(layer, cells)


def _fits(confusion: Confusion) -> bool:
    return all(len(confusion.labels(layer)) <= _MOST_LABELS for layer in confusion.layers())


def _matrix(confusion: Confusion, layer: str) -> Iterator[str]:
    """Yield a line for each label that the gold has, with a column for each that the system has."""
    labels = confusion.labels(layer)
    cells = [cell for cell in confusion.cells if cell.layer == layer]
    golds, systems = ([label for label in labels if label in {cell[side] for cell in cells}] for side in (1, 2))
    body = []
    for gold in (*golds, None):
        numbers = [confusion.items(gold, system, layer) for system in (*systems, None)]
        shown = [str(number) if number else "." for number in numbers]
        body.append([gold or SPURIOUS, *(shown if gold is not None else [*shown[:-1], ""])])
    yield from _aligned([[layer or "gold", *systems, MISSED], *body], left=1)


def _pairs(layer: str, cells: Sequence[Cell]) -> Iterator[str]:
    """Yield the pairs of different labels, the most frequent first, and how many more there are."""
    differing = [cell for cell in cells if cell.gold != cell.system]
    same = sum(cell.items for cell in cells if cell.gold == cell.system)
    body = [[cell.gold or SPURIOUS, cell.system or MISSED, str(cell.items)] for cell in differing[:_MOST_PAIRS]]
    yield visible(f"{layer or 'all'}: {same} items with the same label, and")
    yield from _aligned([["gold", "system", "items"], *body], left=2)
    if len(differing) > _MOST_PAIRS:
        yield f"and {len(differing) - _MOST_PAIRS} more pairs of labels; --view tsv has all of them"


def _aligned(cells: Sequence[Sequence[str]], left: int) -> Iterator[str]:
    shown = [[clipped(visible(cell), _LONGEST) for cell in line] for line in cells]
    columns = widths(shown)
    shown.insert(1, ["-" * column for column in columns])
    return (aligned(line, columns, left=left) for line in shown)


def _tsv(confusion: Confusion) -> Iterator[str]:
    yield "layer\tgold\tsystem\titems"
    for cell in confusion.cells:
        names = (cell.layer, cell.gold or SPURIOUS, cell.system or MISSED)
        yield "\t".join([*map(masked, names), str(cell.items)])


def _jsonl(confusion: Confusion) -> Iterator[str]:
    about = {"protocol": confusion.protocol, "regime": confusion.regime}
    return (json.dumps({**about, **cell._asdict()}, ensure_ascii=False) for cell in confusion.cells)
