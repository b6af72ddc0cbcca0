"""Where the documents of a HIPE file lie: found by the lines that begin them, with a look at what stands around."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import IO, NamedTuple

from karat.formats._index import can_be_cut, lines_before, lines_behind, marks_in, places_between
from karat.formats.base import Index
from karat.formats.parts.dates import DATE_LINES

_DATES = tuple(line.encode() for line in DATE_LINES)
_SEGMENT, _TOKEN = b"# segment", b"TOKEN"
_TOO_FAR = -1


class _Preamble(NamedTuple):
    """What stands before the first token of a document."""

    id: str
    has_date: bool
    has_tokens: bool


class _TokenRule(NamedTuple):
    """Which lines are tokens: those with a hash sign are none if they are dropped."""

    column: int
    drops_hashes: bool

    def is_token(self, line: bytes) -> bool:
        """Say whether a line is a token."""
        if not line or line.startswith((b"#", b"\t")):
            return False
        if not self.drops_hashes or b"#" not in line:
            return True
        return not any(b"#" in cell for cell in line.split(b"\t")[self.column : self.column + 1])


def index_of(path: str, marks: Sequence[str], *, drops_hashes: bool, loses_last: bool) -> Index | None:
    """Return where documents lie; nothing if the file cannot be cut.

    A document begins behind the last token of the one before: comments there are its own. A line that would begin one
    does not where its segment has no token yet. A file that loses its last document has no index.
    """
    words = [mark.encode() for mark in marks]
    marked_lines = marks_in(path, [*words, *_DATES]) if can_be_cut(path) else None
    if marked_lines is None:
        return None
    with Path(path).open("rb") as file:
        header = file.readline()
        head, names = len(header), header.rstrip(b"\r\n").split(b"\t")
        rows = _TokenRule(names.index(_TOKEN) if _TOKEN in names else 0, drops_hashes)
        starts = [head]
        for mark in marked_lines:
            if mark.word in words and mark.start >= head:
                cut = _cut(file, mark.start, starts[-1], rows)
                if cut == _TOO_FAR:
                    return None
                if cut is not None:
                    starts.append(cut)
        preambles = [_preamble(file, start, marks, rows) for start in starts]
        size = file.seek(0, 2)
        if loses_last and _cut(file, size, starts[-1], rows) in (None, _TOO_FAR):
            return None
    first_date = min((mark.start for mark in marked_lines if mark.word in _DATES and mark.start >= head), default=size)
    documents = [
        (start, preamble) for start, preamble in zip(starts, preambles, strict=True) if preamble and preamble.has_tokens
    ]
    if None in preambles or not documents:
        return None
    if any(not preamble.has_date and first_date < start for start, preamble in documents):
        return None
    return Index(places_between([(start, preamble.id) for start, preamble in documents], size), head)


def _cut(file: IO[bytes], mark: int, least: int, rows: _TokenRule) -> int | None:
    """Return where the document begins that a line marks; nothing if it goes on, since its segment has no token."""
    cut = start = mark
    for start, line in lines_before(file, mark, least):
        if line.startswith(_SEGMENT):
            return None
        if line.startswith(b"#"):
            cut = start
        elif rows.is_token(line):
            return cut
    return None if start == least else _TOO_FAR


def _preamble(file: IO[bytes], start: int, marks: Sequence[str], rows: _TokenRule) -> _Preamble | None:
    """Read the comments before the first token of a document; nothing if there are too many of them."""
    name, has_date = "", False
    read = 0
    for line in lines_behind(file, start):
        read += len(line) + 1
        if rows.is_token(line):
            return _Preamble(name, has_date, has_tokens=True)
        comment = line.decode("utf-8", "replace").split("\t", 1)[0]
        if comment.startswith(DATE_LINES):
            has_date = True
        if comment.startswith(tuple(marks)) and "=" in comment:
            name = comment.partition("=")[2].strip()
    return _Preamble(name, has_date, has_tokens=False) if read < _MOST else None


_MOST = 1 << 12
