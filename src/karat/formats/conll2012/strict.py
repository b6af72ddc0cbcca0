"""Documents as the format defines them; whatever is malformed is an error with its line.

Each document is between the lines ``#begin document NAME`` and ``#end document``; the cell is the last tab- or
blank-separated field. Other lines that begin with ``#`` are comments, unless they have the columns of a row.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain, repeat

from karat.errors import many
from karat.formats.base import Problems
from karat.formats.conll2012.cells import CellError, Marks, add_mentions, strict_marks
from karat.formats.conll2012.rows import (
    WORDS,
    ConllDraft,
    Grid,
    LastCells,
    add_rows,
    fields,
    grid_of,
    line_at,
    rows_beside,
)
from karat.io import text_blocks

_MARKER = re.compile(r"#[^\S\n]*(begin|end) document(?![^\s])(.*)")
_LAST_CELLS = LastCells(strict_marks)
_FULL = len(WORDS) + 1
"""From so many columns on, their number may differ from sentence to sentence."""


def drafts(path: str, problems: Problems) -> Iterator[ConllDraft]:
    """Yield the documents of a file, in order."""
    blocks = text_blocks(path)
    first = next(blocks, "").removeprefix("\ufeff")
    return drafts_in(chain((first,), blocks), path, problems)


def drafts_in(blocks: Iterable[str], path: str, problems: Problems) -> Iterator[ConllDraft]:
    """Yield the documents of a file that is given in blocks of whole lines, in order."""
    names: set[str] = set()
    for name, body, line in _bodies(blocks, path, problems):
        if name in names:
            problems.error(path, line - 1, f"document {name!r} begins a second time; names must differ")
            continue
        names.add(name)
        draft, marked = grid_of(name, body, line, _LAST_CELLS) or _by_rows(name, body, line, path, problems)
        _add_mentions(draft, marked, path, problems)
        yield draft


def _by_rows(name: str, body: str, line: int, path: str, problems: Problems) -> Grid:
    draft = ConllDraft(name)
    add_rows(draft, body, line)
    if body.startswith("#") or "\n#" in body:
        draft = _without_comments(draft)
    _check_widths(draft, path, problems)
    return Grid(draft, _marked_rows(draft, path, problems))


def _bodies(blocks: Iterable[str], path: str, problems: Problems) -> Iterator[tuple[str, str, int]]:
    """Yield name, text and first line number of each document, and report lines outside of documents."""
    name: str | None = None
    line = 1
    for body, mark in _between_marks(blocks):
        if name is None:
            _check_outside(body, line, path, problems)
        else:
            if mark is None:
                message = f"document {name!r} has no end; put '#end document' behind its last line"
                problems.error(path, line - 1, message)
            yield name, body, line
        if mark is None:
            return
        line += body.count("\n") + 1
        if mark[1] == "begin":
            if name is not None:
                problems.error(path, line - 1, f"document {name!r} has no end; put '#end document' before this line")
            name = mark[2].strip()
            if not name:
                problems.error(path, line - 1, "the document has no name; expected '#begin document (name); part 000'")
        else:
            if name is None:
                problems.error(path, line - 1, "'#end document' without a '#begin document' before it")
            name = None


def _between_marks(blocks: Iterable[str]) -> Iterator[tuple[str, re.Match[str] | None]]:
    """Yield the text before each line that begins or ends a document, with that line; then the rest."""
    pieces: list[str] = []
    for block in blocks:
        position = 0
        for mark in _MARKER.finditer(block):
            if mark.start() and block[mark.start() - 1] != "\n":
                continue
            pieces.append(block[position : mark.start()])
            yield "".join(pieces), mark
            pieces.clear()
            position = mark.end() + 1
        pieces.append(block[position:])
    yield "".join(pieces), None


def _check_outside(body: str, line: int, path: str, problems: Problems) -> None:
    for line_number, row in enumerate(body.split("\n") if body.strip() else (), line):
        if row.strip() and not row.startswith("#"):
            message = f"{row[:40]!r} stands outside of documents"
            problems.error(path, line_number, f"{message}; begin one with '#begin document'")
            return


def _without_comments(draft: ConllDraft) -> ConllDraft:
    width = next((_width(row) for row in draft.rows if row[0] != "#"), 0)
    left = ConllDraft(draft.name)
    starts, previous_line = set(draft.segments), -1
    begins = False
    for token, row in enumerate(draft.rows):
        begins |= token in starts
        if row[0] == "#" and _width(row) != width:
            left.comments.append((len(left.rows), row.rstrip()))
            continue
        if begins:
            left.segments.append(len(left.rows))
            begins = False
        line = line_at(draft, token)
        if line != previous_line + 1:
            left.lines.append((len(left.rows), line))
        previous_line = line
        left.rows.append(row)
    return left


def _width(row: str) -> int:
    """Return the fixed number of columns of a row."""
    return min(len(fields(row)), _FULL)


def _check_widths(draft: ConllDraft, path: str, problems: Problems) -> None:
    """Report the first row with too few columns, or another number of columns than the first row."""
    tabs = set(map(str.count, draft.rows, repeat("\t")))
    if len(tabs) == 1 and 0 not in tabs:
        return
    width = _width(draft.rows[0]) if draft.rows else 0
    for token, row in enumerate(draft.rows):
        columns = _width(row)
        if columns == 1 or columns != width:
            expected = f"{width} as in the first row" if columns != width else "a token and a coreference cell"
            problems.error(path, line_at(draft, token), f"the row has {many(columns, 'column')}; expected {expected}")
            return


def _marked_rows(draft: ConllDraft, path: str, problems: Problems) -> Iterator[tuple[int, Marks]]:
    for token, row in rows_beside(draft, "\t-", " -"):
        try:
            yield token, strict_marks(row[row.rfind("\t") + 1 :])
        except CellError:
            try:
                yield token, strict_marks(row.rsplit(None, 1)[-1])
            except CellError as error:
                problems.error(path, line_at(draft, token), str(error))


def _add_mentions(draft: ConllDraft, marked: Iterable[tuple[int, Marks]], path: str, problems: Problems) -> None:
    """Add the mentions of the cells, and report unmatched brackets."""

    def report(entity: str, token: int) -> None:
        message = f"a mention of entity {entity} ends here that has not begun"
        problems.error(path, line_at(draft, token), f"{message}; expected '({entity}' in a line before")

    begun = add_mentions(marked, draft.chains, report)
    for entity, starts in begun.items():
        for token in starts:
            message = f"a mention of entity {entity} begins here and does not end in document {draft.name!r}"
            problems.error(path, line_at(draft, token), f"{message}; expected '{entity})' in a line behind")
    draft.chains = {entity: chain for entity, chain in draft.chains.items() if chain}
