"""Rows of CoNLL-U as documents, read and written: shared by CorefUD and Universal Anaphora.

The rows of a table are words and empty nodes; a mention names its rows.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Generic, NamedTuple, TypeVar

import msgspec

from karat.annotations.faults import shown
from karat.annotations.tokens import TokenEdges, join_tokens, tokens_of
from karat.formats.base import Problems
from karat.formats.parts.token_tables import Refuse, among_comments, has_breaks, segment_ranges
from karat.model import Document, Mention, Span, TokenTable

BOM = "\ufeff"
COLUMNS = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
EMPTY_CELL = "_"
GLUED = "SpaceAfter=No"
ROWS = "rows"
"""The attribute of a mention that names its rows, as in ``17-19,21``."""
RANGE = re.compile(r"([0-9]{1,9})-([0-9]{1,9})(?=\t)")
"""How the row of a multiword token begins; such rows stand among the comments of a table."""
_ROWS = re.compile(r"[0-9]{1,9}(-[0-9]{1,9})?(,[0-9]{1,9}(-[0-9]{1,9})?)*")

Rows = tuple[tuple[int, int], ...]
"""The rows of a mention as inclusive ranges, ascending and apart from each other."""


class RowPlaces(NamedTuple):
    """The positions of a document's rows in its text.

    ``starts`` has the offset of each row; an empty node has no width and is at the start of the next word of its
    sentence, or at the end of the last word. ``words`` are the spans of the words, and ``before`` the number of
    words that precede each row.
    """

    text: str
    starts: list[int]
    words: list[Span]
    before: list[int]

    def spans(self, rows: Rows) -> tuple[Span, ...]:
        """Return the spans of a mention: consecutive words are one span; without words it has no width."""
        ranges: list[tuple[int, int]] = []
        for first, last in rows:
            begin, end = self.before[first], self.before[last + 1]
            if ranges and ranges[-1][1] == begin:
                ranges[-1] = ranges[-1][0], end
            elif begin < end:
                ranges.append((begin, end))
        if not ranges:
            return ((self.starts[rows[0][0]],) * 2,)
        return tuple([(self.words[begin][0], self.words[end - 1][1]) for begin, end in ranges])


def lay_out(table: TokenTable) -> RowPlaces:
    """Return the text of a table and the positions of its rows."""
    forms, ids = table.forms, table.columns["ID"]
    is_word = ["." not in name for name in ids]
    words_before = [0, *accumulate(is_word)]
    glued = {words_before[row] for row in _glued(table) if is_word[row]}
    word_forms = [form for form, word in zip(forms, is_word, strict=True) if word]
    text, word_starts = join_tokens(word_forms, glued)
    words = [(start, start + len(form)) for start, form in zip(word_starts, word_forms, strict=True)]
    starts: list[int] = []
    for first, last in zip(table.segments, [*table.segments[1:], len(forms)], strict=False):
        for row in range(first, last):
            if words_before[row] < words_before[last]:
                starts.append(words[words_before[row]][0])
            else:
                starts.append(words[words_before[row] - 1][1] if words_before[row] else 0)
    return RowPlaces(text, starts, words, words_before)


def _glued(table: TokenTable) -> Iterable[int]:
    """Yield the rows without a blank after them; a multiword token determines this for its last word."""
    for row, cell in enumerate(table.columns["MISC"]):
        if GLUED in cell and GLUED in cell.split("|"):
            yield row
    ids, sentences = table.columns["ID"], set(table.segments)
    for row, line in table.comments:
        match = RANGE.match(line)
        if match and row < len(ids) and GLUED in line.rpartition("\t")[2].split("|"):
            last = row
            while ids[last] != match[2] and last + 1 < len(ids) and last + 1 not in sentences:
                last += 1
            yield last


def merged(fragments: Iterable[tuple[int, int]]) -> Rows:
    """Return the fragments in order, with touching or overlapping ones merged.

    >>> merged([(4, 4), (0, 2), (3, 3)])
    ((0, 4),)
    """
    rows: list[tuple[int, int]] = []
    for first, last in sorted(fragments):
        if rows and first <= rows[-1][1] + 1:
            rows[-1] = rows[-1][0], max(rows[-1][1], last)
        else:
            rows.append((first, last))
    return tuple(rows)


def row_at(rows: Rows, place: int) -> int | None:
    """Return the row at a position in a mention, counted from 1; None if the mention has fewer rows.

    >>> row_at(((17, 19), (21, 21)), 4)
    21
    """
    for first, last in rows:
        if place <= last - first + 1:
            return first + place - 1
        place -= last - first + 1
    return None


def place_of(rows: Rows, row: int) -> int | None:
    """Return the position of a row in a mention, counted from 1; None if the mention lacks it."""
    place = 1
    for first, last in rows:
        if first <= row <= last:
            return place + row - first
        place += last - first + 1
    return None


def written(rows: Rows) -> str:
    """Return the rows of a mention as text.

    >>> written(((17, 19), (21, 21))), parsed("17-19,21")
    ('17-19,21', ((17, 19), (21, 21)))
    """
    return ",".join([str(first) if first == last else f"{first}-{last}" for first, last in rows])


def parsed(text: str) -> Rows | None:
    """Return the rows that a text names, in its order; None if it is malformed."""
    if not _ROWS.fullmatch(text):
        return None
    edges = [part.split("-") for part in text.split(",")]
    return tuple([(int(edge[0]), int(edge[-1])) for edge in edges])


def rows_at(mention: Mention, edges: TokenEdges) -> Rows | None:
    """Return the rows whose words are at the spans of a mention, span by span; None if there are no such rows."""
    parts = [part for part in map(edges.at, mention.spans) if part]
    return tuple(parts) if parts and len(parts) == len(mention.spans) else None


@dataclass
class ConlluDraft:
    """The rows of a document; rows before the first marker form a document only if there are any."""

    columns: tuple[str, ...]
    id: str = ""
    begun: bool = False
    cells: list[list[str]] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    segments: list[int] = field(default_factory=list)
    comments: list[tuple[int, str]] = field(default_factory=list)

    def add(self, cells: list[str], line_number: int, *, begins: bool) -> int:
        """Add a row, which may begin a sentence, and return its number."""
        row = len(self.cells)
        if begins:
            self.segments.append(row)
        self.begun = True
        self.cells.append(cells)
        self.numbers.append(line_number)
        return row

    def table(self, dialect: str, without: Collection[str] = ()) -> TokenTable:
        """Return the rows by column, without some columns."""
        columns = list(zip(*self.cells, strict=True)) or [()] * len(self.columns)
        by_name = {name: list(cells) for name, cells in zip(self.columns, columns, strict=True) if name not in without}
        forms, previous_lines = by_name.pop("FORM"), [-1, *self.numbers]
        lines = [(row, line) for row, line in enumerate(self.numbers) if line != previous_lines[row] + 1]
        return TokenTable(forms, dict(by_name), self.segments, [], self.comments, lines=lines, dialect=dialect)


Draft = TypeVar("Draft", bound=ConlluDraft)


class ConlluReader(Generic[Draft]):
    """Reads one file document by document; ids must be unique."""

    def __init__(self, path: str, problems: Problems, dialect: str) -> None:
        self.path, self.problems, self.dialect = path, problems, dialect
        self._lines: dict[str, int] = {}
        """Before which line the document of an id ends."""
        self._count = 0

    def annotate(self, document: Document, draft: Draft, layout: RowPlaces) -> None:
        """Add the annotations of a draft to its document, which already has its text."""
        raise NotImplementedError

    def finished(self, draft: Draft, line_number: int, without: Collection[str] = ()) -> Iterator[Document]:
        """Yield the document that ends before a line, if it is one, without some columns."""
        name = self._name(draft, line_number) if draft.begun else None
        if name is None:
            return
        table = draft.table(self.dialect, without)
        document = Document(name, table=table, source=self.path)
        with self.problems.catching(self.path, draft.numbers[0] if draft.numbers else None):
            layout = lay_out(table)
            document.text, table.starts = layout.text, layout.starts
            self.annotate(document, draft, layout)
            yield document

    def _name(self, draft: Draft, line_number: int) -> str | None:
        """Return the id of a document, its number if it has none; None after an error."""
        self._count += 1
        name = draft.id or str(self._count)
        if name not in self._lines:
            self._lines[name] = line_number
            return name
        line = draft.numbers[0] if draft.numbers else line_number
        first_place = f"first before line {self._lines[name]}"
        self.problems.error(self.path, line, f"document {shown(name)} is there twice, {first_place}; rename one")
        return None


def check_kinds(document: Document, kinds: Iterable[str], metadata: Collection[str], refuse: Refuse) -> None:
    """Refuse kinds of annotation and metadata that the format cannot hold."""
    for kind in kinds:
        if getattr(document, kind):
            refuse(document, f"it has {kind}; leave them out with --drop {kind}")
    for key in document.metadata.keys() - metadata:
        refuse(document, f"it has metadata, such as {shown(key)}")


def new_table(document: Document, columns: Iterable[str], dialect: str, refuse: Refuse, *, anew: bool) -> TokenTable:
    """Return a table for a document of another format: one row per token, numbered ``anew`` in each sentence."""
    forms, starts, segments = tokens_of(document)
    cells = {name: [EMPTY_CELL] * len(forms) for name in columns if name != "FORM"}
    for first, last in segment_ranges(segments, len(forms)) if anew else [(0, len(forms))]:
        cells["ID"][first:last] = map(str, range(1, last - first + 1))
    for row, (start, form) in enumerate(zip(starts, forms, strict=True)):
        if not document.text.startswith(form, start):
            refuse(document, f"its token {shown(form)} is not at its place in the text")
        if row + 1 < len(starts) and start + len(form) == starts[row + 1]:
            cells["MISC"][row] = GLUED
    return TokenTable(forms, dict(cells), segments, list(starts), dialect=dialect)


def lines_of(
    document: Document, table: TokenTable, rows: Sequence[str], refuse: Refuse, *, ranges: bool
) -> Iterator[str]:
    """Yield rows with the comments of a table, blank lines, and the ``ranges`` of multiword tokens."""
    for _, line in table.comments:
        is_comment = line.startswith("#") or (ranges and RANGE.match(line))
        if has_breaks(line.replace("\t", "")) or not is_comment:
            refuse(document, f"its comment {shown(line)} does not begin with '#', or contains a line end")
    yield from among_comments(rows, table.segments, table.comments)
    if not rows or any(row >= len(rows) for row, _ in table.comments):
        yield ""


def own_table(document: Document, dialect: str) -> TokenTable | None:
    """Return the table of a document that was read from the format; None for others."""
    return document.table if document.table is not None and document.table.dialect == dialect else None


def same_tables(back: Document, table: TokenTable) -> bool:
    """Tell whether a document that was read back has the same table, apart from line numbers."""
    return back.table is not None and msgspec.structs.replace(back.table, lines=[]) == msgspec.structs.replace(
        table, lines=[]
    )
