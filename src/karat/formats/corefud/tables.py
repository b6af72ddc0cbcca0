"""Documents in rows of CoNLL-U, as they are read and written: what CorefUD and Universal Anaphora share."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from karat.annotations.faults import shown
from karat.annotations.tokens import TokenEdges, tokens_of
from karat.formats._tabular import Refuse, among_comments, has_breaks, segment_ranges
from karat.formats.base import Problems
from karat.formats.corefud.rows import EMPTY_CELL, GLUED, RANGE, Rows
from karat.model import Document, Mention, TokenTable


@dataclass
class ConlluDraft:
    """The rows of a document; what stands before the first marker is one only if it has rows."""

    columns: tuple[str, ...]
    id: str = ""
    begun: bool = False
    cells: list[list[str]] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    segments: list[int] = field(default_factory=list)
    comments: list[tuple[int, str]] = field(default_factory=list)

    def add(self, cells: list[str], line_number: int, *, begins: bool) -> int:
        """Add a row, with which a sentence may begin, and return which one it is."""
        row = len(self.cells)
        if begins:
            self.segments.append(row)
        self.begun = True
        self.cells.append(cells)
        self.numbers.append(line_number)
        return row

    def table(self, dialect: str, without: Collection[str] = ()) -> TokenTable:
        """Return the rows by column, but for some columns."""
        columns = list(zip(*self.cells, strict=True)) or [()] * len(self.columns)
        by_name = {name: list(cells) for name, cells in zip(self.columns, columns, strict=True) if name not in without}
        forms, lines = by_name.pop("FORM"), _line_jumps(self.numbers)
        return TokenTable(forms, dict(by_name), self.segments, [], self.comments, lines=lines, dialect=dialect)


def _line_jumps(numbers: list[int]) -> list[tuple[int, int]]:
    """Return row and line number wherever the number does not go up by one."""
    before = [-1, *numbers]
    return [(row, line_number) for row, line_number in enumerate(numbers) if line_number != before[row] + 1]


class DocumentIds:
    """The ids of the documents of a file, each of which has one of its own."""

    def __init__(self, path: str, problems: Problems) -> None:
        self.path, self.problems = path, problems
        self._lines: dict[str, int] = {}
        self._count = 0

    def take(self, draft: ConlluDraft, line_number: int) -> str | None:
        """Return the id of a document that ends before a line, its number if it has none; None after an error."""
        self._count += 1
        name = draft.id or str(self._count)
        if name not in self._lines:
            self._lines[name] = line_number
            return name
        line = draft.numbers[0] if draft.numbers else line_number
        before = f"first before line {self._lines[name]}"
        self.problems.error(self.path, line, f"document {shown(name)} is there twice, {before}; rename one")
        return None


def check_kinds(document: Document, kinds: Iterable[str], metadata: Collection[str], refuse: Refuse) -> None:
    """Refuse kinds of annotation that the format has no place for, and other metadata than it knows."""
    for kind in kinds:
        if getattr(document, kind):
            refuse(document, f"it has {kind}; leave them out with --drop {kind}")
    for key in document.metadata.keys() - metadata:
        refuse(document, f"it has metadata, such as {shown(key)}")


def new_table(document: Document, columns: Iterable[str], dialect: str, refuse: Refuse, *, anew: bool) -> TokenTable:
    """Return the table of a document that came from elsewhere: one row a token, numbered ``anew`` in each sentence."""
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


def rows_at(mention: Mention, edges: TokenEdges) -> Rows | None:
    """Return the rows whose words are at the spans of a mention, span by span; None if there are no such rows."""
    parts = [part for part in map(edges.at, mention.spans) if part]
    return tuple(parts) if parts and len(parts) == len(mention.spans) else None


def lines_of(
    document: Document, table: TokenTable, rows: Sequence[str], refuse: Refuse, *, ranges: bool
) -> Iterator[str]:
    """Yield rows with the comments of a table and blank lines among them; ``ranges`` of words may be among these."""
    for _, line in table.comments:
        is_comment = line.startswith("#") or (ranges and RANGE.match(line))
        if has_breaks(line.replace("\t", "")) or not is_comment:
            refuse(document, f"its comment {shown(line)} does not begin with '#', or contains a line end")
    yield from among_comments(rows, table.segments, table.comments)
    if not rows or any(row >= len(rows) for row, _ in table.comments):
        yield ""
