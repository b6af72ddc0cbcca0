"""Triples in a table: a row for each head, relation and tail, with the document id; CSV or tab-separated.

Columns are found by name. Instead of three columns, one may have whole triples in its cells, as in the raw gold of
OMIn. A row with only an id states that the document exists. With a column of texts, or the file of the records, heads
and tails are located in the text; otherwise they are mentions without spans.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from karat.annotations.faults import shown
from karat.errors import InputError
from karat.formats.base import Format, Problems, Want
from karat.formats.tools.base import IDS, TEXTS, Records, ToolOptions
from karat.formats.tools.draft import Origin, ToolDraft
from karat.formats.typed_tables import MAX_CELLS, MAX_LINE, TypedTable, read_table
from karat.io import lines, peek
from karat.model import Document
from karat.vocabularies.normal_forms import normal_name

_IDS = (*IDS, "document", "doc", "index")
_PARTS = (("head", "subject", "subj"), ("relation", "predicate", "property"), ("tail", "object", "obj"))
_BETWEEN = re.compile(r"\s{2,}|\n")
"""What separates the triples of a cell: several blanks, or a new line."""

Parts = tuple[str, str, str]
"""Head, relation and tail."""


def read(path: str, *, problems: Problems, want: Want, options: ToolOptions) -> Iterator[Document]:
    """Yield the documents of a table in the order in which they are first named."""
    del want
    table = _with_tabs(path) if "\t" in _first_line(peek(path)) else read_table(path)
    by_id = _column(table, _IDS)
    ids = _cells(table, by_id)
    triples = _triples(table, problems)
    text = next((table.names.index(name) for name in TEXTS if name in table), None)
    records = Records(options.records)
    rows: dict[str, list[int]] = {}
    for row, given in enumerate(ids):
        if given:
            rows.setdefault(given, []).append(row)
        else:
            problems.error(path, table.places[row], "the id of the document is empty; expected one in every row")
    for given, document_rows in rows.items():
        name = (records.name(int(given)) if by_id == "index" and given.isdecimal() else None) or given
        known = None if text is None else table.rows[document_rows[0]][text]
        origin = Origin(path, table.places[document_rows[0]], problems)
        draft = ToolDraft(name, records.text(name, known), origin)
        for row in document_rows:
            for head, relation, tail in triples[row]:
                draft.relation(draft.thing(head), relation, draft.thing(tail))
        document = draft.document()
        document.source = path
        yield document


def read_objects(objects: Any, *, problems: Problems, want: Want, options: ToolOptions) -> Iterator[Document]:
    """Yield a document for each list of triples, given by document id or in order."""
    del want
    named = objects.items() if isinstance(objects, Mapping) else enumerate(objects, 1)
    records = Records(options.records)
    for given, triples in named:
        name = str(given)
        draft = ToolDraft(name, records.text(name, None), Origin("triples", None, problems))
        for position, triple in enumerate(triples, 1):
            if not isinstance(triple, list | tuple) or [*map(type, triple)] != [str] * 3:
                fault = f"document {shown(name)}: triple {position} is {shown(str(triple))}"
                raise InputError(f"{fault}; expected a list of (head, relation, tail) for each document")
            head, relation, tail = triple
            draft.relation(draft.thing(head), relation, draft.thing(tail))
        yield draft.document()


def _cells(table: TypedTable, name: str) -> list[str]:
    column = table.names.index(name)
    return [row[column] for row in table.rows]


def _triples(table: TypedTable, problems: Problems) -> list[list[Parts]]:
    """Return the triples of each row, from three columns or, if one is missing, from one with whole triples."""
    whole = next(filter(_is_whole, table.names), None)
    if whole is not None and not all(any(name in table for name in names) for names in _PARTS):
        return _of_cells(table, _cells(table, whole), problems)
    columns = [_cells(table, _column(table, names)) for names in _PARTS]
    by_row: list[list[Parts]] = []
    for line_number, parts in zip(table.places, zip(*columns, strict=True), strict=True):
        if any(parts) and not all(parts):
            problems.repair(table.path, line_number, "a part of the triple is empty; it is left out")
        by_row.append([parts] if all(parts) else [])
    return by_row


def _of_cells(table: TypedTable, cells: Sequence[str], problems: Problems) -> list[list[Parts]]:
    """Return the triples of each cell of a column of whole triples."""
    pieces = [[piece.strip() for piece in _BETWEEN.split(cell) if piece.strip()] for cell in cells]
    plain = (piece.split(",") for cell_pieces in pieces for piece in cell_pieces if piece.count(",") == 2)
    relations = {normal_name(parts[1]) for parts in plain}
    by_cell: list[list[Parts]] = []
    for line_number, cell_pieces in zip(table.places, pieces, strict=True):
        by_cell.append([])
        for piece in cell_pieces:
            if (parts := _split(piece, relations)) is not None:
                by_cell[-1].append(parts)
            else:
                expected = "expected head, relation and tail with commas between them"
                problems.repair(table.path, line_number, f"{shown(piece)} is no triple; {expected}; it is left out")
    return by_cell


def _split(piece: str, relations: Collection[str]) -> Parts | None:
    """Return the parts of a triple, or None; with more than three parts, a known relation separates head and tail.

    >>> _split("N759TY, CE-182, part of, fleet", {"PART OF"})
    ('N759TY, CE-182', 'part of', 'fleet')
    """
    parts = [part.strip() for part in piece.split(",")]
    inner = range(1, len(parts) - 1)
    candidates = [index for index in inner if len(inner) == 1 or normal_name(parts[index]) in relations]
    if len(candidates) != 1 or not all(parts):
        return None
    (index,) = candidates
    return ", ".join(parts[:index]), parts[index], ", ".join(parts[index + 1 :])


def _is_whole(name: str) -> bool:
    """Tell whether the name of a column lists three names, so that its cells hold whole triples.

    >>> _is_whole("entity1, relation_type, entity2"), _is_whole("entity1"), _is_whole("name, place, date")
    (True, False, False)
    """
    parts = [part.strip().lower() for part in name.split(",")]
    return len(parts) == 3 and all(parts) and parts[1].startswith(_PARTS[1])


def _column(table: TypedTable, names: Sequence[str]) -> str:
    column = next((name for name in names if name in table), None)
    if column is None:
        have = ", ".join(map(repr, table.names[:20]))
        raise InputError(f"there is no column {' or '.join(names)}, only {have}", path=table.path, line=1)
    return column


def _with_tabs(path: str) -> TypedTable:
    """Return a tab-separated table, in which quotation marks have no meaning."""
    rows: list[list[str]] = []
    places: list[int] = []
    for line_number, line in enumerate(lines(path), 1):
        if len(line) > MAX_LINE or len(rows) * 4 > MAX_CELLS:
            message = f"the line has more than {MAX_LINE:,} characters, or the file too many lines; split it"
            raise InputError(message, path=path, line=line_number)
        if line.strip():
            rows.append(line.removeprefix("\ufeff" if line_number == 1 else "").split("\t"))
            places.append(line_number)
    if not rows:
        raise InputError("the file has only blank lines; expected a header with id, head, relation and tail", path=path)
    header = rows[0]
    for first_line, row in zip(places, rows, strict=True):
        if len(row) > len(header):
            message = f"the row has {len(row):,} cells, but the header {len(header)}"
            raise InputError(message, path=path, line=first_line)
        row += [""] * (len(header) - len(row))
    return TypedTable(path, header, rows[1:], places[1:])


def _first_line(head: str) -> str:
    return head.removeprefix("\ufeff").partition("\n")[0]


def sniff(head: str) -> bool:
    """Tell whether the first line is a header with columns for the document, the head, the relation and the tail.

    >>> sniff("id,head,relation,tail\\n"), sniff("doc\\tsubject\\tpredicate\\tobject\\n"), sniff("id,head,tail\\n")
    (True, True, False)
    >>> sniff('id,"entity1, relation_type, entity2"\\n')
    True
    """
    line = _first_line(head)
    try:
        cells = line.split("\t") if "\t" in line else next(csv.reader([line]), [])
    except csv.Error:
        return False
    names = {name.strip().strip('"') for name in cells}
    has_parts = all(not names.isdisjoint(part_names) for part_names in _PARTS) or any(map(_is_whole, names))
    return has_parts and not names.isdisjoint(_IDS)


FORMAT = Format(
    name="triples",
    title="tables of head, relation and tail by document (CSV, TSV)",
    known_by="a first line of columns for the document, `head`, `relation` and `tail`",
    read=read,
    sniff=sniff,
    options=ToolOptions,
    layers="mentions, relations",
    read_objects=read_objects,
)
