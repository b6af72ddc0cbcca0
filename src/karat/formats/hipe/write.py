"""Writes HIPE TSV: the columns of the shared tasks, tags in IOB2, links beside them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from karat.annotations.columns import GLUED_IN_HIPE, labelled_spans, misc_cells
from karat.annotations.losses import unexplained_cells
from karat.annotations.tag_schemes import OUTSIDE, Chunk, encode
from karat.formats.hipe.declaration import COLUMNS, DOCUMENT_LINES
from karat.formats.parts.dates import Comment, with_dates
from karat.formats.parts.token_tables import NO_LINK, TableLayout, TokenColumns, has_breaks
from karat.model import Document

DOCUMENT_KEYS = ("document_id", "hipe2022:document_id")
SEGMENT_LINE = "# segment"

_LAYOUT = TableLayout("hipe", default_layer="NE-COARSE-LIT")


def write(documents: Iterable[Document]) -> Iterator[str]:
    """Yield the text of one HIPE file with all documents.

    A document that was read from HIPE keeps its cells and comments; for others tokens are written, with mentions
    without a named layer in NE-COARSE-LIT, beside the columns of their table.
    """
    pages = [_page(document) for document in documents]
    given = [] if pages and all(page.is_own for page in pages) else COLUMNS
    names = list(dict.fromkeys([*given, *(name for page in pages for name in page.columns)])) or list(COLUMNS)
    yield "\t".join(("TOKEN", *names)) + "\n"
    date = ""
    for page in pages:
        yield "".join(f"{line}\n" for line in _lines(page, names, date))
        date = page.dates[-1][1] if page.dates else date


class _Page(NamedTuple):
    """A document as it will be written."""

    document: Document
    forms: Sequence[str]
    columns: Mapping[str, Sequence[str]]
    comments: list[Comment]
    dates: list[tuple[int, str]]
    is_own: bool


def _page(document: Document) -> _Page:
    table = document.table
    if table is None or table.dialect != "hipe":
        sheet = _LAYOUT.sheet(document)
        dates = [] if table is None else table.dates
        return _Page(document, sheet.forms, _columns(sheet), _comments(sheet), dates, is_own=False)
    return _Page(document, table.forms, table.columns, _marked(document, table.comments), table.dates, is_own=True)


def _marked(document: Document, comments: Sequence[Comment]) -> list[Comment]:
    """Return the comments of a document, including one that begins it."""
    begins = any(comment.startswith(DOCUMENT_LINES) for _, comment in comments)
    return [*([] if begins else [(0, f"# document_id = {document.id}")]), *comments]


def _lines(page: _Page, names: list[str], date: str) -> Iterator[str]:
    """Yield the lines of a document: comments, tokens and a blank line; ``date`` is the date in force before it."""
    cells = [page.columns.get(name) or [_plain_cell(name)] * len(page.forms) for name in names]
    rows = ["\t".join(row) for row in zip(page.forms, *cells, strict=True)]
    comments = with_dates(page.comments, page.dates, date)
    _check(page.document, names, page.forms, rows, [comment for _, comment in comments])
    position = 0
    for token, comment in comments:
        yield from rows[position:token]
        position = token
        yield comment
    yield from rows[position:]
    yield ""


def _check(document: Document, names: list[str], forms: Sequence[str], rows: list[str], comments: list[str]) -> None:
    """Refuse what would be read back as something else."""
    for form in forms:
        if not form or form.startswith("#"):
            _LAYOUT.refuse(document, f"its token {form!r} is empty, or begins with '#', which makes it a comment")
    for line in (*names, *rows, *comments):
        if "\n" in line or "\r" in line:
            _LAYOUT.refuse(document, f"a line end stands in {line[:40]!r}")
    if any(row.count("\t") != len(names) for row in rows) or has_breaks("".join(names)):
        _LAYOUT.refuse(document, "a tab stands in one of its cells or column names")
    if not all(comment.startswith("#") for comment in comments):
        _LAYOUT.refuse(document, "one of its comments does not begin with '#'")


def _comments(sheet: TokenColumns) -> list[Comment]:
    """Return the lines with the document's id, metadata and segments, with the token each precedes."""
    document = sheet.document
    own = document.table.comments if document.table else []
    for key, text in document.metadata.items():
        if has_breaks(key, "=") or has_breaks(text):
            _LAYOUT.refuse(document, f"its metadata {key!r} contains a tab or a line end, or '=' in its name")
    stated = {comment for token, comment in own if not token}
    heads = [(0, f"# {key} = {text}") for key, text in document.metadata.items() if key not in DOCUMENT_KEYS]
    comments = [comment for comment in heads if comment[1] not in stated]
    begun = {token for token, comment in own if comment.startswith(SEGMENT_LINE)}
    starts = [start for start in sheet.segments if start not in begun and (start or not own)]
    segments = [(start, f"{SEGMENT_LINE}_iiif_link = _") for start in starts]
    return _marked(document, sorted([*comments, *own, *segments], key=lambda comment: comment[0]))


def _columns(sheet: TokenColumns) -> dict[str, Sequence[str]]:
    """Return the cells of the columns that a document fills: those of its table, where they have the same content."""
    document, size = sheet.document, len(sheet.forms)
    raw = {} if document.table is None else document.table.columns
    columns: dict[str, Sequence[str]] = dict(sheet.links)
    for layer, chunks in sheet.chunks.items():
        name = layer or _LAYOUT.default_layer
        if name not in COLUMNS or name in columns:
            _LAYOUT.refuse(document, f"layer {name!r} is not a column of HIPE, or is filled twice")
        if any(not chunk.label for chunk in chunks):
            _LAYOUT.refuse(document, "it has mentions without a label, which the tags of HIPE need")
        cells = raw.get(name, ())
        columns[name] = cells if _says(cells, chunks) else encode(chunks, size, "IOB2")
    columns["MISC"] = misc_cells(raw.get("MISC") or [NO_LINK] * size, sheet.gaps, GLUED_IN_HIPE)
    more = unexplained_cells(document)
    return columns | {name: cells for name, cells in raw.items() if name in more and name not in columns}


def _says(cells: Sequence[str], chunks: list[Chunk]) -> bool:
    """Tell whether cells are read as these chunks."""
    if any(cell[:2] not in ("B-", "I-") for cell in set(cells) - {OUTSIDE}):
        return False
    return [Chunk(start, end, cells[start][2:]) for _, start, end in labelled_spans(cells)] == chunks


def _plain_cell(column: str) -> str:
    """Return the cell of a token without annotation, in a column of that name."""
    return "O" if column.startswith("NE-") else "_"
