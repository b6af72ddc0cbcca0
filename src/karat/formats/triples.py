"""Triples in a table: a row for each head, relation and tail, with the id of the document; CSV, or with tabs.

The columns are found by their names. A row without any part says only that the document exists. With a column of texts,
or the file of the records, heads and tails get their places; otherwise they are strings without a place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from karat.errors import InputError
from karat.files import lines, peek
from karat.formats.base import EVERYTHING, Format, Problems, Want
from karat.model import Document
from karat.omin.tables import MAX_CELLS, MAX_LINE, Table, read_table
from karat.tools.base import IDS, TEXTS, Records, ToolOptions
from karat.tools.draft import Draft, Origin

_IDS = (*IDS, "document", "doc", "index")
_PARTS = (("head", "subject", "subj"), ("relation", "predicate", "property"), ("tail", "object", "obj"))


def read(path: str, *, problems: Problems, want: Want = EVERYTHING, options: ToolOptions) -> Iterator[Document]:
    """Yield the documents of a table in the order in which it first names them."""
    del want
    table = _with_tabs(path) if "\t" in _first_line(peek(path)) else read_table(path)
    names = [_column(table, some) for some in (_IDS, *_PARTS)]
    ids, heads, relations, tails = ([row[table.names.index(name)] for row in table.rows] for name in names)
    text = next((table.names.index(name) for name in TEXTS if name in table), None)
    records = Records(options.records)
    rows: dict[str, list[int]] = {}
    for row, given in enumerate(ids):
        if given:
            rows.setdefault(given, []).append(row)
        else:
            problems.error(path, table.places[row], "the id of the document is empty; expected one in every row")
    for given, several in rows.items():
        name = (records.name(int(given)) if names[0] == "index" and given.isdecimal() else None) or given
        known = None if text is None else table.rows[several[0]][text]
        origin = Origin(path, table.places[several[0]], problems)
        draft = Draft(name, records.text(name, known), origin)
        for row in several:
            parts = heads[row], relations[row], tails[row]
            if all(parts):
                draft.relation(draft.thing(parts[0]), parts[1], draft.thing(parts[2]))
            elif any(parts):
                problems.repair(path, table.places[row], "a part of the triple is empty; it is left out")
        document = draft.document()
        document.source = path
        yield document


def _column(table: Table, names: Sequence[str]) -> str:
    found = next((name for name in names if name in table), None)
    if found is None:
        have = ", ".join(map(repr, table.names[:20]))
        raise InputError(f"there is no column {' or '.join(names)}, only {have}", path=table.path, line=1)
    return found


def _with_tabs(path: str) -> Table:
    """Read a table with tabs between the cells, which have no quotation marks of their own."""
    rows: list[list[str]] = []
    places: list[int] = []
    for number, line in enumerate(lines(path), 1):
        if len(line) > MAX_LINE or len(rows) * 4 > MAX_CELLS:
            message = f"the line has more than {MAX_LINE:,} characters, or the file too many lines; split it"
            raise InputError(message, path=path, line=number)
        if line.strip():
            rows.append(line.removeprefix("\ufeff" if number == 1 else "").split("\t"))
            places.append(number)
    header = rows[0]
    for place, row in zip(places, rows, strict=True):
        if len(row) > len(header):
            message = f"the row has {len(row):,} cells, but the header {len(header)}"
            raise InputError(message, path=path, line=place)
        row += [""] * (len(header) - len(row))
    return Table(path, header, rows[1:], places[1:])


def _first_line(head: str) -> str:
    return head.removeprefix("\ufeff").partition("\n")[0]


def sniff(head: str) -> bool:
    """Say whether the first line is a header with columns for the document, the head, the relation and the tail.

    >>> sniff("id,head,relation,tail\\n"), sniff("doc\\tsubject\\tpredicate\\tobject\\n"), sniff("id,head,tail\\n")
    (True, True, False)
    """
    line = _first_line(head)
    names = {name.strip().strip('"') for name in line.split("\t" if "\t" in line else ",")}
    return all(not names.isdisjoint(some) for some in (_IDS, *_PARTS))


FORMAT = Format(
    name="triples",
    title="tables of head, relation and tail by document (CSV, TSV)",
    read=read,
    sniff=sniff,
    options=ToolOptions,
    layers="mentions, relations",
)
