"""Writes column files: tags in the chosen scheme; columns that the table already has are kept."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence

from karat.annotations.columns import FORM, FORM_NAMES, GLUED_IN_CONLL, MISC, TAG, misc_cells, tag_layer_of
from karat.annotations.tag_schemes import OUTSIDE, Chunk, decode, encode
from karat.formats.conll.layout import HEADER, ConllOptions, document_marker
from karat.formats.parts.dates import with_dates
from karat.formats.parts.token_tables import TableLayout, among_comments, has_breaks, segment_ranges
from karat.formats.parts.token_tables import TokenColumns as Tokens
from karat.model import Document

_EMPTY_CELL = "_"
_LAYOUT = TableLayout("conll")


def write(documents: Iterable[Document], options: ConllOptions) -> Iterator[str]:
    r"""Yield the text of one column file with all documents.

    A header names the columns if there are named layers or columns, or tokens without a blank between them.
    A mention without label gets bare tags and reads back with the label ``""``. Mentions lose their ids.

    >>> from karat.model import Mention
    >>> rhine = Mention("T1", spans=((4, 9),), labels=("loc",))
    >>> "".join(write([Document("d1", text="the Rhine", mentions=[rhine])], ConllOptions()))
    '# newdoc id = d1\nthe\tO\nRhine\tB-loc\n\n'
    """
    sheets = [_sheet(document, options) for document in documents]
    columns = list(dict.fromkeys(name for _, cells in sheets for name in cells))
    if any(tokens.gaps for tokens, _ in sheets) and MISC not in columns:
        columns.append(MISC)
    if all(name == TAG or name.isdecimal() for name in columns):
        names = [*sorted((name for name in columns if name != TAG), key=int), TAG]
    else:
        names = columns
        yield f"# global.columns = {' '.join([FORM, *names])}\n"
    for sheet in sheets:
        yield "".join(f"{line}\n" for line in _lines(*sheet, names))


def _lines(tokens: Tokens, columns: dict[str, Sequence[str]], names: list[str]) -> Iterator[str]:
    """Yield the lines of a document: its id, its metadata, then tokens with comments and blank lines."""
    document = tokens.document
    yield f"# newdoc id = {document.id}"
    for key, value in document.metadata.items():
        yield f"# meta::{key} = {value}"
    length = len(tokens.forms)
    fillers = [_EMPTY_CELL if tag_layer_of(name) is None else OUTSIDE for name in names]
    cells = [columns.get(name) or [filler] * length for name, filler in zip(names, fillers, strict=True)]
    if tokens.gaps or MISC in columns:
        place = names.index(MISC)
        cells[place] = misc_cells(cells[place], tokens.gaps, GLUED_IN_CONLL)
    rows = ["\t".join(row) for row in zip(tokens.forms, *cells, strict=True)]
    yield from among_comments(rows, tokens.segments, _comments(document))
    if not rows:
        yield ""


def _sheet(document: Document, options: ConllOptions) -> tuple[Tokens, dict[str, Sequence[str]]]:
    """Return the tokens of a document, and its cells by column; raises an error for what columns cannot hold."""
    tokens = _LAYOUT.sheet(document)
    for form in tokens.forms:
        if " " in form or form == "-DOCSTART-":
            _LAYOUT.refuse(document, f"its token {form!r} contains a blank, or begins documents")
    for key, value in document.metadata.items():
        if not re.fullmatch(r"\S+", key) or has_breaks(value):
            _LAYOUT.refuse(document, f"its metadata {key!r} contains a blank in the key, or a tab or a line end")
    for layer in tokens.chunks:
        if tag_layer_of(layer or TAG) != layer:
            _LAYOUT.refuse(document, f"its layer {layer!r} is the name of a column without tags")
    raw = document.table.columns if document.table else {}
    chunks = {layer or TAG: layer_chunks for layer, layer_chunks in tokens.chunks.items()}
    columns: dict[str, Sequence[str]] = {}
    for name in dict.fromkeys([*raw, *chunks, *tokens.links]):
        _check_column(document, name, raw.get(name), len(tokens.forms))
        if name in tokens.links:
            columns[name] = tokens.links[name]
        elif tag_layer_of(name) is not None:
            columns[name] = _tags(chunks.get(name, []), raw.get(name), tokens, options)
        else:
            columns[name] = raw[name]
    return tokens, columns


def _tags(chunks: list[Chunk], raw: Sequence[str] | None, tokens: Tokens, options: ConllOptions) -> Sequence[str]:
    """Return the cells of a tag column: those of the table if they have the same chunks and no scheme was set."""
    ranges = segment_ranges(tokens.segments, len(tokens.forms))
    if raw is not None and options.scheme == "auto" and options.repair == "conlleval":
        read = [(start, chunk) for start, end in ranges for chunk in decode(raw[start:end], "IOB2")[0]]
        if [Chunk(start + chunk.start, start + chunk.end, chunk.label) for start, chunk in read] == chunks:
            return raw
    scheme = "IOB2" if options.scheme == "auto" else options.scheme
    tags: list[str] = []
    firsts = [chunk.start for chunk in chunks]
    for start, end in ranges:
        inside = chunks[bisect_right(firsts, start - 1) : bisect_right(firsts, end - 1)]
        tags += encode([(chunk.start - start, chunk.end - start, chunk.label) for chunk in inside], end - start, scheme)
    return tags


def _comments(document: Document) -> Iterator[tuple[int, str]]:
    """Yield the comments with the token they precede, except those that the writer generates."""
    table = document.table
    for index, line in with_dates(table.comments, table.dates) if table else ():
        if not line.startswith("#") or has_breaks(line):
            message = f"its comment {line[:40]!r} does not begin with '#', or contains a tab or a line end"
            _LAYOUT.refuse(document, message)
        if document_marker(line) is None and not HEADER.match(line):
            yield index, line


def _check_column(document: Document, name: str, cells: Sequence[str] | None, length: int) -> None:
    """Refuse names that a header cannot hold, and cells that a row cannot hold."""
    if not re.fullmatch(r"\S+", name) or name in FORM_NAMES:
        _LAYOUT.refuse(document, f"its column {name!r} is nameless, contains a blank, or is named like the tokens")
    if cells is not None and (len(cells) != length or any(map(has_breaks, cells))):
        _LAYOUT.refuse(document, f"its column {name!r} has not one cell per token, or cells with a tab or a line end")
