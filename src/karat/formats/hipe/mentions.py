"""Reading text and mentions off the columns of a HIPE table."""

from __future__ import annotations

from karat.annotations.columns import GLUED_IN_HIPE, LINK_COLUMNS, gaps_in, labelled_spans, linked_outside, links_in
from karat.annotations.tokens import join_tokens, line_of
from karat.formats._tabular import add_mention
from karat.formats.base import Problems
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
MISC = "MISC"


def add_text(document: Document) -> None:
    """Fill in the text of a document that has a table, and where its tokens stand in it."""
    table = document.table
    assert table is not None  # noqa: S101 - the caller has just built it
    gaps = gaps_in(table.columns.get(MISC, ()), GLUED_IN_HIPE)
    document.text, table.starts = join_tokens(table.forms, gaps=gaps)


def add_mentions(document: Document, problems: Problems) -> None:
    """Fill in the mentions of a document that has a table and a text.

    Each column of tags is a layer. The links of an entity are those of its first token; tokens that are linked
    outside of entities are mentions of the column of links, one for each run of equal links. A cell that holds no
    label is no mention here, and reported.
    """
    table = document.table
    assert table is not None  # noqa: S101 - the caller has just built it
    for name, cells in table.columns.items():
        if not name.startswith("NE-"):
            continue
        links = table.columns.get(LINK_COLUMNS[name]) if name in LINK_COLUMNS else None
        for type_, start, end in labelled_spans(cells):
            if not type_:
                _report(document, start, name, f"{cells[start]!r} is not a tag", "O, B-label or I-label", problems)
                continue
            if cells[start][:1].upper() != "B":
                _report(
                    document,
                    start,
                    name,
                    f"{cells[start]!r} begins an entity",
                    f"B-{cells[start][2:]}",
                    problems,
                )
            linked = links_in(links[start]) if links else ()
            add_mention(document, table, (start, end), (cells[start][2:],), name, linked)
        if links:
            for tokens in linked_outside(cells, links):
                add_mention(document, table, tokens, (), LINK_COLUMNS[name], links_in(links[tokens[0]]))


def _report(document: Document, token: int, column: str, problem: str, expected: str, problems: Problems) -> None:
    assert document.table is not None  # noqa: S101 - see above
    message = f"column {column}: {problem}; expected {expected}"
    problems.repair(document.source, line_of(document.table, token), message)
