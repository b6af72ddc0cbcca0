"""Summaries of manual evaluation workbooks as OMIn published them, with a check of the sums in their cells."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import NamedTuple

from karat.errors import InputError
from karat.judge.estimates import mean_limits
from karat.judge.results import JudgedFigure, JudgedResults
from karat.judge.workbook import Cell, Formula, Worksheet, read_workbook

_IDENTIFIERS = ("c5_id", "c5", "c5_unique_id", "id", "index")
_QUESTIONS = {
    "Syntactic Accuracy": ("syntactic", "mean"),
    "Semantic Accuracy": ("semantic", "mean"),
    "Consistency": ("consistency", "mean"),
    "Hallucination": ("hallucination", "sum"),
}
_RANGE = re.compile(r"\$?([A-Z]+)\$?(\d+):\$?([A-Z]+)\$?(\d+)")


class AnswerColumn(NamedTuple):
    """A column of answers: its name, its letter, and its numbers by row."""

    name: str
    letter: str
    answers: dict[int, float]


def summary_of(path: str | os.PathLike[str], documents: int | None = None, level: float = 0.95) -> JudgedResults:
    """Return the summary of a workbook; ``documents`` is the number of records given to the tool, if known."""
    sheets = read_workbook(path)
    figures: list[JudgedFigure] = []
    notes: list[str] = []
    for sheet in sheets:
        table = _Table(sheet)
        if table.rated:
            figures += _answers(table, documents, level)
            notes += _faults(table)
        elif table.has("head"):
            figures += _output(table, documents)
    if not any(figure.table != "raw_output" for figure in figures):
        wanted = ", ".join(_QUESTIONS)
        raise InputError(f"has no sheet with answers; expected a column head, and some of {wanted}", path=path)
    return JudgedResults(tuple(figures), tuple(notes))


class _Table:
    """A sheet with a head row, read by the names of its columns."""

    def __init__(self, sheet: Worksheet) -> None:
        self.sheet = sheet
        head = sheet.rows[0] if sheet.rows else []
        self.columns = {str(name): column for column, name in reversed(list(enumerate(head))) if name is not None}
        self.listed = [row for row, _ in enumerate(sheet.rows[1:], 2) if self.has("head") and self.cell(row, "head")]
        identifier = next((name for name in _IDENTIFIERS if name in self.columns), "head")
        self.documents = {row: str(self.cell(row, identifier)) for row in self.listed}
        self.rated = [self._column(name) for name in _QUESTIONS if self.has(name) and self.has("head")]
        self.odd = [
            f"{sheet.name}!{column.letter}{row}: {value!r} is not a number, and is not counted as an answer"
            for column in self.rated
            for row in self.listed
            if isinstance(value := self.cell(row, column.name), str)
        ]

    def has(self, name: str) -> bool:
        return name in self.columns

    def cell(self, row: int, name: str) -> Cell:
        cells = self.sheet.rows[row - 1]
        column = self.columns[name]
        return cells[column] if column < len(cells) else None

    def _column(self, name: str) -> AnswerColumn:
        values = {row: value for row in self.listed if isinstance(value := self.cell(row, name), float)}
        return AnswerColumn(name, _letter(self.columns[name]), values)


def _answers(table: _Table, documents: int | None, level: float) -> Iterator[JudgedFigure]:
    """Yield the figures of a sheet with answers, with the numbers of rated and of listed items."""
    name = table.sheet.name
    for column in table.rated:
        about, measure = _QUESTIONS[column.name]
        values = list(column.answers.values())
        rated, listed = len(values), len(table.listed)
        if about == "consistency":
            listed = len(set(table.documents.values()))
        if measure == "sum":
            yield JudgedFigure(name, "", about, measure, sum(values), None, None, rated, listed)
            continue
        mean = sum(values) / rated if rated else None
        limits = mean_limits(table.documents, column.answers, documents, level)
        low, high = limits if about != "consistency" else (None, None)
        yield JudgedFigure(name, "", about, measure, mean, low, high, rated, listed)


def _output(table: _Table, documents: int | None) -> Iterator[JudgedFigure]:
    """Yield how many items the tool gave, and in how many documents."""
    name, given = table.sheet.name, len(set(table.documents.values()))
    yield JudgedFigure(name, "", "items", "number", len(table.listed))
    share = given / documents if documents else None
    yield JudgedFigure(name, "", "documents", "share", share, rated=given, listed=documents)


def _faults(table: _Table) -> Iterator[str]:
    """Yield a note for each cell that is not an answer, and for each sum that disagrees with its cells."""
    yield from table.odd
    yield from _repeats(table)
    by_letter = {column.letter: column for column in table.rated}
    for formula in table.sheet.formulas:
        covered = _RANGE.search(formula.text)
        column = by_letter.get(covered[1]) if covered and covered[1] == covered[3] else None
        if covered and column and formula.value is not None:
            yield from _fault(table, formula, column, int(covered[2]), int(covered[4]))


def _repeats(table: _Table) -> Iterator[str]:
    """Yield a note for each second answer about one document; it counts, as it did in the publication."""
    for column in table.rated:
        first: dict[str, int] = {}
        for row in column.answers if _QUESTIONS[column.name][0] == "consistency" else ():
            first_row = first.setdefault(table.documents[row], row)
            if first_row != row:
                what = f"{column.name} of document {table.documents[row]!r} is already answered in row {first_row}"
                yield f"{table.sheet.name}!{column.letter}{row}: {what}, and counts twice"


def _fault(table: _Table, formula: Formula, column: AnswerColumn, first: int, last: int) -> Iterator[str]:
    values = list(column.answers.values())
    mean = not formula.text.upper().startswith("SUM")
    right = (sum(values) / len(values) if values else 0.0) if mean else sum(values)
    if abs(right - (formula.value or 0.0)) > 1e-6:
        covered = sum(first <= row <= last for row in column.answers)
        yield (
            f"{table.sheet.name}!{formula.cell}: {formula.text} says {formula.value:g} for {column.name}, from "
            f"{covered} of {len(values)} answers; all cells give {right:.6g}"
        )


def _letter(column: int) -> str:
    """Return the letters of a column.

    >>> _letter(0), _letter(27)
    ('A', 'AB')
    """
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters
