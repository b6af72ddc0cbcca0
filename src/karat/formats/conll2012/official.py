"""Documents as the official scorer (v8.01) reads them.

A document begins at a line ``#begin document NAME``, wherever it stands, and ends at the first line that contains
``#end document``, or with the file; every other line that is not blank is a token. The cell is the last field between
tabs, which is the whole line if it has none. The program knows only bytes, and line feeds: so every byte is one
character here, and :func:`in_words` tells what people would read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from itertools import compress, repeat
from operator import not_
from typing import NamedTuple

from karat.errors import InputError
from karat.files import MAX_LINE, read_whole
from karat.formats.conll2012.cells import CellError, Marks, add_mentions, official_marks
from karat.formats.conll2012.grid import Grid, LastCells, grid_of
from karat.formats.conll2012.rows import PERL_BLANKS, Draft, Failure, add_rows, line_at

_BEGIN = re.compile(r"#[ \t\r\f\v]*begin document (.*)")
END = re.compile(r"#[ \t\r\f\v]*end document")
_LOOSE = 64 * 1024 * 1024
"""Characters that documents without an end may read again because they contain each other."""
_MAX_SIZE = 1 << 30
_LAST_CELLS = LastCells(official_marks)


class _StoppedError(Exception):
    """The program stops in the middle of a document."""

    def __init__(self, failure: Failure) -> None:
        self.failure = failure


class Place(NamedTuple):
    """Where the text of a document begins and ends, its first line, and whether it has an end of its own."""

    name: str
    start: int
    end: int
    line: int
    closed: bool


class OfficialFile:
    """A file as the program reads it; it is opened when its first document is asked for."""

    def __init__(self, path: str) -> None:
        self.path = path

    @cached_property
    def text(self) -> str:
        """The file with every byte as one character, and its line ends as they are."""
        data = read_whole(self.path, _MAX_SIZE)
        _check_lines(data, self.path)
        return data.decode("latin-1")

    @cached_property
    def places(self) -> list[Place]:
        """Where the documents stand."""
        with self._naming():
            return places(self.text)

    @cached_property
    def named(self) -> dict[str, Place]:
        """The documents that are scored, by name: of several with the same name the last."""
        return {place.name: place for place in self.places}

    def draft(self, place: Place) -> Draft:
        """Read a document."""
        with self._naming():
            return draft_at(self.text, place)

    @contextmanager
    def _naming(self) -> Iterator[None]:
        """Say in which file something is wrong."""
        try:
            yield
        except InputError as error:
            raise InputError(error.message, path=self.path, line=error.line) from None


def _check_lines(data: bytes, path: str) -> None:
    """Refuse a line that is too long, looking at one line end in so many bytes."""
    start = 0
    while len(data) - start > MAX_LINE:
        end = data.rfind(b"\n", start, start + MAX_LINE + 1)
        if end < 0:
            line = data.count(b"\n", 0, start) + 1
            raise InputError(f"the line is longer than {MAX_LINE:,} characters", path=path, line=line)
        start = end + 1


def in_words(text: str) -> str:
    r"""Return what people read in bytes: UTF-8, and what is none of it by its number, so that names remain different.

    >>> in_words("Z\xc3\xbcrich"), in_words("Z\xfcrich")
    ('Zürich', 'Z\\xfcrich')
    """
    return text if text.isascii() else text.encode("latin-1").decode("utf-8", errors="backslashreplace")


def places(text: str) -> list[Place]:
    """Find the documents of a file, in its order; names may come more than once.

    >>> [place.name for place in places("#begin document (a); part 000\\nx -\\n#end document\\n")]
    ['(a); part 000']
    """
    documents: list[Place] = []
    line, counted, total = 1, 0, 0
    end, closed = -1, True
    for begin in _BEGIN.finditer(text):
        if begin.start() and text[begin.start() - 1] != "\n":
            continue
        line += text.count("\n", counted, begin.start()) + 1
        counted = min(begin.end() + 1, len(text))
        if end < counted:
            stop = END.search(text, counted)
            closed = stop is not None
            end = text.rfind("\n", 0, stop.start()) + 1 if stop else len(text)
        total += end - counted
        if total > len(text) + _LOOSE:
            raise InputError("too many documents have no end of their own; end each with '#end document'", line=line)
        documents.append(Place(begin[1].removesuffix("\r"), counted, end, line, closed))
    return documents


def draft_at(text: str, place: Place) -> Draft:
    """Read one document; what would stop the program is noted in the draft, with all that was read before."""
    body = text[place.start : place.end]
    grid = grid_of(place.name, body, place.line, _LAST_CELLS) if body.isascii() else None
    draft, marked = grid or _by_rows(place, body)

    def stop(entity: str, token: int) -> None:
        number = list(draft.chains).index(entity)
        message = f"Detected the end of a mention [{entity}]({number}) without begin (?,{token})"
        raise _StoppedError(Failure(line_at(draft, token), message))

    try:
        begun = add_mentions(marked, draft.chains, stop)
    except _StoppedError as stopped:
        draft.failure = stopped.failure
    else:
        if place.closed and any(begun.values()):
            first = min(starts[0] for starts in begun.values() if starts)
            draft.failure = Failure(line_at(draft, first), "Error: some mentions in the document do not close")
    return draft


def _by_rows(place: Place, body: str) -> Grid:
    """Look at each row of a document."""
    draft = Draft(place.name)
    add_rows(draft, body, place.line, PERL_BLANKS)
    return Grid(draft, _marked_rows(draft))


def _marked_rows(draft: Draft) -> Iterator[tuple[int, Marks]]:
    """Yield the tokens that have brackets in the cell, with what they mark, and note what is discarded."""
    plain = map(str.endswith, draft.rows, repeat("\t-"))
    for token, row in compress(enumerate(draft.rows), map(not_, plain)):
        cell = row[row.rfind("\t") + 1 :] or row.rstrip("\t").rpartition("\t")[2]
        if " " in cell:
            head, _, last = cell.rpartition(" ")
            cell = cell if "(" in head or ")" in head else last
        try:
            marks = official_marks(cell)
        except CellError as error:
            raise InputError(str(error), line=line_at(draft, token)) from None
        draft.discarded += marks.discarded
        yield token, marks
