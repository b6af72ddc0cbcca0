"""Tables in the exact forms that the programs printed through pandas: CSV, Markdown, HTML."""

from __future__ import annotations

import csv
import html
import io
import math
from collections.abc import Mapping, Sequence

Cell = float | str | None
"""A number, a text, or nothing."""

Row = tuple[str, Sequence[Cell]]


def columns_of(rows: Mapping[str, Mapping[str, float | str]]) -> dict[str, dict[str, Cell]]:
    """Return the columns of a table by name, each with its cells by row, rows sorted.

    Columns come in the order in which they are first seen. As in a data frame, whole numbers become fractions where
    another cell of the column is a fraction or missing.

    >>> columns_of({"b": {"n": 1}, "a": {"n": 0.5}})
    {'n': {'a': 0.5, 'b': 1.0}}
    """
    names = dict.fromkeys(name for row in rows.values() for name in row)
    columns: dict[str, dict[str, Cell]] = {}
    for name in names:
        cells: dict[str, Cell] = {key: rows[key].get(name) for key in sorted(rows)}
        whole = all(isinstance(cell, int | str) for cell in cells.values())
        columns[name] = cells if whole else {key: _fraction(cell) for key, cell in cells.items()}
    return columns


def _fraction(cell: Cell) -> Cell:
    return float(cell) if isinstance(cell, int) else cell


def write_csv(header: Sequence[str], rows: Sequence[Row]) -> str:
    """Return comma-separated values; numbers have all their digits.

    >>> write_csv(["", "f1"], [("a", [0.1 + 0.2])])
    ',f1\\na,0.30000000000000004\\n'
    """
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(header)
    for name, cells in rows:
        writer.writerow([name, *["" if cell is None else cell for cell in cells]])
    return stream.getvalue()


def write_markdown(header: Sequence[str], rows: Sequence[Row]) -> str:
    """Return a pipe table: names on the left, numbers with six digits and their points in one column.

    >>> print(write_markdown(["name", "f1"], [("a", [1.0]), ("b", [0.25])]))
    | name   |   f1 |
    |:-------|-----:|
    | a      | 1    |
    | b      | 0.25 |
    """
    columns = [_name_column(header[0], [name for name, _ in rows])]
    for column, title in enumerate(header[1:]):
        columns.append(_number_column(title, [_six_digits(cells[column]) for _, cells in rows]))
    head = "".join(
        f"|:{'-' * (len(column[0]) + 1)}" if left else f"|{'-' * (len(column[0]) + 1)}:" for left, column in columns
    )
    lines = [f"| {' | '.join(cells)} |" for cells in zip(*[column for _, column in columns], strict=True)]
    return "\n".join([lines[0], f"{head}|", *lines[1:]])


def _name_column(title: str, names: Sequence[str]) -> tuple[bool, list[str]]:
    """Return whether names stand on the left, and their column; names that are all numbers are taken for numbers."""
    if names and all(_is_number(name) for name in names):
        whole = all(_is_whole(name) for name in names)
        return _number_column(title, [name if whole else f"{float(name):g}" for name in names])
    width = max([len(title) + 2, *map(len, names)])
    return True, [cell.ljust(width) for cell in (title, *names)]


def _number_column(title: str, cells: Sequence[str]) -> tuple[bool, list[str]]:
    """Return a column of numbers on the right, with their points below each other."""
    behind = [_behind_point(cell) for cell in cells]
    padded = [cell + " " * (max(behind) - places) for cell, places in zip(cells, behind, strict=True)]
    width = max([len(title) + 2, *map(len, padded)])
    return False, [cell.rjust(width) for cell in (title, *padded)]


def _six_digits(cell: Cell) -> str:
    return f"{math.nan if cell is None else float(cell):g}"


def _behind_point(cell: str) -> int:
    """Return how many characters stand behind the point, or the sign of an exponent; -1 if there is none."""
    if _is_whole(cell):
        return -1
    point = cell.rfind(".")
    point = cell.rfind("e") if point < 0 else point
    return len(cell) - point - 1 if point >= 0 else -1


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _is_whole(text: str) -> bool:
    try:
        int(text)
    except ValueError:
        return False
    return True


def write_html(header: Sequence[str], rows: Sequence[Row]) -> str:
    """Return an HTML table; fractions have at most six digits behind the point."""
    lines = ['<table border="1" class="dataframe">', "  <thead>", '    <tr style="text-align: right;">']
    lines += [f"      <th>{_escaped(title)}</th>" for title in header]
    lines += ["    </tr>", "  </thead>", "  <tbody>"]
    for name, cells in rows:
        lines += ["    <tr>", f"      <th>{_escaped(name)}</th>"]
        lines += [f"      <td>{_escaped(_html_cell(cell))}</td>" for cell in cells]
        lines += ["    </tr>"]
    return "\n".join([*lines, "  </tbody>", "</table>"])


def _escaped(text: str) -> str:
    return html.escape(text, quote=False)


def _html_cell(cell: Cell) -> str:
    if cell is None:
        return "NaN"
    if not isinstance(cell, float):
        return str(cell)
    shown = f"{cell:.6f}".rstrip("0")
    return f"{shown}0" if shown.endswith(".") else shown
