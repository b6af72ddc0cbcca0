"""Where the documents of a column file lie: found by the lines that begin them, with a look at the first row of each.

What a row is follows from the first row of a file, unless a header names the columns. So documents whose first rows are
of another kind are not read apart from the others.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from karat.formats._index import can_be_cut, lines_behind, marks_in, places_between
from karat.formats.base import Index
from karat.formats.conll.layout import HEADER, ConllOptions, cut_row, document_marker

_MARKS = (b"# newdoc", b"#newdoc", b"-DOCSTART-")
_HEADERS = (b"# global.columns", b"#global.columns")
_BOM = "\ufeff"
_LONGEST_HEADER = 1 << 13


class _Kind(NamedTuple):
    """What rows are like that follow this one."""

    width: int
    is_tabbed: bool


_NO_ROWS = _Kind(0, is_tabbed=False)
_FEWEST = 2
"""Columns that a file is taken to have where nobody knows: a token and its tag."""


def index_of(path: str, options: ConllOptions) -> Index | None:
    """Return where documents lie; nothing if the file cannot be cut.

    Under other policies than ``conlleval`` a scheme that is not said is that of the whole file.
    """
    needs_scheme = options.scheme == "auto" and options.repair != "conlleval"
    marks = None if needs_scheme or not can_be_cut(path) else marks_in(path, [*_MARKS, *_HEADERS])
    if marks is None:
        return None
    with Path(path).open("rb") as file:
        first = file.readline(_LONGEST_HEADER).decode("utf-8", "replace")
        head = len(first.encode()) if HEADER.match(first) else 0
        if first.startswith(_BOM) or any(mark.word in _HEADERS and mark.start >= head for mark in marks):
            return None
        starts: list[tuple[int, str]] = []
        kinds: set[_Kind | None] = set()
        for mark in marks:
            lines = lines_behind(file, mark.start)
            name = document_marker(next(lines, b"").decode("utf-8", "replace"))
            if name is not None:
                starts.append((mark.start, name))
                kinds.add(_kind_of(lines, is_marked=True))
        lacks_rows = not head and _NO_ROWS in kinds
        if not starts or starts[0][0] > head:
            preamble = _kind_of(lines_behind(file, head), is_marked=False)
            kinds.add(preamble)
            if preamble is None or not (starts or preamble.width):
                return None
            starts = [(head, ""), *starts] if preamble.width else [(head, starts[0][1]), *starts[1:]]
        size = file.seek(0, 2)
    of_rows = kinds - {_NO_ROWS}
    if None in of_rows or len(of_rows) > 1:
        return None
    if lacks_rows and any(kind is not None and kind.width != _FEWEST for kind in of_rows):
        return None  # read apart, a document without rows has fewer columns than the others
    return Index(places_between(starts, size), head)


def _kind_of(lines: Iterator[bytes], *, is_marked: bool) -> _Kind | None:
    """Return what the first row of a document is like, of which these lines are near; nothing if it is farther away.

    Nor is there anything if a marked document has comments and no rows: whether these are rows is not known.
    """
    has_comments = False
    for raw in lines:
        line = raw.decode("utf-8", "replace")
        if document_marker(line) is not None:
            return None if has_comments and is_marked else _NO_ROWS
        if line.startswith("#") and "\t" not in line:
            has_comments = True
        elif line and not line.isspace():
            return _Kind(len(cut_row(line)), "\t" in line)
    return None
