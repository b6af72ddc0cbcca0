"""Workbooks to fill in instead of the workbench: export of a pool, import of answers, and summary of a filled one."""

from __future__ import annotations

import csv
import hashlib
import io
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import nan
from typing import NamedTuple

from karat.errors import InputError, needing
from karat.io import lines
from karat.judge.desk import Desk, HeldActs, by_target
from karat.judge.estimates import mean_limits
from karat.judge.journal import Act
from karat.judge.people import check_name
from karat.judge.project import Project
from karat.judge.results import JudgedFigure, JudgedResults
from karat.judge.scheme import BUILT_IN, RESERVED, Question, Scheme, read_scheme
from karat.judge.workbook import Cell, is_workbook, read_workbook

_SHEET = "judge"
_LONGEST = 32_000
"""The length at which texts are cut; a cell holds only a few more characters."""
_FIXED = RESERVED[:-1]
_ALONE = (
    "a sheet has neither the systems of its items nor the draw; karat judge take imports its answers into "
    "the project, whose summary knows both"
)


def sheet_of(project: Project) -> bytes:
    """Return a workbook with the items of a pool, in order; no text becomes a formula.

    Questions about a document are answered in the row of its last item.
    """
    with needing("a spreadsheet", "judge"):
        import xlsxwriter
    buffer = io.BytesIO()
    book = xlsxwriter.Workbook(buffer, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False})
    sheet = book.add_worksheet(_SHEET)
    bold, wrapped = book.add_format({"bold": True}), book.add_format({"text_wrap": True, "valign": "top"})
    free = book.add_format({"locked": False, "bg_color": "#FCF5DF", "valign": "top"})
    questions = project.scheme.question
    head = [*_FIXED, *(question.id for question in questions), "note"]
    for column, name in enumerate(head):
        sheet.write_string(0, column, name, bold)
    texts = {page.id: page.text for page in project.pool.pages}
    last_of = {entry.item.document: row for row, entry in enumerate(project.pool.entries, 1)}
    for row, entry in enumerate(project.pool.entries, 1):
        parts = [part.surface for part in entry.item.parts]
        claim = " | ".join([*parts[:1], entry.item.label, *parts[1:]])
        for column, text in enumerate((entry.id, entry.item.document, texts[entry.item.document], claim)):
            shown = text if len(text) <= _LONGEST else f"{text[:_LONGEST]} […]"
            sheet.write_string(row, column, shown, wrapped)
        for column, about in enumerate([*(question.per for question in questions), "item"], len(_FIXED)):
            if about == "item" or last_of[entry.item.document] == row:
                sheet.write_blank(row, column, None, free)
    last = max(1, len(project.pool.entries))
    for column, question in enumerate(questions, len(_FIXED)):
        sheet.data_validation(1, column, last, column, _validation(question))
    sheet.set_column(0, 1, 18)
    sheet.set_column(2, 3, 50)
    sheet.freeze_panes(1, 0)
    sheet.protect("", {"format_columns": True, "format_rows": True})
    book.close()
    return buffer.getvalue()


def _validation(question: Question) -> dict[str, object]:
    if question.answers:
        return {"validate": "list", "source": [f"{value:g}" for value in question.values], "input_title": question.id}
    return {"validate": "integer", "criteria": ">=", "value": 0}


class FilledRow(NamedTuple):
    """A row of a filled sheet: the cells of an item, by column name."""

    path: str | os.PathLike[str]
    line: int
    cells: dict[str, Cell]

    @property
    def item(self) -> str:
        """The id of the item."""
        return str(self.cells["item"])

    @property
    def document(self) -> str:
        """The id of the item's document."""
        return str(self.cells.get("document"))

    def answer(self, question: Question) -> float | None:
        """Return the answer to a question, or None if the cell is empty."""
        cell = self.cells.get(question.id)
        if cell is None:
            return None
        try:
            value = float(cell)
        except ValueError:
            value = nan
        if not question.takes(value):
            raise InputError(f"{cell!r} is not an answer to {question.id!r}", path=self.path, line=self.line)
        return value

    @property
    def note(self) -> str:
        """The note on the item."""
        note = self.cells.get("note")
        return f"{note:g}" if isinstance(note, float) else note or ""


def is_filled_sheet(path: str | os.PathLike[str]) -> bool:
    """Return whether a workbook has the sheet that ``karat judge sheet`` makes."""
    return is_workbook(path) and any(sheet.name == _SHEET for sheet in read_workbook(path))


def filled_rows(path: str | os.PathLike[str]) -> list[FilledRow]:
    """Return the rows with an item of a filled sheet, or of a CSV file with the same columns."""
    rows = _cells(path)
    head = [str(cell) for cell in rows[0]]
    if "item" not in head:
        raise InputError("has no column 'item'; make a sheet with  karat judge sheet", path=path, line=1)
    named = (FilledRow(path, line, dict(zip(head, cells, strict=False))) for line, cells in enumerate(rows[1:], 2))
    return [row for row in named if row.cells.get("item")]


def _cells(path: str | os.PathLike[str]) -> list[list[Cell]]:
    if not is_workbook(path):
        rows: list[list[Cell]] = [[cell or None for cell in row] for row in csv.reader(lines(path))]
    else:
        rows = [row for sheet in read_workbook(path) if sheet.name == _SHEET for row in sheet.rows]
    if not rows:
        raise InputError(f"has no sheet {_SHEET!r}; make one with  karat judge sheet", path=path)
    return rows


