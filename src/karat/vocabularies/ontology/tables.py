"""Tables of precomputed similarity scores: the columns q1, q2, class and jc."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from math import inf

from karat import io as files
from karat.errors import InputError
from karat.vocabularies.ontology.provider import Likeness

COLUMNS = ("q1", "q2", "class", "jc")
NO_ANSWER = -1.0
"""Stands in recorded tables for a pair that the service did not answer."""

_MISSING = frozenset({"", "nan", "NaN", "NA", "None"})
_NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_QUOTED = re.compile(r'"[^"]*"')
_MOST = 1 + 1e-9
"""Sums of floating-point numbers may end a little above 1."""


class TableProvider:
    """Scores from a table, for pairs in the order in which the table has them."""

    def __init__(self, path: str) -> None:
        self.known: dict[tuple[str, str], Likeness] = {}
        lines: dict[tuple[str, str], int] = {}
        for line, (first, second, *cells) in _rows(path, COLUMNS):
            scores = (_number(path, line, name, cell) for name, cell in zip(COLUMNS[2:], cells, strict=True))
            likeness = Likeness(*scores)
            if self.known.setdefault((first, second), likeness) != likeness:
                names = f"{first[:40]} and {second[:40]}"
                message = f"{names} have other scores than on line {lines[first, second]}; keep one of the two"
                raise InputError(message, path=path, line=line)
            lines.setdefault((first, second), line)

    def similarity(self, pairs: Sequence[tuple[str, str]]) -> list[Likeness | None]:
        """Return the scores of pairs, None for pairs that the table lacks or has no score for."""
        likenesses = (self.known.get(pair) for pair in pairs)
        return [
            likeness if likeness is not None and any(score is not None for score in likeness) else None
            for likeness in likenesses
        ]


def read_pairs(path: str) -> list[tuple[str, str]]:
    """Return pairs from a table with the columns q1 and q2, separated by tabs or commas; ``-`` is standard input."""
    return [(first, second) for _, (first, second) in _rows(path, COLUMNS[:2])]


def _rows(path: str, columns: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield the cells of the columns, and the number of the line on which the row begins."""
    lines = files.lines(path)
    header = next(lines, "").removeprefix("\ufeff")
    separator = "\t" if "\t" in header else ","
    named = [name.strip().strip('"') for name in header.split(separator)]
    if not set(columns) <= set(named):
        message = f"the header is {header[:60]!r}; expected the columns {', '.join(columns)}, by tabs or commas"
        raise InputError(message, path=path, line=1)
    places = [named.index(name) for name in columns]
    for line, row in _by_tabs(lines) if separator == "\t" else _by_commas(path, lines):
        if len(row) <= max(places):
            message = f"there are {len(row)} columns, but the header has {len(named)}"
            raise InputError(message, path=path, line=line)
        cells = [row[column] for column in places]
        for name, cell in zip(columns, cells, strict=True):
            if "\n" in cell or (separator == "\t" and cell.startswith('"')):
                message = f"{name} is {cell[:40]!r}; expected one line, and quotation marks in pairs"
                raise InputError(message, path=path, line=line)
        yield line, cells


def _by_tabs(lines: Iterator[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield lines split at tabs; quotation marks have no meaning except around a whole cell."""
    for line_number, line in enumerate(lines, 2):
        if line:
            yield line_number, [cell[1:-1] if _QUOTED.fullmatch(cell) else cell for cell in line.split("\t")]


def _by_commas(path: str, lines: Iterator[str]) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader((f"{line}\n" for line in lines), strict=True)
    line = 2
    try:
        for row in reader:
            if row:
                yield line, row
            line = reader.line_num + 2
    except csv.Error as error:
        raise InputError(f"cannot be read: {error}; is a quotation mark not closed?", path=path, line=line) from error


def _number(path: str, line: int, name: str, cell: str) -> float | None:
    cell = cell.strip()
    if cell in _MISSING:
        return None
    score = float(cell) if _NUMBER.fullmatch(cell) else -inf
    if score == NO_ANSWER:
        return None
    if not 0 <= score <= _MOST:
        message = f"{name} is {cell[:40]!r}; expected a number from 0 to 1, {NO_ANSWER:.0f} or nothing for no score"
        raise InputError(message, path=path, line=line)
    return score
