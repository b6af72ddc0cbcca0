"""Results that a tool printed as a text, which stands in a key of JSON lines or in the cells of a CSV file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from typing import Protocol as Interface

from karat.annotations.faults import shown
from karat.errors import InputError
from karat.formats.base import Problems
from karat.formats.tools import Tool, recorded
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
from karat.formats.tools.draft import Draft, Origin
from karat.formats.typed_tables import TypedTable, read_table
from karat.model import Document

Build = Callable[[str, str, str | None, Origin], Document]
"""Builds a document from its id, what was printed, its text, if the file has it, and where that stands."""


def in_lines(path: str, problems: Problems, key: str, build: Build) -> Iterator[Document]:
    """Yield the documents of JSON lines with what was printed in a key."""
    names = DocumentNames(path, problems)

    def from_record(record: dict[str, Any], line: int) -> Document:
        printed = record.get(key)
        if not isinstance(printed, str):
            raise InputError(f"{key} is {kind(printed)}; expected a text, as the tool prints it")
        return build(names.of(record, line), printed, text_of(record), Origin(path, line, problems))

    return each_record(path, problems, from_record)


def in_cells(table: TypedTable, column: str, problems: Problems, builder: Builder) -> Iterator[Document]:
    """Yield the documents of a CSV file with what was printed in a column; of several rows the first counts.

    An empty cell is an answer without annotations, and reported.
    """
    texts = table.column(column_among(table, TEXTS))
    for name, rows in recorded.by_document(table, IDS, problems):
        line, printed, text = table.places[rows[0]], table.column(column)[rows[0]], texts[rows[0]]
        known, origin = None if text is None else str(text), Origin(table.path, line, problems)
        with problems.catching(table.path, line):
            if printed is None:
                message = f"the cell {column} is empty; read as an answer that finds nothing"
                origin.repair(f"document {shown(name)}: {message}")
                yield Draft(name, builder.records.text(name, known), origin).document()
            elif isinstance(printed, str):
                yield builder.document(name, printed, known, origin)
            else:
                raise table.fault(rows[0], f"the cell {column} is a number; expected what the tool prints")


class Builder(Interface):
    """What builds documents from what a tool printed; it is made with the options of the tool."""

    records: Records

    def document(self, name: str, printed: str, text: str | None, origin: Origin) -> Document:
        """Return the document of an id, what was printed, its text, if the file has it, and where that stands."""


def readers(declared: Tool, builder: Callable[[Any], Builder], rows: Native) -> tuple[Native, Native]:
    """Return the readers of JSON lines and of CSV files.

    A CSV file is read by its rows, as recorded; what stands in its cells is read again if there are no rows, or if a
    conversion was asked for.
    """

    def native(path: str, problems: Problems, options: Any) -> Iterator[Document]:
        return in_lines(path, problems, declared.printed, builder(options).document)

    def recorded_cells(path: str, problems: Problems, options: Any) -> Iterator[Document]:
        table = read_table(path)
        cells = next((name for name in declared.cells if name in table), "")
        as_recorded = declared.rows in table and getattr(options, "conversion", "auto") == "auto"
        if as_recorded or not cells:
            return rows(path, problems, options)
        return in_cells(table, cells, problems, builder(options))

    return native, recorded_cells
