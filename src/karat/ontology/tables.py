"""Tables of pairs whose likeness someone else has computed: the columns q1, q2, class and jc."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from math import isfinite

from karat import files
from karat.errors import InputError
from karat.ontology.provider import Likeness

COLUMNS = ("q1", "q2", "class", "jc")
NO_ANSWER = -1.0
"""Stands in recorded tables for a pair that the service did not answer."""

_MISSING = frozenset({"", "nan", "NaN", "NA", "None"})


class TableProvider:
    """Answers from a table, in the order of the pair as it stands there; the first row of a pair counts."""

    def __init__(self, path: str) -> None:
        self.known: dict[tuple[str, str], Likeness] = {}
        for line, row in _rows(path, COLUMNS):
            scores = (_number(path, line, name, cell) for name, cell in zip(COLUMNS[2:], row[2:], strict=True))
            self.known.setdefault((row[0], row[1]), Likeness(*scores))

    def similarity(self, pairs: Sequence[tuple[str, str]]) -> list[Likeness | None]:
        """Return the likeness of pairs, ``None`` for those that are not in the table or have no score."""
        found = (self.known.get(pair) for pair in pairs)
        return [one if one is not None and any(score is not None for score in one) else None for one in found]


def read_pairs(path: str) -> list[tuple[str, str]]:
    """Read pairs from a table with the columns q1 and q2, separated by tabs or commas; ``-`` is standard input."""
    return [(first, second) for _, (first, second) in _rows(path, COLUMNS[:2])]


def _rows(path: str, columns: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    lines = files.lines(path)
    header = next(lines, "").removeprefix("\ufeff")
    separator = "\t" if "\t" in header else ","
    named = [name.strip().strip('"') for name in header.split(separator)]
    if not set(columns) <= set(named):
        message = f"the header is {header[:60]!r}; expected the columns {', '.join(columns)}, by tabs or commas"
        raise InputError(message, path=path, line=1)
    places = [named.index(name) for name in columns]
    reader = csv.reader(lines, delimiter=separator)
    try:
        for row in reader:
            if not row:
                continue
            if len(row) <= max(places):
                message = f"there are {len(row)} columns, but the header has {len(named)}"
                raise InputError(message, path=path, line=reader.line_num + 1)
            yield reader.line_num + 1, [row[place] for place in places]
    except csv.Error as error:
        raise InputError(f"cannot be read: {error}", path=path, line=reader.line_num + 1) from error


def _number(path: str, line: int, name: str, cell: str) -> float | None:
    if cell in _MISSING:
        return None
    try:
        number = float(cell)
    except ValueError:
        number = float("nan")
    if not isfinite(number):
        raise InputError(f"{name} is {cell[:40]!r}; expected a number, or nothing", path=path, line=line)
    return None if number == NO_ANSWER else number
