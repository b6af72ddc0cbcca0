"""CSV files read as the OMIn programs read them, with pandas' rules for missing cells and numeric columns; bounded.

The programs read their files with the defaults of pandas, which affects their scores: an entity spelled ``NA`` is
missing, and a column in which every value is a number holds numbers, which equal no text. Lines, cells and rows are
bounded, so that a hostile file is refused.
"""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from math import isinf

from karat.errors import InputError
from karat.io import lines
from karat.settings import MORE, limit

Cell = str | int | float | bool | None
"""A value of a table; ``None`` is a missing one."""

MAX_LINE = 1 << 20
"""Characters in a line. A cell may have 131,072 of them, the bound of the standard library."""
MAX_COLUMNS = limit(1000)
MAX_CELLS = limit(20_000_000)
"""Cells in a file."""

MISSING = frozenset(
    {"", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>", "N/A", "NA"}
    | {"NULL", "NaN", "None", "n/a", "nan", "null"}
)
"""The spellings of a missing value."""

_TRUTH = {"True": True, "TRUE": True, "true": True, "False": False, "FALSE": False, "false": False}
_INTEGER = re.compile(r"\s*+[+-]?[0-9]++\s*+")
_NUMBER = re.compile(r"\s*+[+-]?(?:(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][+-]?[0-9]++)?|(?i:inf|infinity))\s*+")
_LARGEST = 2**63
_LONGEST = 30
"""A whole number beyond these makes a column of texts, if it comes before the first other number."""
_END = "\0end of file\0"
"""Stands behind the last line, so that a cell whose quotation mark is never closed can be told."""


class TypedTable:
    """The rows of a CSV file by column.

    >>> table = TypedTable("tool/results.csv", ["c5_id", "entities"], [["A1", "NA"], ["A2", "WING"]], [2, 3])
    >>> table.column("entities"), len(table)
    ([None, 'WING'], 2)
    """

    def __init__(
        self, path: str, names: Sequence[str], rows: Sequence[Sequence[str]], places: Sequence[int | None]
    ) -> None:
        self.path = path
        self.names = list(names)
        self.rows = rows
        self.places = places
        """The line in which each row begins, if it comes from one."""
        self._columns: dict[str, list[Cell]] = {}
        self._whole: tuple[TypedTable, Sequence[int]] | None = None

    def __len__(self) -> int:
        return len(self.rows)

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def column(self, name: str, advice: str = "") -> list[Cell]:
        """Return the values of a column, None for missing ones; a column that does not exist is an error."""
        if name not in self._columns:
            if name not in self.names:
                problem = f"there is no column {name!r}, only {', '.join(map(repr, self.names[:20]))}"
                raise InputError(f"{problem}; {advice}" if advice else problem, path=self.path, line=1)
            if self._whole is not None:
                whole, rows = self._whole
                values = whole.column(name)
                self._columns[name] = [values[row] for row in rows]
            else:
                index = self.names.index(name)
                self._columns[name] = typed([row[index] for row in self.rows])
        return self._columns[name]

    def only(self, rows: Sequence[int]) -> TypedTable:
        """Return a table of some rows, with the values that they have in the whole table."""
        part = TypedTable(self.path, self.names, [self.rows[row] for row in rows], [self.places[row] for row in rows])
        part._whole = self, rows
        return part

    def is_complete(self, row: int) -> bool:
        """Tell whether no cell of a row is missing."""
        return MISSING.isdisjoint(self.rows[row])

    def fault(self, row: int, message: str) -> InputError:
        """Return an error about a row, with its line."""
        return InputError(message, path=self.path, line=self.places[row])


def is_number(text: str) -> bool:
    """Tell whether a text is a number in a column of numbers.

    >>> is_number("5"), is_number("1e3"), is_number("Q5")
    (True, True, False)
    """
    return _NUMBER.fullmatch(text) is not None


def typed(cells: Sequence[str]) -> list[Cell]:
    """Return the values that the cells of a column stand for.

    >>> typed(["1", "NA", "2"]), typed(["1", "Q2"]), typed(["true", "False"])
    ([1.0, None, 2.0], ['1', 'Q2'], [True, False])
    """
    values = [None if cell in MISSING else cell for cell in cells]
    present = [value for value in values if value is not None]
    integers = list(takewhile(_INTEGER.fullmatch, present))
    if any(len(cell.strip()) > _LONGEST or not -_LARGEST <= int(cell) < 2 * _LARGEST for cell in integers):
        return list(values)
    if len(integers) == len(present):
        kind: type[int] | type[float] = int if len(present) == len(values) else float
        return [None if value is None else kind(value) for value in values]
    if all(map(_NUMBER.fullmatch, present)):
        if any(isinf(float(cell)) and "n" not in cell.lower() for cell in present):
            return list(values)
        return [None if value is None else float(value) for value in values]
    if all(cell in _TRUTH for cell in present):
        return [None if value is None else _TRUTH[value] for value in values]
    return list(values)


def read_table(path: str | os.PathLike[str]) -> TypedTable:
    """Return a UTF-8 CSV file with a header; decompressed according to its name."""
    records = _records(path)
    header = next(records, None)
    if header is None:
        raise InputError("the file is empty; expected a CSV file with a header", path=path)
    names = _header(header[1], path)
    rows: list[list[str]] = []
    places: list[int] = []
    for line, row in records:
        if len(row) > len(names):
            message = f"the row has {len(row):,} cells, but the header {len(names)}; quote cells that hold commas"
            raise InputError(message, path=path, line=line)
        if len(rows) * len(names) > MAX_CELLS:
            raise InputError(f"the file has more than {MAX_CELLS:,} cells; split it, {MORE}", path=path, line=line)
        rows.append(row + [""] * (len(names) - len(row)))
        places.append(line)
    return TypedTable(str(path), names, rows, places)


def _records(path: str | os.PathLike[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield the non-blank records of a file, each with the number of its first line."""
    reader = csv.reader(_feed(path))
    begin = 1
    try:
        for row in reader:
            line, begin = begin, reader.line_num + 1
            if row == [_END]:
                return
            if row and row[-1].endswith(_END):
                message = "the quotation mark of a cell that begins in this line is never closed; close it"
                raise InputError(message, path=path, line=line)
            if len(row) > 1 or (row and (row[0].strip(" \t") or not row[0])):
                yield line, row
    except csv.Error as error:
        long = f"a cell is longer than {csv.field_size_limit():,} characters"
        what = long if "field limit" in str(error) else str(error)
        raise InputError(f"{what}; expected a CSV file", path=path, line=begin) from error


def _header(row: Sequence[str], path: object) -> list[str]:
    if len(row) > MAX_COLUMNS:
        raise InputError(
            f"the header has {len(row):,} columns; expected at most {MAX_COLUMNS:,}, {MORE}", path=path, line=1
        )
    names: list[str] = []
    for index, name in enumerate(row):
        plain = name or f"Unnamed: {index}"
        again = sum(earlier == plain for earlier in row[:index])
        names.append(f"{plain}.{again}" if again else plain)
    return names


def _feed(path: str | os.PathLike[str]) -> Iterator[str]:
    """Yield the lines of a file for the CSV reader: bounded, without a byte-order mark, and with a final empty line."""
    for line_number, line in enumerate(lines(path), 1):
        if len(line) > MAX_LINE:
            message = f"the line has {len(line):,} characters; at most {MAX_LINE:,} are read"
            raise InputError(message, path=path, line=line_number)
        yield (line.removeprefix("\ufeff") if line_number == 1 else line) + "\n"
    yield _END
