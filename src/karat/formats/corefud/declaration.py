"""CorefUD: CoNLL-U whose column MISC marks the mentions of entities with brackets (``Entity=(e5-person-1-``).

The rows of the table are words and empty nodes. The text is that of the words; empty nodes (``8.1``) have no width in
it, and a multiword token (``3-4``) only says whether a blank follows it: its row stays among the comments. ``MISC``
is kept without ``Entity``, which becomes mentions and chains: a chain has the id of the entity, the label of a mention
is its ``etype``, and its attributes are ``rows`` (of the table, as in ``17-19,21``), ``head`` (a row) and the other
fields of its bracket by name.

Documents that came from CorefUD are written with their rows; others get one row a token, and their mentions are put
into the order of the text. What was written is read again and compared, for brackets cannot hold everything: two
mentions of one chain that cross, for instance.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import NamedTuple

from karat.annotations.faults import shown
from karat.annotations.tokens import TokenEdges
from karat.errors import InputError, many
from karat.formats.base import Format, NoOptions, Problems, Want, everything_but
from karat.formats.corefud.read import DIALECT, EARLIER, ENTITY, ETYPE, FIELDS, GLOBAL_ENTITY, HEAD, Fields, read_lines
from karat.formats.parts.conllu import (
    BOM,
    COLUMNS,
    EMPTY_CELL,
    ROWS,
    Rows,
    check_kinds,
    lines_of,
    merged,
    new_table,
    own_table,
    parsed,
    place_of,
    rows_at,
    same_tables,
    written,
)
from karat.formats.parts.conllu_tags import has_tags, keys_of_tags
from karat.formats.parts.token_tables import has_breaks, refuse, writable
from karat.io import lines
from karat.model import Document, Mention, TokenTable

DEFAULT_FIELDS = "eid-etype-head-other"
_VALUE = re.compile(r"[^()|\t\r\n-]*")
_KNOWN_METADATA = {GLOBAL_ENTITY, EARLIER}

_refuse = partial(refuse, "CorefUD")


def read(path: str, *, problems: Problems, want: Want, options: NoOptions) -> Iterator[Document]:
    """Yield the documents of a file; a faulty row or bracket is reported and left out, and tags are reported."""
    del want, options
    tags: Counter[str] = Counter()
    for document in read_lines(lines(path), path, problems):
        if document.table is not None and not document.mentions:
            tags.update(chain.from_iterable(map(keys_of_tags, document.table.columns["MISC"])))
        yield document
    for key, times in tags.items():
        advice = f"read them with --from conllumisc --read key={key}"
        message = f"{many(times, 'tag')} under {shown(key)} in MISC {'is' if times == 1 else 'are'} not read; {advice}"
        problems.drop(path, None, f"tags under {shown(key)}", message, times)


def sniff(head: str) -> bool:
    r"""Tell whether a file names the fields of its entities or has rows with ten columns.

    >>> sniff("# newdoc id = d1\n# global.Entity = eid-etype-head\n"), sniff("Bern\tB-loc\n")
    (True, False)
    """
    head_lines = head.removeprefix(BOM).replace("\r\n", "\n").split("\n")
    if any(FIELDS.match(line) for line in head_lines):
        return True
    row = next((line for line in head_lines if line.strip() and not line.startswith("#")), "").split("\t")
    if has_tags(head):
        return False
    return len(row) == len(COLUMNS) and row[0] in ("1", "1-2", "0.1") and (row[-1] == "_" or "=" in row[-1])


class _Item(NamedTuple):
    """A mention to be written; ``around`` is the text before and after the entity in its bracket."""

    mention: Mention
    rows: Rows
    entity: str
    around: tuple[str, str]


def write(documents: Iterable[Document], options: NoOptions) -> Iterator[str]:
    r"""Yield one file with all documents; mentions lose their ids.

    >>> from karat.model import Chain
    >>> mentions = [Mention("a", ((0, 3),), ("person",)), Mention("b", ((8, 11),), ("person",))]
    >>> document = Document("d", "Ada met her", mentions, [Chain("e1", ("a", "b"))])
    >>> print("".join(write([document], NoOptions())).replace("\t", " "))
    # newdoc id = d
    # global.Entity = eid-etype-head-other
    1 Ada _ _ _ _ _ _ _ Entity=(e1-person-1-)
    2 met _ _ _ _ _ _ _ _
    3 her _ _ _ _ _ _ _ Entity=(e1-person-1-)
    <BLANKLINE>
    <BLANKLINE>
    """
    del options
    for document in writable(documents, _refuse):
        yield "".join(f"{row}\n" for row in _lines(document))


def _lines(document: Document) -> list[str]:
    check_kinds(document, ("relations", "notes"), _KNOWN_METADATA, _refuse)
    header = document.metadata.get(GLOBAL_ENTITY, DEFAULT_FIELDS if document.mentions else "")
    fields = Fields.of(header)
    if header and fields is None:
        _refuse(document, f"its metadata {GLOBAL_ENTITY!r} are not fields of a bracket")
    own = own_table(document, DIALECT)
    table = own or new_table(document, COLUMNS, DIALECT, _refuse, anew=True)
    items = list(_items(document, table, fields)) if fields else []
    if own is None:
        items.sort(key=lambda item: (item.rows[0][0], -item.rows[-1][1]))
    cells = _entity_cells(items, len(table.forms))
    marks = [f"# newdoc id = {document.id}", *([f"# {GLOBAL_ENTITY} = {header}"] if header else [])]
    rows = [*marks, *_rows(document, table, cells)]
    _compare(document, items, rows, own)
    return rows


def _items(document: Document, table: TokenTable, fields: Fields) -> Iterator[_Item]:
    """Yield the mentions in order; each must be in exactly one chain."""
    entities = {member: chain.id for chain in document.chains for member in chain.mentions}
    if sum(len(chain.mentions) for chain in document.chains) != len(document.mentions):
        _refuse(document, "a mention is in two chains or in none")
    edges = TokenEdges(table.starts, table.forms)
    for mention in document.mentions:
        entity = entities.get(mention.id)
        if entity is None or not _VALUE.fullmatch(entity) or not entity or entity.endswith("]"):
            _refuse(document, "it is in no chain, or the id of the chain has brackets, pipes or hyphens", mention)
        named = mention.attributes.get(ROWS) if table is document.table else None
        parts = rows_at(mention, edges) if named is None else parsed(named)
        rows = merged(parts) if parts and (named is None or written(merged(parts)) == named) else None
        if rows is None or rows[-1][1] >= len(table.forms):
            _refuse(document, "it does not begin and end with a token, or its rows are not in the table", mention)
        yield _Item(mention, rows, entity, _around_entity(document, mention, rows, fields))


def _around_entity(document: Document, mention: Mention, rows: Rows, fields: Fields) -> tuple[str, str]:
    """Return the text before and after the entity in an opening bracket."""
    if mention.layer or mention.links or len(mention.labels) > 1 or "" in mention.labels:
        _refuse(document, "it has a layer, links, several labels or an empty one", mention)
    values = {name: value for name, value in mention.attributes.items() if name not in (ROWS, HEAD)}
    if values.keys() - (set(fields.names) - {ETYPE, fields.names[fields.entity]}):
        known = "-".join(fields.names)
        _refuse(document, f"it has attributes that are not fields of {known}; use --drop attributes", mention)
    head = mention.attributes.get(HEAD, str(rows[0][0]))
    place = place_of(rows, int(head)) if re.fullmatch("[0-9]{1,9}", head) else None
    if place is None or (place > 1 and HEAD not in fields.names):
        _refuse(document, f"its head {shown(head)} is none of its rows, or has no field", mention)
    if mention.labels and ETYPE not in fields.names:
        _refuse(document, "it has a label, but its brackets have no field etype", mention)
    told = values.keys() | ({HEAD} if place > 1 else set()) | ({ETYPE} if mention.labels else set())
    values |= {HEAD: str(place), ETYPE: "".join(mention.labels)}
    if not all(map(_VALUE.fullmatch, values.values())):
        _refuse(document, "its label or an attribute has a bracket, a pipe, a hyphen or a line end", mention)
    cells = [values.get(name, "") for name in fields.names]
    if ROWS in mention.attributes:  # a bracket that was read ends with the last field that it had
        while fields.names[len(cells) - 1] not in told and _has_gaps(fields, len(cells), values):
            cells.pop()
    before = "".join(f"{cell}-" for cell in cells[: fields.entity])
    return before, "".join(f"-{cell}" for cell in cells[fields.entity + 1 :])


def _has_gaps(fields: Fields, length: int, values: Mapping[str, str]) -> bool:
    """Tell whether a bracket has fields after the entity that lack a value."""
    return not values.keys() >= set(fields.names[fields.entity + 1 : length])


def _entity_cells(items: Sequence[_Item], length: int) -> list[str]:
    """Return the brackets of each row: closing ones first, then opening ones, longer mentions outside."""
    opening: list[list[tuple[int, str, str]]] = [[] for _ in range(length)]
    parts = [(part, item) for item in items for part in range(len(item.rows))]
    for part, item in sorted(parts, key=lambda pair: pair[0] > 0):  # first parts keep the order of the mentions
        first, last = item.rows[part]
        name = item.entity if len(item.rows) == 1 else f"{item.entity}[{part + 1}/{len(item.rows)}]"
        brackets = opening[first]
        index = len(brackets)
        if part:
            index = next((index for index, (end, _, _) in enumerate(brackets) if end < last), index)
        brackets.insert(index, (last, name, "(" + name.join(item.around)))
    closing: list[list[str]] = [[] for _ in range(length)]
    cells: list[str] = []
    for row, opened in enumerate(opening):
        closed = "".join(reversed(closing[row]))
        cells.append(closed + "".join([bracket + ")" * (last == row) for last, _, bracket in opened]))
        for last, name, _ in opened:
            if last > row:
                closing[last].append(f"{name})")
    return cells


def _rows(document: Document, table: TokenTable, entities: list[str]) -> Iterator[str]:
    length = len(table.forms)
    columns = [table.forms if name == "FORM" else table.columns.get(name, ()) for name in COLUMNS]
    if "" in table.forms:
        _refuse(document, f"its token {list(table.forms).index('') + 1} is empty")
    if any(len(column) != length for column in columns) or any(
        has_breaks(cell) for column in columns for cell in column
    ):
        _refuse(document, "its table lacks a column of CoNLL-U, or a cell has a tab or a line end")
    cells = zip(zip(*columns, strict=True), entities, strict=True)
    rows = ["\t".join([*row[:-1], _misc(row[-1], entity)]) for row, entity in cells]
    return lines_of(document, table, rows, _refuse, ranges=True)


def _misc(cell: str, entity: str) -> str:
    """Return a cell of MISC with the brackets inserted in alphabetical order."""
    if not entity:
        return cell
    parts = [] if cell == EMPTY_CELL else cell.split("|")
    index = next((index for index, part in enumerate(parts) if part.partition("=")[0].lower() > "entity"), len(parts))
    return "|".join([*parts[:index], ENTITY + entity, *parts[index:]])


def _compare(document: Document, items: Sequence[_Item], rows: list[str], own: TokenTable | None) -> None:
    """Refuse a document that would be read back differently."""
    try:
        (back,) = read_lines(rows, "", Problems())
    except InputError as error:
        _refuse(document, f"brackets cannot hold it: {error.message.partition(';')[0]}")
    entities = {member: chain.id for chain in back.chains for member in chain.mentions}
    expected = [(item.entity, written(item.rows), item.mention.labels) for item in items]
    if [(entities[mention.id], mention.attributes[ROWS], mention.labels) for mention in back.mentions] != expected:
        _refuse(document, "two mentions of one chain cross, which brackets cannot tell")
    if own is None:
        return
    if back.text != document.text or not same_tables(back, own) or _annotated(back) != _annotated(document):
        _refuse(document, "its table, text and mentions do not fit each other")


def _annotated(document: Document) -> list[tuple[object, ...]]:
    return [(mention.spans, mention.text, mention.attributes.get(HEAD)) for mention in document.mentions]


FORMAT = Format(
    name="corefud",
    title="CorefUD: CoNLL-U with entities in brackets",
    known_by="a line `# global.Entity`, or rows of ten columns without tags in the last",
    read=read,
    sniff=sniff,
    suffixes=(".conllu",),
    write=write,
    keeps=everything_but("layers", "links", "unchained", "relations", "notes"),
    layers="chains of mentions with fragments, one label and a head; tokens with empty nodes, sentences",
)
