"""Writing HIPE TSV: the columns of the shared tasks, tags in IOB2, links beside them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from karat.annotations.tagging import OUTSIDE, encode
from karat.formats._hipe_mentions import GLUED
from karat.formats._tabular import NO_LINK, Layout, Sheet, has_breaks
from karat.model import Document

COLUMNS = (
    "NE-COARSE-LIT",
    "NE-COARSE-METO",
    "NE-FINE-LIT",
    "NE-FINE-METO",
    "NE-FINE-COMP",
    "NE-NESTED",
    "NEL-LIT",
    "NEL-METO",
    "MISC",
)
"""The columns behind TOKEN, in the order of the shared tasks."""

_LAYOUT = Layout("hipe", default_layer="NE-COARSE-LIT")


def write(documents: Iterable[Document]) -> dict[str, str]:
    """Return the text of one HIPE file with all documents.

    A document that was read from HIPE keeps its cells and comments; another one is laid out as tokens, its mentions
    without a named layer in NE-COARSE-LIT.
    """
    documents = list(documents)
    own = [
        document.table.columns
        for document in documents
        if document.table is not None and document.table.dialect == "hipe"
    ]
    names = list(dict.fromkeys(name for columns in own for name in columns)) if len(own) == len(documents) else []
    names = names or list(COLUMNS)
    lines = [
        "\t".join(("TOKEN", *names)),
        *(line for document in documents for line in _lines(document, names)),
    ]
    return {"": "".join(f"{line}\n" for line in lines)}


def _lines(document: Document, names: list[str]) -> Iterator[str]:
    """Yield the lines of a document: its comments, tokens and a blank line."""
    table = document.table
    if table is not None and table.dialect == "hipe":
        forms, columns, comments = table.forms, table.columns, list(table.comments)
        if not any(comment.startswith(("# document", "# hipe2022:document_id")) for _, comment in comments):
            comments.insert(0, (0, f"# document_id = {document.id}"))
    else:
        sheet = _LAYOUT.sheet(document)
        forms, columns, comments = sheet.forms, _columns(sheet), _comments(sheet)
    cells = [columns.get(name) or [_filler(name)] * len(forms) for name in names]
    rows = ["\t".join(row) for row in zip(forms, *cells, strict=True)]
    _check(document, names, forms, rows, [comment for _, comment in comments])
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


def _comments(sheet: Sheet) -> list[tuple[int, str]]:
    """Return the lines that mark the document, its metadata and its segments, with the token each precedes."""
    document = sheet.document
    known = {"document_id", "hipe2022:document_id"}
    pairs = {"document_id": document.id} | {key: text for key, text in document.metadata.items() if key not in known}
    for key, text in pairs.items():
        if has_breaks(key, "=") or has_breaks(text):
            _LAYOUT.refuse(document, f"its metadata {key!r} contains a tab or a line end, or '=' in its name")
    heads = [(0, f"# {key} = {text}") for key, text in pairs.items()]
    return heads + [(start, "# segment_iiif_link = _") for start in sheet.segments]


def _columns(sheet: Sheet) -> dict[str, Sequence[str]]:
    """Return the cells of the columns that a document fills."""
    columns: dict[str, Sequence[str]] = dict(sheet.links)
    for layer, chunks in sheet.chunks.items():
        name = layer or _LAYOUT.default_layer
        if name not in COLUMNS or name in columns:
            _LAYOUT.refuse(sheet.document, f"layer {name!r} is no column of HIPE, or is filled twice")
        if any(not chunk.label for chunk in chunks):
            _LAYOUT.refuse(sheet.document, "it has mentions without a label, which the tags of HIPE need")
        columns[name] = encode(chunks, len(sheet.forms), "IOB2")
    columns["MISC"] = [GLUED if index in sheet.glued else "_" for index in range(len(sheet.forms))]
    return columns


def _filler(name: str) -> str:
    return OUTSIDE if name.startswith("NE-") else NO_LINK
