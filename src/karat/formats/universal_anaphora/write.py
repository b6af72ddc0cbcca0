"""Writing Universal Anaphora: chains become brackets around rows.

Documents that came from the format keep their rows; others get one row a token, and their mentions are put into the
order of the text. A closing bracket names its markable only where brackets could not be told apart otherwise. What was
written is read again and compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

import msgspec

from karat.annotations.faults import shown
from karat.annotations.tokens import tokens_of
from karat.errors import InputError
from karat.formats._tabular import has_breaks, refuse, segment_ranges
from karat.formats.base import Problems
from karat.formats.conll.layout import IDENTITY
from karat.formats.corefud.brackets import ROWS
from karat.formats.corefud.rows import COLUMNS, EMPTY_CELL, GLUED, Rows
from karat.formats.universal_anaphora.cells import ENTITY_ID, MARKABLE_ID
from karat.formats.universal_anaphora.read import (
    ALL_COLUMNS,
    DIALECT,
    NON_REFERRING,
    AnaphoraFileOptions,
    read_lines,
)
from karat.model import Document, Mention, TokenTable

_NAME = re.compile(r"[^()|=@\s]+")
_FIELD = re.compile(r"[A-Z][^()|=@\s]*")
_VALUE = re.compile(r"[^()|@\s]*")
_PARTS = re.compile(r"[0-9]{1,9}(-[0-9]{1,9})?(,[0-9]{1,9}(-[0-9]{1,9})?)*")

_refuse = partial(refuse, "Universal Anaphora")


class _Item(NamedTuple):
    """A mention as it will be written."""

    name: str
    parts: Rows
    bracket: str


def write(documents: Iterable[Document], options: AnaphoraFileOptions) -> dict[str, str]:
    r"""Return one file with all documents.

    >>> from karat.model import Chain
    >>> mentions = [Mention("a", ((0, 3),)), Mention("b", ((8, 11),))]
    >>> document = Document("d", "Ada met her", mentions, [Chain("e1", ("a", "b"))])
    >>> for line in write([document], AnaphoraFileOptions())[""].splitlines()[1:4]:
    ...     print(line.replace("\t", " "))
    # newdoc id = d
    1 Ada _ _ _ _ _ _ _ _ (EntityID=e1|MarkableID=a) _ _ _ _
    2 met _ _ _ _ _ _ _ _ _ _ _ _ _
    """
    lines: list[str] = []
    ids: set[str] = set()
    header: list[str] = []
    for document in documents:
        if document.id in ids:
            _refuse(document, "another document has the same id")
        ids.add(document.id)
        columns, rows = _lines(document, options)
        if columns != header:
            lines.append(_header(columns))
            header = columns
        lines += rows
    return {"": "".join(f"{line}\n" for line in lines)}


def _header(columns: Iterable[str]) -> str:
    return f"# global.columns = {' '.join(columns)}"


def _lines(document: Document, options: AnaphoraFileOptions) -> tuple[list[str], list[str]]:
    """Return the columns and the lines of a document, or refuse it."""
    own = document.table is not None and document.table.dialect == DIALECT
    _check(document, own=own)
    table = document.table if own and document.table is not None else _new_table(document, options)
    items = list(_items(document, table, own=own))
    columns = _columns(document, table, options)
    if not own:
        items.sort(key=lambda item: (item.parts[0][0], -item.parts[-1][1]))
    for named in (False, True):
        marked = _marked(items, len(table.forms), named=named)
        lines = [f"# newdoc id = {document.id}", *_rows(document, table, columns, marked, options)]
        back = _read_back([_header(columns), *lines], options)
        if back is not None and _is_same(back, document, own=own):
            return columns, lines
    return _refuse(document, "its table, text and annotations do not fit each other")


def _check(document: Document, *, own: bool) -> None:
    """Refuse what the format has no place for."""
    for kind in ("notes",) if own else ("relations", "notes"):
        if getattr(document, kind):
            _refuse(document, f"it has {kind}; leave them out with --drop {kind}")
    if not document.id or document.id != document.id.strip() or has_breaks(document.id):
        _refuse(document, "its id is empty, has blanks around it, or contains a tab or a line end")
    for key in document.metadata:
        _refuse(document, f"it has metadata, such as {shown(key)}")


def _new_table(document: Document, options: AnaphoraFileOptions) -> TokenTable:
    """Return the table of a document that came from elsewhere: one row a token, numbered through."""
    forms, starts, segments = tokens_of(document)
    columns = {name: [EMPTY_CELL] * len(forms) for name in ALL_COLUMNS if name not in ("FORM", options.name)}
    columns["ID"] = [str(row) for row in range(1, len(forms) + 1)]
    for row, (start, form) in enumerate(zip(starts, forms, strict=True)):
        if not document.text.startswith(form, start):
            _refuse(document, f"its token {shown(form)} is not at its place in the text")
        if row + 1 < len(starts) and start + len(form) == starts[row + 1]:
            columns["MISC"][row] = GLUED
    return TokenTable(forms, dict(columns), segments, list(starts), dialect=DIALECT)


def _items(document: Document, table: TokenTable, *, own: bool) -> Iterator[_Item]:
    """Yield the mentions in their order; each is in just one chain, or refers to nothing."""
    entities = {member: chain.id for chain in document.chains for member in chain.mentions}
    if sum(len(chain.mentions) for chain in document.chains) != len(entities):
        _refuse(document, "a mention is in two chains")
    first_of = {start: row for row, start in enumerate(table.starts)}
    last_of = {start + len(form): row for row, (start, form) in enumerate(zip(table.starts, table.forms, strict=True))}
    for mention in document.mentions:
        values = {name: value for name, value in mention.attributes.items() if name != ROWS}
        entity = values.pop(ENTITY_ID, "") if mention.labels == (NON_REFERRING,) else entities.get(mention.id, "")
        if not entity or (mention.labels and mention.labels != (NON_REFERRING,)) or mention.layer or mention.links:
            _refuse(document, "it is in no chain, or has a label, a layer or links", mention)
        name = mention.id.removeprefix("(").removesuffix(")")
        if not _NAME.fullmatch(name) or not _VALUE.fullmatch(entity):
            _refuse(document, "its id or that of its chain has a bracket, a bar, an '=', an '@' or a blank", mention)
        parts = _own_parts(mention) if own else _parts_at(mention, first_of, last_of)
        if parts is None or parts[-1][1] >= len(table.forms):
            _refuse(document, "it does not begin and end with a token, or its rows are not in the table", mention)
        if not all(_FIELD.fullmatch(name) and _VALUE.fullmatch(value) for name, value in values.items()):
            _refuse(document, "it has attributes that are no fields of a markable; use --drop attributes", mention)
        fields = {ENTITY_ID: entity, MARKABLE_ID: name, **values}
        yield _Item(name, parts, "(" + "|".join(f"{key}={value}" for key, value in fields.items()))


def _own_parts(mention: Mention) -> Rows | None:
    """Return the rows that a mention names, part by part."""
    text = mention.attributes.get(ROWS, "")
    if not _PARTS.fullmatch(text):
        return None
    edges = [part.split("-") for part in text.split(",")]
    return tuple([(int(edge[0]), int(edge[-1])) for edge in edges])


def _parts_at(mention: Mention, first_of: dict[int, int], last_of: dict[int, int]) -> Rows | None:
    """Return the rows whose words are at the spans of a mention."""
    edges = [(first_of.get(start), last_of.get(end)) for start, end in mention.spans]
    parts = [(first, last) for first, last in edges if first is not None and last is not None and first <= last]
    return tuple(parts) if parts and len(parts) == len(edges) else None


def _columns(document: Document, table: TokenTable, options: AnaphoraFileOptions) -> list[str]:
    """Return the columns in their order: those of CoNLL-U, the one of identity, and the others of the table."""
    held = {"FORM": table.forms, **table.columns}
    names = [*COLUMNS, IDENTITY, *(name for name in ALL_COLUMNS if name in held or name == options.name)]
    names = list(dict.fromkeys([*names, *table.columns]))
    if options.name in held or any(name not in held for name in names if name != options.name):
        expected = f"the one that is written, {options.name}, must be that of its mentions"
        _refuse(document, f"its table lacks a column, or has one too many; {expected}")
    if not all(map(_NAME.fullmatch, names)):
        _refuse(document, "the name of a column has a blank or a bracket")
    return names


def _marked(items: Sequence[_Item], length: int, *, named: bool) -> list[str]:
    """Return the brackets of each row: those that close first, then those that open."""
    opening: list[list[str]] = [[] for _ in range(length)]
    closing: list[list[str]] = [[] for _ in range(length)]
    for item in items:
        for first, last in item.parts:
            opening[first].append(item.bracket + ")" * (first == last))
            if first < last:
                closing[last].append(f"{item.name})" if named else ")")
    return ["".join([*closes, *opens]) or EMPTY_CELL for closes, opens in zip(closing, opening, strict=True)]


def _rows(
    document: Document, table: TokenTable, columns: Sequence[str], marked: list[str], options: AnaphoraFileOptions
) -> Iterator[str]:
    """Yield the rows with comments and blank lines among them."""
    length = len(table.forms)
    held = {"FORM": table.forms, **table.columns, options.name: marked}
    if any(len(held[name]) != length for name in columns):
        _refuse(document, "a column of its table has not as many cells as there are tokens")
    comments: dict[int, list[str]] = {}
    for row, line in table.comments:
        if has_breaks(line.replace("\t", "")) or not line.startswith("#"):
            _refuse(document, f"its comment {shown(line)} does not begin with '#', or contains a line end")
        comments.setdefault(row, []).append(line)
    rows = list(zip(*(held[name] for name in columns), strict=True))
    for first, last in segment_ranges(table.segments, length):
        for row in range(first, last):
            yield from comments.pop(row, ())
            for cell in rows[row]:
                if not cell or any(map(str.isspace, cell)):
                    _refuse(document, f"its cell {shown(cell)} is empty or has a blank")
            yield "\t".join(rows[row])
        yield ""
    for left in comments.values():
        yield from left


def _read_back(lines: list[str], options: AnaphoraFileOptions) -> Document | None:
    """Return the document in lines; None if they are faulty."""
    try:
        documents = list(read_lines(lines, "", Problems(), options))
    except InputError:
        return None
    return documents[0] if len(documents) == 1 else None


def _is_same(back: Document, document: Document, *, own: bool) -> bool:
    """Say whether a document is read back as it was; one from elsewhere has new rows, and its mentions name them."""
    if own:
        assert back.table is not None and document.table is not None  # noqa: S101, PT018 - for the type checker
        tables = [msgspec.structs.replace(table, lines=[]) for table in (back.table, document.table)]
        rest = [msgspec.structs.replace(side, table=None, source="") for side in (back, document)]
        return tables[0] == tables[1] and rest[0] == rest[1]
    annotated = [
        (
            {mention.id.strip("()"): (mention.spans, mention.labels) for mention in side.mentions},
            {chain.id: {member.strip("()") for member in chain.mentions} for chain in side.chains},
        )
        for side in (back, document)
    ]
    return annotated[0] == annotated[1]