def take_sheet(project: Project, path: str | os.PathLike[str], person: str) -> int:
    """Add the answers of a filled sheet to the journal, all or none, in a person's name; return how many are new.

    Importing a sheet again adds only the answers that were changed in it.
    """
    check_name(person)
    rows = filled_rows(path)
    with project.database.writing():
        desk = Desk(project)
        held = by_target(project.journal.standing(person))
        acts: dict[tuple[str, str], Act] = {}
        for row in rows:
            for act in _acts(desk, held, person, row):
                if acts.setdefault((act.target, act.question), act) != act:
                    raise InputError(
                        f"{act.question!r} of {act.target!r} has two different answers in the sheet", path=path
                    )
                desk.check(act)
        fresh = [act for act in acts.values() if not _holds(held, act)]
        project.journal.add_all(fresh)
    return len(fresh)


def _holds(held: Mapping[str, HeldActs], act: Act) -> bool:
    standing = held.get(act.target, {}).get(act.question)
    return standing is not None and (standing.act, standing.value, standing.text) == (act.act, act.value, act.text)


def _acts(desk: Desk, held: Mapping[str, HeldActs], person: str, row: FilledRow) -> Iterator[Act]:
    item = row.item
    if item not in desk.places:
        raise InputError(f"{item!r} is not an item of this pool", path=row.path, line=row.line)
    answers = {question: row.answer(question) for question in desk.project.scheme.question}
    is_assigned = desk.assignments.is_theirs(person, desk.places[item])
    if not is_assigned and (row.note or any(value is not None for value in answers.values())):
        advice = "make the pool with --overlap 1 to let all judges answer all items"
        raise InputError(f"{item!r} is already assigned to another judge; {advice}", path=row.path, line=row.line)
    for question, value in answers.items():
        if value is not None:
            target = item if question.per == "item" else desk.entries[desk.places[item]].item.document
            yield Act(person, "answer", _nonce(held, person, target, question.id, value), target, question.id, value)
    if row.note:
        yield Act(person, "note", _nonce(held, person, item, "note", row.note), item, "note", None, row.note)


def _nonce(held: Mapping[str, HeldActs], person: str, target: str, question: str, value: object) -> str:
    """Return the nonce of an answer in a sheet; it depends on the answer that it would replace."""
    standing = held.get(target, {}).get(question)
    words = repr((person, target, question, value, standing.line if standing else 0))
    return hashlib.sha256(words.encode()).hexdigest()[:32]


def sheet_summary(
    path: str | os.PathLike[str], scheme: Scheme | None = None, documents: int | None = None, level: float = 0.95
) -> JudgedResults:
    """Return the summary of a filled sheet that ``karat judge sheet`` made.

    Args:
        path: the sheet.
        scheme: the questions; None for the built-in scheme whose questions are in the head.
        documents: the number of documents that those in the sheet were drawn from, if known.
        level: the confidence level of the intervals.

    """
    rows = filled_rows(path)
    questions = _asked(scheme or _known_by(rows, path), rows)
    if not questions:
        raise InputError("has no column for any question of this scheme", path=path, line=1)
    figures = [_figure(rows, question, documents, level) for question in questions]
    return JudgedResults(tuple(figures), (_ALONE,))


def _asked(scheme: Scheme, rows: Sequence[FilledRow]) -> list[Question]:
    names = rows[0].cells.keys() if rows else ()
    return [question for question in scheme.question if question.id in names]


def _known_by(rows: Sequence[FilledRow], path: str | os.PathLike[str]) -> Scheme:
    """Return the built-in scheme whose questions are all in the head."""
    for scheme in map(read_scheme, BUILT_IN):
        if len(_asked(scheme, rows)) == len(scheme.question):
            return scheme
    raise InputError(
        f"its columns belong to neither {' nor '.join(BUILT_IN)}; name the scheme with --scheme", path=path
    )


def _of_documents(rows: Sequence[FilledRow], question: Question) -> JudgedFigure:
    """Return the mean or the sum over documents, or the share of items that contradict no other item."""
    sizes = Counter(row.document for row in rows)
    answers = {row.document: value for row in rows if (value := row.answer(question)) is not None}
    values = [
        max(0.0, sizes[document] - value) / sizes[document] if question.summary == "consistency" else value
        for document, value in answers.items()
    ]
    total = sum(values) if question.summary == "sum" else sum(values) / len(values) if values else None
    return JudgedFigure("sheet", "", question.id, question.summary, total, rated=len(values), listed=len(sizes))


def _figure(rows: Sequence[FilledRow], question: Question, documents: int | None, level: float) -> JudgedFigure:
    if question.per == "document":
        return _of_documents(rows, question)
    answers = {row.line: value for row in rows if (value := row.answer(question)) is not None}
    total, rated = sum(answers.values()), len(answers)
    if question.summary == "sum" or not question.answers:
        return JudgedFigure("sheet", "", question.id, "sum", total, rated=rated, listed=len(rows))
    least, most = min(question.values), max(question.values)
    places = {row: (value - least) / (most - least) for row, value in answers.items()}
    limits = mean_limits({row.line: row.document for row in rows}, places, documents, level)
    low, high = (None if limit is None else least + limit * (most - least) for limit in limits)
    return JudgedFigure("sheet", "", question.id, "mean", total / rated if rated else None, low, high, rated, len(rows))
