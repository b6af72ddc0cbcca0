"""Writing column files: what tags cannot hold is refused, what a table already holds stays as it is."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple, NoReturn

from karat.errors import InputError
from karat.formats._conll_layout import (
    FORM,
    FORM_NAMES,
    GLUED,
    HEADER,
    MISC,
    TAG,
    ConllOptions,
    document_marker,
    layer_of,
    segment_ranges,
)
from karat.model import Document, Mention
from karat.tagging import OUTSIDE, Chunk, decode, encode
from karat.tokens import cut_text, join_tokens

_BREAKS = re.compile(r"[\t\r\n]")
_EMPTY_CELL = "_"
_ELSEWHERE = "see 'karat formats' for one that can hold it"


class _Places(NamedTuple):
    """Where tokens begin and end: their index by either offset, and the first token of each segment."""

    by_start: dict[int, int]
    by_end: dict[int, int]
    segments: list[int]


class _Sheet(NamedTuple):
    """A document as it will be written: tokens, the tokens glued to the next one, and cells by column."""

    document: Document
    forms: list[str]
    glued: set[int]
    segments: list[int]
    columns: dict[str, list[str]]


def write(documents: Iterable[Document], options: ConllOptions) -> dict[str, str]:
    r"""Return the text of one column file with all documents.

    A header names the columns if there are named layers or columns, or tokens without a blank between them.
    A mention without label gets bare tags and reads back with the label ``""``. Mentions lose their ids.

    >>> rhine = Mention("T1", spans=((4, 9),), labels=("loc",))
    >>> write([Document("d1", text="the Rhine", mentions=[rhine])], ConllOptions())[""]
    '# newdoc id = d1\nthe\tO\nRhine\tB-loc\n\n'
    """
    sheets = [_sheet(document, options) for document in documents]
    found = list(dict.fromkeys(name for sheet in sheets for name in sheet.columns))
    if any(sheet.glued for sheet in sheets) and MISC not in found:
        found.append(MISC)
    if all(name == TAG or name.isdecimal() for name in found):
        names = [*sorted((name for name in found if name != TAG), key=int), TAG]
        header = []
    else:
        names = found
        header = [f"# global.columns = {' '.join([FORM, *names])}"]
    lines = [*header, *(line for sheet in sheets for line in _lines(sheet, names))]
    return {"": "".join(f"{line}\n" for line in lines)}


def _lines(sheet: _Sheet, names: list[str]) -> Iterator[str]:
    """Yield the lines of a document: its id, its metadata, then tokens among comments and blank lines."""
    document = sheet.document
    yield f"# newdoc id = {document.id}"
    for key, value in document.metadata.items():
        yield f"# meta::{key} = {value}"
    length = len(sheet.forms)
    cells = [sheet.columns.get(name) or [_filler(name)] * length for name in names]
    if sheet.glued or MISC in sheet.columns:
        place = names.index(MISC)
        cells[place] = [_misc(cell, index, sheet) for index, cell in enumerate(cells[place])]
    rows = ["\t".join(row) for row in zip(sheet.forms, *cells, strict=True)]
    comments = _comments(document)
    for start, end in segment_ranges(sheet.segments, length):
        for index in range(start, end):
            yield from comments.pop(index, ())
            yield rows[index]
        yield ""
    for left in comments.values():
        yield from left
    if not rows:
        yield ""


def _sheet(document: Document, options: ConllOptions) -> _Sheet:
    """Cut a document into tokens and columns, or refuse it."""
    _check_document(document)
    forms, starts, segments = _tokens(document)
    ends = [start + len(form) for start, form in zip(starts, forms, strict=True)]
    glued = {index for index, (end, start) in enumerate(zip(ends, starts[1:], strict=False)) if end == start}
    _check_text(document, forms, starts, glued)
    indices = range(len(forms))
    places = _Places(dict(zip(starts, indices, strict=True)), dict(zip(ends, indices, strict=True)), segments)
    chunks: dict[str, list[tuple[Chunk, Mention]]] = {}
    for mention in document.mentions:
        chunk = _chunk(document, mention, places)
        chunks.setdefault(mention.layer or TAG, []).append((chunk, mention))
    raw = document.table.columns if document.table else {}
    columns: dict[str, list[str]] = {}
    for name in dict.fromkeys([*raw, *chunks]):
        _check_column(document, name, raw.get(name), len(forms))
        if layer_of(name) is None:
            columns[name] = raw[name]
        else:
            held = _disjoint(document, chunks.get(name, []))
            columns[name] = _tags(held, raw.get(name), segments, len(forms), options)
    return _Sheet(document, forms, glued, segments, columns)


def _tokens(document: Document) -> tuple[list[str], list[int], list[int]]:
    """Return the tokens, their offsets and the first token of each segment, cutting the text if need be."""
    table = document.table
    if table is None:
        cuts = cut_text(
            document.text, (offset for one in document.mentions for span in one.spans for offset in span)
        )
        forms = [document.text[start:end] for start, end in cuts]
        return forms, [start for start, _ in cuts], [0] if forms else []
    starts = table.starts or join_tokens(table.forms)[1]
    if len(starts) != len(table.forms):
        _refuse(document, f"its table has {len(table.forms)} tokens and {len(starts)} offsets")
    inner = {first for first in table.segments if 0 < first < len(table.forms)}
    return table.forms, starts, sorted(inner | {0}) if table.forms else []


def _chunk(document: Document, mention: Mention, places: _Places) -> Chunk:
    """Return the tokens and the label of a mention, or refuse it."""
    label = mention.labels[0] if mention.labels else ""
    if len(mention.spans) != 1:
        _refuse(document, f"it has {len(mention.spans)} fragments, a tag column holds only one", mention)
    if len(mention.labels) > 1:
        _refuse(document, f"it has {len(mention.labels)} labels, a tag holds only one", mention)
    if mention.links or mention.attributes:
        _refuse(document, "it has links or attributes, tags hold none", mention)
    if _BREAKS.search(label) or label.endswith(" "):
        _refuse(document, f"its label {label!r} contains a tab or a line end, or ends with a blank", mention)
    if layer_of(mention.layer or TAG) != mention.layer:
        _refuse(document, f"its layer {mention.layer!r} is the name of a column without tags", mention)
    first, last = places.by_start.get(mention.start), places.by_end.get(mention.end)
    if first is None or last is None or first > last:
        _refuse(document, f"its offsets {mention.start}-{mention.end} are not at token boundaries", mention)
    if bisect_right(places.segments, first) != bisect_right(places.segments, last):
        _refuse(document, "it runs across the end of a segment", mention)
    return Chunk(first, last + 1, label)


def _disjoint(document: Document, chunks: list[tuple[Chunk, Mention]]) -> list[Chunk]:
    """Return the chunks of a layer in text order, or refuse mentions that share a token."""
    ordered = sorted(chunks, key=lambda one: one[0])
    for (left, earlier), (right, later) in pairwise(ordered):
        if right.start < left.end:
            _refuse(document, f"it overlaps mention {earlier.id!r} of the same layer", later)
    return [chunk for chunk, _ in ordered]


def _tags(
    chunks: list[Chunk], raw: list[str] | None, segments: list[int], length: int, options: ConllOptions
) -> list[str]:
    """Return the cells of a tag column: those of the table if they say the same and any scheme will do."""
    ranges = segment_ranges(segments, length)
    if raw is not None and options.scheme == "auto" and options.repair == "conlleval":
        read = [(start, one) for start, end in ranges for one in decode(raw[start:end], "IOB2")[0]]
        if [Chunk(start + one.start, start + one.end, one.label) for start, one in read] == chunks:
            return raw
    scheme = "IOB2" if options.scheme == "auto" else options.scheme
    tags: list[str] = []
    firsts = [chunk.start for chunk in chunks]
    for start, end in ranges:
        inside = chunks[bisect_right(firsts, start - 1) : bisect_right(firsts, end - 1)]
        tags += encode(
            [(one.start - start, one.end - start, one.label) for one in inside], end - start, scheme
        )
    return tags


def _misc(cell: str, index: int, sheet: _Sheet) -> str:
    """Return a cell of MISC that says whether the token is glued to the next one."""
    parts = [part for part in cell.split("|") if part not in ("", _EMPTY_CELL)]
    if (GLUED in parts) == (index in sheet.glued) or index == len(sheet.forms) - 1:
        return cell
    parts = [*parts, GLUED] if index in sheet.glued else [part for part in parts if part != GLUED]
    return "|".join(parts) or _EMPTY_CELL


def _filler(name: str) -> str:
    return _EMPTY_CELL if layer_of(name) is None else OUTSIDE


def _comments(document: Document) -> dict[int, list[str]]:
    """Return the comments by the token they precede, without those that the writer makes itself."""
    found: dict[int, list[str]] = {}
    for index, line in document.table.comments if document.table else ():
        if not line.startswith("#") or _BREAKS.search(line):
            _refuse(
                document,
                f"its comment {line[:40]!r} does not begin with '#', or contains a tab or a line end",
            )
        if document_marker(line) is None and not HEADER.match(line):
            found.setdefault(index, []).append(line)
    return found


def _check_document(document: Document) -> None:
    """Refuse what has no place in a column file at all."""
    for kind in ("chains", "relations", "notes"):
        if getattr(document, kind):
            _refuse(document, f"it has {kind}, column files hold none")
    if not document.id or document.id != document.id.strip() or _BREAKS.search(document.id):
        _refuse(document, "its id is empty, has blanks around it, or contains a tab or a line end")
    for key, value in document.metadata.items():
        if not re.fullmatch(r"\S+", key) or _BREAKS.search(value):
            _refuse(document, f"its metadata {key!r} contains a blank in the key, or a tab or a line end")


def _check_text(document: Document, forms: list[str], starts: list[int], glued: set[int]) -> None:
    """Refuse tokens that cannot stand in a row, and a text that they do not make up."""
    for form in forms:
        if not form or form.isspace() or " " in form or _BREAKS.search(form) or form == "-DOCSTART-":
            _refuse(document, f"its token {form!r} is empty, contains a blank, or begins documents")
    text, places = join_tokens(forms, glued)
    known = document.text or document.table is None or document.table.starts
    if known and (text != document.text or places != starts):
        pairs = enumerate(zip(text, document.text, strict=False))
        offset = next(
            (index for index, (ours, theirs) in pairs if ours != theirs), min(len(text), len(document.text))
        )
        _refuse(
            document, f"its text is not its tokens with a blank or nothing between them (offset {offset})"
        )


def _check_column(document: Document, name: str, cells: list[str] | None, length: int) -> None:
    """Refuse names that a header cannot hold, and cells that a row cannot hold."""
    if not re.fullmatch(r"\S+", name) or name in FORM_NAMES:
        _refuse(document, f"its column {name!r} is nameless, contains a blank, or is named like the tokens")
    if cells is not None and (len(cells) != length or any(map(_BREAKS.search, cells))):
        _refuse(
            document, f"its column {name!r} has not one cell per token, or cells with a tab or a line end"
        )


def _refuse(document: Document, reason: str, mention: Mention | None = None) -> NoReturn:
    """Raise the error for what the format cannot hold."""
    where = f"document {document.id!r}" + (f", mention {mention.id!r}" if mention else "")
    raise InputError(
        f"{where} cannot be written as conll: {reason}; {_ELSEWHERE}", path=document.source or None
    )
