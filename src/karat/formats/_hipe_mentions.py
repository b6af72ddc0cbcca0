"""Reading text and mentions off the columns of a HIPE table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from karat.annotations.columns import LINK_COLUMNS, NO_LINK, OUTSIDE, labelled_spans, links_in
from karat.annotations.tokens import join_tokens, line_of
from karat.formats.base import Problems
from karat.model import Document, Link, Mention, TokenTable

GLUED = "NoSpaceAfter"


def add_mentions(document: Document, problems: Problems) -> None:
    """Fill in the text and the mentions of a document that has a table.

    Each column of tags is a layer. The links of an entity are those of its first token; tokens that are linked
    outside of entities are mentions of the column of links, one for each run of equal links. A cell that holds no
    label is no mention here, and reported.
    """
    table = document.table
    assert table is not None  # noqa: S101 - the caller has just built it
    misc = table.columns.get("MISC", [])
    glued = {index for index, cell in enumerate(misc) if GLUED in cell and GLUED in cell.split("|")}
    document.text, table.starts = join_tokens(table.forms, glued)
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
            document.mentions.append(_mention(document, table, start, end, (cells[start][2:],), name, linked))
        if links:
            for start, end in _outside(cells, links):
                layer = LINK_COLUMNS[name]
                document.mentions.append(_mention(document, table, start, end, (), layer, links_in(links[start])))


def _mention(
    document: Document,
    table: TokenTable,
    start: int,
    end: int,
    labels: tuple[str, ...],
    layer: str,
    links: tuple[Link, ...],
) -> Mention:
    span = (table.starts[start], table.starts[end - 1] + len(table.forms[end - 1]))
    number = len(document.mentions) + 1
    return Mention(f"T{number}", (span,), labels, document.text[slice(*span)], layer, links)


def _outside(cells: Sequence[str], links: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the runs of equal links on tokens outside of entities."""
    start = end = -1
    for index, (cell, link) in enumerate(zip(cells, links, strict=True)):
        if cell.upper() != OUTSIDE or not link or link in NO_LINK:
            continue
        if index == end and link == links[start]:
            end = index + 1
            continue
        if end > 0:
            yield start, end
        start, end = index, index + 1
    if end > 0:
        yield start, end


def _report(document: Document, token: int, column: str, problem: str, expected: str, problems: Problems) -> None:
    assert document.table is not None  # noqa: S101 - see above
    message = f"column {column}: {problem}; expected {expected}"
    problems.repair(document.source, line_of(document.table, token), message)
