"""Recorded results: CSV files with one row per entity, link, triple or document, as OMIn stores them.

Entities, links and chains are read as by the format ``omin``; triples are read here. The rows are the result of a
conversion, with its faults: only native output has everything that a tool found. Printed output is a text in a key of
JSON lines or in the cells of a CSV file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import takewhile
from operator import attrgetter
from typing import Any, TypeVar

from karat.annotations.faults import shown
from karat.errors import InputError
from karat.formats.base import EVERYTHING, Problems
from karat.formats.omin.declaration import OminOptions
from karat.formats.omin.declaration import read as read_omin
from karat.formats.tools import Tool
from karat.formats.tools.base import (
    IDS,
    TEXTS,
    DocumentNames,
    Native,
    Records,
    column_among,
    each_record,
    kind,
    text_of,
)
from karat.formats.tools.draft import Origin, ToolDraft
from karat.formats.typed_tables import TypedTable, read_table
from karat.model import Document

Item = TypeVar("Item")
_PARTS = ("head", "relation", "tail")


def entities(path: str, problems: Problems, options: Any) -> Iterator[Document]:
    """Yield the documents of a file of entities."""
    del options
    return read_omin(path, problems=problems, want=EVERYTHING, options=OminOptions())


def chains(path: str, problems: Problems, options: Any) -> Iterator[Document]:
    """Yield the documents of a file of chains; numbered words are those of the token file, if given."""
    return read_omin(path, problems=problems, want=EVERYTHING, options=OminOptions(tokens=options.tokens))


def triples(path: str, problems: Problems, options: Any) -> Iterator[Document]:
    """Yield the documents of a file of triples; a row with only an id states that the document exists."""
    table = read_table(path)
    records = Records(options.records)
    by_number = not any(name in table for name in IDS)
    texts = table.column(column_among(table, TEXTS))
    parts = [table.column(name) for name in _PARTS]
    for given, rows in by_document(table, (*IDS, "index"), problems):
        name = (records.name(int(given)) if by_number and given.isdecimal() else None) or given
        text = texts[rows[0]]
        origin = Origin(path, table.places[rows[0]], problems)
        draft = ToolDraft(name, records.text(name, "" if text is None else str(text)), origin)
        for row in rows:
            triple = [column[row] for column in parts]
            if all(part is None for part in triple):
                continue
            head, relation, tail = triple
            if head is None or relation is None or tail is None:
                problems.repair(path, table.places[row], "a triple has an empty part; it is left out")
                continue
            draft.relation(draft.thing(str(head)), str(relation), draft.thing(str(tail)))
        yield draft.document()


def by_document(table: TypedTable, names: tuple[str, ...], problems: Problems) -> Iterator[tuple[str, list[int]]]:
    """Yield the id of each document with its rows, in the order in which the file first names them."""
    rows: dict[str, list[int]] = {}
    for row, cell in enumerate(table.column(column_among(table, names))):
        if cell is None:
            message = "the id of the document is missing; expected one in every row"
            problems.error(table.path, table.places[row], message)
        else:
            rows.setdefault(str(cell), []).append(row)
    yield from rows.items()


class PrintedDocuments:
    """Builds documents from printed output, under the options of the tool."""

    def __init__(self, options: Any) -> None:
        self.records = Records(options.records)
        self.published = getattr(options, "conversion", "auto") == "published"

    def document(self, name: str, printed: str, text: str | None, origin: Origin) -> Document:
        """Return the document for printed output.

        Args:
            name: the id of the document.
            printed: the output of the tool.
            text: the text of the document, if the file has it.
            origin: the location in the file, for messages.

        """
        draft = ToolDraft(name, self.records.text(name, text), origin)
        self.add(draft, printed)
        return draft.document()

    def add(self, draft: ToolDraft, printed: str) -> None:
        """Add printed items to a document."""
        raise NotImplementedError

    def kept(self, items: list[Item], what: str, name: str, origin: Origin) -> list[Item]:
        """Return all items of a document or, if requested, those that the published conversion keeps."""
        kept = as_published(items) if self.published else items
        if len(kept) < len(items):
            lost = f"{len(items) - len(kept)} of {len(items)} {what} left out"
            origin.repair(f"document {shown(name)}: {lost}, as the published conversion does")
        return kept


def as_published(items: Iterable[Item]) -> list[Item]:
    """Return the items that the published conversion keeps: those before the first that it cannot parse."""
    return list(takewhile(attrgetter("published"), items))


def printed_readers(declared: Tool, builder: type[PrintedDocuments], rows: Native) -> tuple[Native, Native]:
    """Return the readers of JSON lines and of CSV files with printed output.

    A CSV file is read by its recorded rows; its cells are parsed instead if there are no rows, or if a
    conversion was requested.
    """

    def native(path: str, problems: Problems, options: Any) -> Iterator[Document]:
        return _in_lines(path, problems, declared.printed, builder(options))

    def recorded_cells(path: str, problems: Problems, options: Any) -> Iterator[Document]:
        table = read_table(path)
        cells = next((name for name in declared.cells if name in table), "")
        as_recorded = declared.rows in table and getattr(options, "conversion", "auto") == "auto"
        if as_recorded or not cells:
            return rows(path, problems, options)
        return _in_cells(table, cells, problems, builder(options))

    return native, recorded_cells


def _in_lines(path: str, problems: Problems, key: str, builder: PrintedDocuments) -> Iterator[Document]:
    """Yield the documents of JSON lines with printed output in a key."""
    names = DocumentNames(path, problems)

    def from_record(record: dict[str, Any], line: int) -> Document:
        printed = record.get(key)
        if not isinstance(printed, str):
            raise InputError(f"{key} is {kind(printed)}; expected a text, as the tool prints it")
        return builder.document(names.of(record, line), printed, text_of(record), Origin(path, line, problems))

    return each_record(path, problems, from_record)


def _in_cells(table: TypedTable, column: str, problems: Problems, builder: PrintedDocuments) -> Iterator[Document]:
    """Yield the documents of a CSV file with printed output in a column; of several rows the first counts.

    An empty cell is a document without annotations, and is reported.
    """
    texts = table.column(column_among(table, TEXTS))
    for name, rows in by_document(table, IDS, problems):
        line, printed, text = table.places[rows[0]], table.column(column)[rows[0]], texts[rows[0]]
        known, origin = None if text is None else str(text), Origin(table.path, line, problems)
        with problems.catching(table.path, line):
            if printed is None:
                message = f"the cell {column} is empty; read as an answer that finds nothing"
                origin.repair(f"document {shown(name)}: {message}")
                yield ToolDraft(name, builder.records.text(name, known), origin).document()
            elif isinstance(printed, str):
                yield builder.document(name, printed, known, origin)
            else:
                raise table.fault(rows[0], f"the cell {column} is a number; expected what the tool prints")
