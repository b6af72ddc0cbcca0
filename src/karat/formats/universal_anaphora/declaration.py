"""Universal Anaphora: CoNLL-U with columns behind it that mark anaphora with brackets (``(EntityID=1|MarkableID=m1``).

This is its exact format, also called exploded. Rows are words and empty nodes; cells are separated by blanks or tabs,
and the last ones may be missing. The column ``IDENTITY`` becomes mentions and chains: a chain has the id of its entity,
a mention that of its markable, and the fields of the bracket are attributes, beside ``rows`` (of the table, part by
part, as in ``17-19,21``). A markable whose entity ends with ``-Pseudo`` refers to nothing: it has the label
``non-referring``, and is in no chain. ``ElementOf`` names the entities whose split antecedent an entity belongs to. The
column ``BRIDGING`` becomes relations from an anaphor to its anchor. All other columns stay in the table.

Documents that came from the format are written with their rows; others get one row a token, and their mentions are put
into the order of the text. A closing bracket names its markable only where brackets could not be told apart otherwise.
What was written is read again and compared.
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
from karat.formats.base import Format, Problems, Want
from karat.formats.conll.layout import HEADER, IDENTITY, is_anaphora
from karat.formats.parts.conllu import (
    BOM,
    COLUMNS,
    EMPTY_CELL,
    ROWS,
    Rows,
    check_kinds,
    lines_of,
    new_table,
    own_table,
    parsed,
    rows_at,
    same_tables,
)
from karat.formats.parts.token_tables import refuse, writable
from karat.formats.universal_anaphora.read import (
    ALL_COLUMNS,
    DIALECT,
    ENTITY_ID,
    MARKABLE_ID,
    NON_REFERRING,
    AnaphoraFileOptions,
    read_lines,
)
from karat.io import lines
from karat.model import Document, TokenTable

__all__ = ["FORMAT", "AnaphoraFileOptions", "read", "sniff", "write"]

_NAME = re.compile(r"[^()|=@\s]+")
_FIELD = re.compile(r"[A-Z][^()|=@\s]*")
_VALUE = re.compile(r"[^()|@\s]*")

_refuse = partial(refuse, "Universal Anaphora")


def read(path: str, *, problems: Problems, want: Want, options: AnaphoraFileOptions) -> Iterator[Document]:
    """Yield the documents of a file; a faulty row or bracket is reported and left out."""
    del want
    return read_lines(lines(path), path, problems, options)


def sniff(head: str) -> bool:
    r"""Tell whether a file names an identity column.

    >>> sniff("# global.columns = ID FORM MISC IDENTITY BRIDGING\n"), sniff("# global.columns = FORM NE\n")
    (True, False)
    """
    head_lines = head.removeprefix(BOM).replace("\r\n", "\n").split("\n")
    return any(is_anaphora(header[1]) for line in head_lines if (header := HEADER.match(line)))


class _Item(NamedTuple):
    """A mention to be written."""

    name: str
    parts: Rows
    bracket: str


def write(documents: Iterable[Document], options: AnaphoraFileOptions) -> Iterator[str]:
    r"""Yield one file with all documents.

    >>> from karat.model import Chain, Mention
    >>> mentions = [Mention("a", ((0, 3),)), Mention("b", ((8, 11),))]
    >>> document = Document("d", "Ada met her", mentions, [Chain("e1", ("a", "b"))])
    >>> for line in "".join(write([document], AnaphoraFileOptions())).splitlines()[1:4]:
    ...     print(line.replace("\t", " "))
    # newdoc id = d
    1 Ada _ _ _ _ _ _ _ _ (EntityID=e1|MarkableID=a) _ _ _ _
    2 met _ _ _ _ _ _ _ _ _ _ _ _ _
    """
    header: list[str] = []
    for document in writable(documents, _refuse):
        columns, own_rows = _lines(document, options)
        if columns != header:
            yield f"{_header(columns)}\n"
            header = columns
        yield "".join(f"{row}\n" for row in own_rows)


def _header(columns: Iterable[str]) -> str:
    return f"# global.columns = {' '.join(columns)}"


def _lines(document: Document, options: AnaphoraFileOptions) -> tuple[list[str], list[str]]:
    own = own_table(document, DIALECT)
    check_kinds(document, ("relations", "notes") if own is None else ("notes",), (), _refuse)
    unmarked = [name for name in ALL_COLUMNS if name != options.name]
    table = own or new_table(document, unmarked, DIALECT, _refuse, anew=False)
    items = list(_items(document, table))
    columns = _columns(document, table, options)
    if own is None:
        items.sort(key=lambda item: (item.parts[0][0], -item.parts[-1][1]))
    for named in (False, True):
        marked = _marked(items, len(table.forms), named=named)
        rows = [f"# newdoc id = {document.id}", *_rows(document, table, columns, marked, options)]
        if _is_read_back([_header(columns), *rows], document, own, options):
            return columns, rows
    return _refuse(document, "its table, text and annotations do not fit each other")


def _items(document: Document, table: TokenTable) -> Iterator[_Item]:
    """Yield the mentions in order; each must be in exactly one chain, or be non-referring."""
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
        is_own = table is document.table
        parts = parsed(mention.attributes.get(ROWS, "")) if is_own else rows_at(mention, edges)
        if parts is None or parts[-1][1] >= len(table.forms):
            _refuse(document, "it does not begin and end with a token, or its rows are not in the table", mention)
        if not all(_FIELD.fullmatch(name) and _VALUE.fullmatch(value) for name, value in values.items()):
            _refuse(document, "it has attributes that are no fields of a markable; use --drop attributes", mention)
        fields = {ENTITY_ID: entity, MARKABLE_ID: name, **values}
        yield _Item(name, parts, "(" + "|".join(f"{key}={value}" for key, value in fields.items()))


def _columns(document: Document, table: TokenTable, options: AnaphoraFileOptions) -> list[str]:
    """Return the columns in order: those of CoNLL-U, the identity column, and the others of the table."""
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
    """Return the brackets of each row: closing ones first, then opening ones."""
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
    length = len(table.forms)
    held = {"FORM": table.forms, **table.columns, options.name: marked}
    if any(len(held[name]) != length for name in columns):
        _refuse(document, "a column of its table has not as many cells as there are tokens")
    for cell in chain.from_iterable(held[name] for name in columns):
        if not cell or any(map(str.isspace, cell)):
            _refuse(document, f"its cell {shown(cell)} is empty or has a blank")
    rows = ["\t".join(cells) for cells in zip(*(held[name] for name in columns), strict=True)]
    return lines_of(document, table, rows, _refuse, ranges=False)


def _is_read_back(rows: list[str], document: Document, own: TokenTable | None, options: AnaphoraFileOptions) -> bool:
    """Tell whether the lines are read back as the document; one of another format has new rows."""
    try:
        documents = list(read_lines(rows, "", Problems(), options))
    except InputError:
        return False
    if len(documents) != 1:
        return False
    back = documents[0]
    if own is not None:
        rest = [msgspec.structs.replace(side, table=None, source="") for side in (back, document)]
        return same_tables(back, own) and rest[0] == rest[1]
    annotated = [
        (
            {mention.id.strip("()"): (mention.spans, mention.labels) for mention in side.mentions},
            {chain.id: {member.strip("()") for member in chain.mentions} for chain in side.chains},
        )
        for side in (back, document)
    ]
    return annotated[0] == annotated[1]


FORMAT = Format(
    name="universal-anaphora",
    title="Universal Anaphora: CoNLL-U with columns of anaphora in brackets",
    known_by="a line `# global.columns` that names a column `IDENTITY`",
    read=read,
    sniff=sniff,
    suffixes=(".conllua",),
    write=write,
    options=AnaphoraFileOptions,
    layers="chains of mentions with fragments and fields, what refers to nothing, bridging; tokens with empty nodes",
)
