"""Tables that fit a terminal: the least important columns are left out and named in a note."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from karat.io.terminal import clipped, visible
from karat.io.terminal import width as width_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from karat.io.terminal import Screen

_NARROWEST = 12
"""The width to which words are clipped before a whole column is left out."""


class ScreenColumn(NamedTuple):
    """A column of a terminal table.

    Args:
        head: the name.
        cells: the cells.
        left: whether cells are aligned left, as words are.
        spare: the priority for leaving the column out: the highest goes first, 0 is never left out.
        tone: the tone of the cells.
        drawn: whether the cells are pictures.

    """

    head: str
    cells: Sequence[str]
    left: bool = False
    spare: int = 0
    tone: str = ""
    drawn: bool = False

    @property
    def width(self) -> int:
        """The width in terminal columns."""
        return max(width_of(visible(cell)) for cell in (self.head, *self.cells))


def room_of(columns: Sequence[ScreenColumn]) -> int:
    """Return the width of a table."""
    return sum(column.width + 2 for column in columns) - 2


def room_of_cells(columns: Iterable[Iterable[str]]) -> int:
    """Return the width of a table of plain words, given the head and cells of each column."""
    return sum(max(width_of(visible(cell)) for cell in column) + 2 for column in columns) - 2


def fitted(columns: Sequence[ScreenColumn], width: int) -> tuple[list[ScreenColumn], list[str]]:
    """Return the columns that fit a width, and the heads of those left out; words are clipped first if that suffices.

    >>> shown = [ScreenColumn("system", ["a"]), ScreenColumn("F1", ["0.5"])]
    >>> columns = [*shown, ScreenColumn("wrong-label", ["0"], spare=1)]
    >>> fitted(columns, 14)[1]
    ['wrong-label']
    """
    kept, left_out = list(columns), []
    while room_of(kept) > width:
        spared = max(kept, key=lambda column: (column.spare, kept.index(column)))
        widest = max((column for column in kept if column.left), key=lambda column: column.width, default=kept[0])
        over = room_of(kept) - width
        if spared.spare:
            kept.remove(spared)
            left_out.append(spared.head)
        elif widest.left and not widest.drawn and widest.width - over >= _NARROWEST:
            kept[kept.index(widest)] = _clipped(widest, widest.width - over)
        elif len(kept) > 1:
            left_out.append(kept.pop().head)
        else:
            kept[0] = _clipped(kept[0], width)
    return kept, left_out[::-1]


def _clipped(column: ScreenColumn, width: int) -> ScreenColumn:
    return column._replace(
        head=clipped(visible(column.head), width), cells=[clipped(visible(cell), width) for cell in column.cells]
    )


def lines_of(columns: Sequence[ScreenColumn], screen: Screen) -> list[str]:
    """Return the lines of a table, with a rule under the head."""
    if not columns:
        return []
    drawn = zip(*(_drawn(column, screen) for column in columns), strict=True)
    return ["  ".join(line).rstrip() for line in drawn]


def _drawn(column: ScreenColumn, screen: Screen) -> list[str]:
    """Return the head, the rule and the cells of a column, each as wide as the column is."""
    width = column.width  # looks at every cell
    cells = [_padded(cell, width, left=column.left) for cell in column.cells]
    return [
        screen.tone("soft", _padded(column.head, width, left=column.left)),
        screen.tone("soft", "-" * width),
        *(screen.tone(column.tone, screen.drawn(cell) if column.drawn else cell) for cell in cells),
    ]


def _padded(cell: str, width: int, *, left: bool) -> str:
    shown = visible(cell)
    gap = " " * (width - width_of(shown))
    return shown + gap if left else gap + shown


def left_out_note(names: Sequence[str]) -> list[str]:
    """Return a note on columns that were left out."""
    return [f"no room for {', '.join(names)}; --view tsv has all numbers"] if names else []


def folded(signature: str, screen: Screen) -> list[str]:
    """Return a signature as lines that fit a terminal, broken between its parts; elsewhere as one line.

    >>> from karat.io.terminal import Screen
    >>> folded("karat:1.0|protocol:small|gold:9f3c1a", Screen(24, terminal=True))
    ['karat:1.0|protocol:small', '  |gold:9f3c1a']
    """
    if not screen.terminal:
        return [signature]
    lines: list[str] = []
    for part in re.findall(r"[|,]?[^|,]*", signature):
        if lines and width_of(lines[-1] + part) <= screen.width:
            lines[-1] += part
        else:
            lines.append(f"  {part}" if lines else part)
    return lines
