"""Writing Universal Anaphora: chains become brackets around rows.

Documents that came from the format keep their rows; others get one row a token, and their mentions are put into the
order of the text. A closing bracket names its markable only where brackets could not be told apart otherwise. What was
written is read again and compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import NamedTuple

import msgspec

from karat.annotations.faults import shown
from karat.annotations.tokens import TokenEdges
from karat.errors import InputError
from karat.formats._tabular import refuse, writable
from karat.formats.base import Problems
from karat.formats.conll.layout import IDENTITY
from karat.formats.corefud.brackets import ROWS
from karat.formats.corefud.rows import COLUMNS, EMPTY_CELL, Rows
from karat.formats.corefud.tables import check_kinds, lines_of, new_table, rows_at
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
    header: list[str] = []
    for document in writable(documents, _refuse):
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
    check_kinds(document, ("notes",) if own else ("relations", "notes"), (), _refuse)
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


def _new_table(document: Document, options: AnaphoraFileOptions) -> TokenTable:
    columns = [name for name in ALL_COLUMNS if name != options.name]
    return new_table(document, columns, DIALECT, _refuse, anew=False)


def _items(document: Document, table: TokenTable, *, own: bool) -> Iterator[_Item]:
    """Yield the mentions in their order; each is in just one chain, or refers to nothing."""
    entities = {member: chain.id for chain in document.chains for member in chain.mentions}
    if sum(len(chain.mentions) for chain in document.chains) != len(entities):
        _refuse(document, "a mention is in two chains")
    edges = TokenEdges(table.starts, table.forms)
    for mention in document.mentions:
        values = {name: value for name, value in mention.attributes.items() if name != ROWS}
        entity = values.pop(ENTITY_ID, "") if mention.labels == (NON_REFERRING,) else entities.get(mention.id, "")
        if not entity or (mention.labels and mention.labels != (NON_REFERRING,)) or mention.layer or mention.links:
            _refuse(document, "it is in no chain, or has a label, a layer or links", mention)
        name = mention.id.removeprefix("(").removesuffix(")")
        if not _NAME.fullmatch(name) or not _VALUE.fullmatch(entity):
            _refuse(document, "its id or that of its chain has a bracket, a bar, an '=', an '@' or a blank", mention)
        parts = _own_parts(mention) if own else rows_at(mention, edges)
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
    """Return the rows with comments and blank lines among them."""
    length = len(table.forms)
    held = {"FORM": table.forms, **table.columns, options.name: marked}
    if any(len(held[name]) != length for name in columns):
        _refuse(document, "a column of its table has not as many cells as there are tokens")
    for cell in chain.from_iterable(held[name] for name in columns):
        if not cell or any(map(str.isspace, cell)):
            _refuse(document, f"its cell {shown(cell)} is empty or has a blank")
    rows = ["\t".join(cells) for cells in zip(*(held[name] for name in columns), strict=True)]
    return lines_of(document, table, rows, _refuse, ranges=False)


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
