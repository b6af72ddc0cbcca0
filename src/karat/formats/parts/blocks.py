"""Splits blocks of lines as a whole, for formats with one token per line: into rows and others, and rows into cells."""

from __future__ import annotations

import re
from itertools import accumulate
from operator import add
from typing import NamedTuple


class OtherLine(NamedTuple):
    """A line that is not a row: the number of rows before it in its block, its line index, and its text."""

    before: int
    place: int
    text: str


def other_line(marks: str) -> re.Pattern[str]:
    """Return a pattern for lines that are blank or begin with one of the marks (a pattern), for :func:`split_lines`."""
    return re.compile(rf"\n((?:(?:{marks})[^\n]*)?)(?=\n)")


def split_lines(block: str, other: re.Pattern[str]) -> tuple[str, list[OtherLine]]:
    r"""Return the rows of a block as one text, and the other lines with their positions.

    >>> split_lines("# a\nB O\n\nC O\n", other_line("#"))
    ('B O\nC O', [OtherLine(before=0, place=0, text='# a'), OtherLine(before=1, place=2, text='')])
    """
    parts = other.split(f"\n{block}" if block.endswith("\n") else f"\n{block}\n")
    runs, lines = parts[::2], parts[1::2]
    rows_before = list(accumulate(run.count("\n") for run in runs[:-1]))
    places = map(add, rows_before, range(len(lines)))
    return "".join(runs)[1:-1], list(map(OtherLine, rows_before, places, lines))


def split_cells(rows: str, width: int, separator: str = "\t") -> list[str] | None:
    r"""Return the cells of all rows with a line end between rows, or None if a row has another width.

    >>> split_cells("B\tO\nC\tO", 2), split_cells("B\tO\nC", 2)
    (['B', 'O', '\n', 'C', 'O'], None)
    """
    if not rows:
        return []
    stride, count = width + 1, rows.count("\n") + 1
    cells = rows.replace("\n", f"{separator}\n{separator}").split(separator)
    is_regular = len(cells) == stride * count - 1 and cells[width::stride].count("\n") == count - 1
    return cells if is_regular else None
