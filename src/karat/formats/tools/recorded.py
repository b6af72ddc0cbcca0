"""Recorded results: CSV files with one row an entity, a link, a triple or a document, as OMIn keeps them.

Entities, links and chains are read as the format ``omin`` reads them; triples are read here. The rows are what a
conversion left, with its faults: only the native output says what a tool really found.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from karat.formats.base import EVERYTHING, Problems
from karat.formats.omin.declaration import OminOptions
from karat.formats.omin.declaration import read as read_omin
from karat.formats.tools.base import IDS, TEXTS, Records, column_among
from karat.formats.tools.draft import Draft, Origin
from karat.formats.typed_tables import TypedTable, read_table
from karat.model import Document

_PARTS = ("head", "relation", "tail")


def entities(path: str, problems: Problems, options: Any) -> Iterator[Document]:
    """Yield the documents of a file of entities."""
    del options
    return read_omin(path, problems=problems, want=EVERYTHING, options=OminOptions())


def chains(path: str, problems: Problems, options: Any) -> Iterator[Document]:
    """Yield the documents of a file of chains, numbered words being those of the token file, if there is one."""
    return read_omin(path, problems=problems, want=EVERYTHING, options=OminOptions(tokens=options.tokens))


def triples(path: str, problems: Problems, options: Any) -> Iterator[Document]:
    """Yield the documents of a file of triples; a row without any of the three only says that the document exists."""
    table = read_table(path)
    records = Records(options.records)
    by_number = not any(name in table for name in IDS)
    texts = table.column(column_among(table, TEXTS))
    parts = [table.column(name) for name in _PARTS]
    for given, rows in by_document(table, (*IDS, "index"), problems):
        name = (records.name(int(given)) if by_number and given.isdecimal() else None) or given
        text = texts[rows[0]]
        origin = Origin(path, table.places[rows[0]], problems)
        draft = Draft(name, records.text(name, "" if text is None else str(text)), origin)
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
            problems.error(
                table.path, table.places[row], "the id of the document is missing; expected one in every row"
            )
        else:
            rows.setdefault(str(cell), []).append(row)
    yield from rows.items()
