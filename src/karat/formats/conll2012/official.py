"""Documents as the official scorer (v8.01) reads them.

A document begins at a line ``#begin document NAME`` and ends at the first line that contains ``#end document``, or
with the file; every other non-blank line is a token. The cell is the last tab-separated field, which is the whole line
if it has no tab. The scorer works on bytes and line feeds, so every byte is read as one character here, and
:func:`in_words` decodes them for messages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from karat.annotations.faults import shown
from karat.errors import InputError
from karat.formats.conll2012.cells import CellError, Marks, add_mentions, official_marks
from karat.formats.conll2012.rows import ConllDraft, Failure, Grid, LastCells, add_rows, grid_of, line_at, rows_beside
from karat.io import MAX_LINE, read_whole

if TYPE_CHECKING:
    from karat.formats.base import Problems

_BEGIN = re.compile(r"#[ \t\r\f\v]*begin document (.*)")
END = re.compile(r"#[ \t\r\f\v]*end document")
_PERL_BLANKS = " \t\r\n\f\v"
_LOOSE = 64 * 1024 * 1024
"""Characters that documents without an end may read again because they contain each other."""
_MAX_SIZE = 1 << 30
_LAST_CELLS = LastCells(official_marks)
_ONE_LINE = (
    "the document has no lines, because carriage returns alone end none for the official scorer; convert them to "
    "line feeds"
)


def drafts(path: str, problems: Problems) -> Iterator[ConllDraft]:
    """Yield the documents that the official scorer would score."""
    file = OfficialFile(path)
    for place in file.places:
        scored = file.named[place.name]
        if "\r" in place.name:
            problems.repair(path, place.line - 1, _ONE_LINE)
        if scored is not place:
            message = f"is left out, since another one of this name begins in line {scored.line - 1}"
            problems.repair(path, place.line - 1, f"document {shown(place.name)} {message}")
    for place in file.named.values():
        draft = file.draft(place)
        for mention in draft.discarded:
            problems.repair(path, place.line, f"({mention}), a mention with two antecedents, is left out")
        if draft.failure is None:
            draft.chains = {entity: chain for entity, chain in draft.chains.items() if chain}
            _read_words(draft, path, problems)
            yield draft
        else:
            problems.error(path, draft.failure.line, draft.failure.message)


def _read_words(draft: ConllDraft, path: str, problems: Problems) -> None:
    """Decode the bytes of a document as UTF-8 or, if that fails, as Windows-1252."""
    draft.name = in_words(draft.name)
    content = "\n".join(draft.rows)
    if content.isascii():
        return
    data = content.encode("latin-1")
    try:
        content = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = line_at(draft, data.count(b"\n", 0, error.start))
        problems.repair(path, line, f"byte 0x{data[error.start]:02x} is not UTF-8; read as Windows-1252")
        content = data.decode("cp1252", errors="replace")
    draft.rows = content.split("\n")


class _StoppedError(Exception):
    """Raised where the scorer stops in the middle of a document."""

    def __init__(self, failure: Failure) -> None:
        self.failure = failure


class OfficialPlace(NamedTuple):
    """The range of a document's text, its first line, and whether it has its own end marker."""

    name: str
    start: int
    end: int
    line: int
    closed: bool


class OfficialFile:
    """A file as the scorer reads it; opened when its first document is requested."""

    def __init__(self, path: str) -> None:
        self.path = path

    @cached_property
    def text(self) -> str:
        """The file with every byte as one character, and line ends unchanged."""
        data = read_whole(self.path, _MAX_SIZE)
        _check_lines(data, self.path)
        return data.decode("latin-1")

    @cached_property
    def places(self) -> list[OfficialPlace]:
        """The locations of the documents."""
        return places(self.text, self.path)

    @cached_property
    def named(self) -> dict[str, OfficialPlace]:
        """The documents that are scored, by name: the last of several with the same name."""
        return {place.name: place for place in self.places}

    def draft(self, place: OfficialPlace) -> ConllDraft:
        """Return the document at this location."""
        return draft_at(self.text, place, self.path)


def _check_lines(data: bytes, path: str) -> None:
    """Refuse a line that is too long, checking only one line end per limit of bytes."""
    start = 0
    while len(data) - start > MAX_LINE:
        end = data.rfind(b"\n", start, start + MAX_LINE + 1)
        if end < 0:
            line = data.count(b"\n", 0, start) + 1
            raise InputError(f"the line is longer than {MAX_LINE:,} characters", path=path, line=line)
        start = end + 1


def in_words(text: str) -> str:
    r"""Return bytes as text: UTF-8, and invalid bytes as escapes, so that different names remain different.

    >>> in_words("Z\xc3\xbcrich"), in_words("Z\xfcrich")
    ('Zürich', 'Z\\xfcrich')
    """
    return text if text.isascii() else text.encode("latin-1").decode("utf-8", errors="backslashreplace")


def places(text: str, path: str) -> list[OfficialPlace]:
    """Return the locations of the documents of a file, in order; names may be repeated.

    >>> [place.name for place in places("#begin document (a); part 000\\nx -\\n#end document\\n", "")]
    ['(a); part 000']
    """
    documents: list[OfficialPlace] = []
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
            message = "too many documents have no end of their own; end each with '#end document'"
            raise InputError(message, path=path, line=line)
        documents.append(OfficialPlace(begin[1].removesuffix("\r"), counted, end, line, closed))
    return documents


def draft_at(text: str, place: OfficialPlace, path: str) -> ConllDraft:
    """Return one document; if the scorer stops in it, the draft has the reason and all that was read before."""
    body = text[place.start : place.end]
    grid = grid_of(place.name, body, place.line, _LAST_CELLS) if body.isascii() else None
    if grid is None:
        draft = ConllDraft(place.name)
        add_rows(draft, body, place.line, _PERL_BLANKS)
        grid = Grid(draft, _marked_rows(draft, path))
    draft, marked = grid

    def stop(entity: str, token: int) -> None:
        entity_index = list(draft.chains).index(entity)
        message = f"Detected the end of a mention [{entity}]({entity_index}) without begin (?,{token})"
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


def _marked_rows(draft: ConllDraft, path: str) -> Iterator[tuple[int, Marks]]:
    """Yield the tokens with brackets and their marks, and record what is discarded."""
    for token, row in rows_beside(draft, "\t-"):
        cell = row[row.rfind("\t") + 1 :] or row.rstrip("\t").rpartition("\t")[2]
        if " " in cell:
            head, _, last = cell.rpartition(" ")
            cell = cell if "(" in head or ")" in head else last
        try:
            marks = official_marks(cell)
        except CellError as error:
            raise InputError(str(error), path=path, line=line_at(draft, token)) from None
        draft.discarded += marks.discarded
        yield token, marks
