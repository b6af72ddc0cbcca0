"""Assigns the lines of a column file to documents: line by line where necessary, else in blocks."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from sys import intern

import msgspec

from karat.formats.base import Problems
from karat.formats.conll.layout import HEADER, METADATA, Layout, cut_row, document_marker
from karat.formats.parts.blocks import OtherLine, other_line, split_cells, split_lines

_EXTRA_ID = re.compile(r"\d+[-.]\d+")
"""That of a row of CoNLL-U that stands for several words or for none."""
_MARKS = ("#", "-DOCSTART-")
"""What a line that is no row may begin with."""
_OTHER_LINE = other_line("#|-DOCSTART-")
_DOCSTART = (b"-DOCSTART-",)


class RowDraft(msgspec.Struct):
    """The lines of a document; lines before the first marker are a document only if they have tokens.

    ``size`` is the number of tokens, ``lines`` pairs the index of a token with its line number wherever the number
    does not increase by one.
    """

    columns: list[list[str]]
    size: int = 0
    id: str = ""
    begun: bool = False
    lines: list[tuple[int, int]] = []
    segments: list[int] = []
    comments: list[tuple[int, str]] = []
    metadata: dict[str, str] = {}
    gap: bool = True
    following: int = 0

    def place_rows(self, rows: int, line_number: int) -> None:
        """Record the line number of the first of these tokens; the others follow."""
        if self.gap:
            self.segments.append(self.size)
        if line_number != self.following:
            self.lines.append((self.size, line_number))
        self.gap, self.begun, self.following = False, True, line_number + rows
        self.size += rows

    def add_cells(self, columns: Iterable[Sequence[str]]) -> None:
        """Add tokens, column by column."""
        for column, more in zip(self.columns, columns, strict=True):
            column += more

    def add_comment(self, line: str) -> None:
        """Keep a comment with its position, or as metadata."""
        if entry := METADATA.match(line):
            self.metadata[entry[1]] = entry[2]
        else:
            self.comments.append((self.size, line))


class Sorter:
    """Assigns lines to documents and drops faulty rows.

    A block of regular rows, as nearly all are, is split as a whole; other blocks are read line by line. With
    ``looked_at``, cells of other columns may be missing.
    """

    def __init__(
        self,
        path: str,
        layout: Layout,
        problems: Problems,
        looked_at: Collection[int] | None = None,
    ) -> None:
        self.path, self.layout, self.problems = path, layout, problems
        self.looked_at = range(len(layout.names)) if looked_at is None else looked_at
        self.width = len(layout.names)
        self.separator, self.foreign = ("\t", " ") if layout.tabbed else (" ", "\t")
        """What stands between cells, and what makes a row doubtful."""
        self.number = layout.names.index("ID") if layout.declared and "ID" in layout.names else None

    def drafts(self, blocks: Iterable[str]) -> Iterator[RowDraft]:
        """Yield the documents as they end; every block must end with a line."""
        draft = self._empty()
        line_number = 1
        for block in blocks:
            columns, other_lines = self._cut(block)
            taken = placed = 0
            for rows_before, line in other_lines:
                if rows_before > placed:
                    draft.place_rows(rows_before - placed, line_number)
                    line_number += rows_before - placed
                    placed = rows_before
                if line:
                    draft.add_cells(column[taken:rows_before] for column in columns)
                    taken = rows_before
                    marker = document_marker(line) if line.startswith(_MARKS) else None
                    if marker is None:
                        self._sort(draft, line, line_number)
                    else:
                        if draft.begun:
                            yield draft
                            draft = self._empty()
                        draft.id, draft.begun = marker, True
                draft.gap = draft.gap or line == ""
                line_number += line is not None
            draft.add_cells(column[taken:] for column in columns)
        if draft.begun:
            yield draft

    def _empty(self) -> RowDraft:
        return RowDraft([[] for _ in self.layout.names])

    def _cut(self, block: str) -> tuple[list[list[str]], list[tuple[int, str | None]]]:
        """Return the columns of a block, its other lines with the number of rows before each, and the block's end.

        If a row is irregular, all lines are returned as other lines.
        """
        rows, other_lines = split_lines(block, _OTHER_LINE)
        columns = self._columns(rows)
        if columns is None:
            lines = block.removesuffix("\n").split("\n")
            return [[] for _ in self.layout.names], [(0, line) for line in lines]
        return columns, _ended(other_lines, rows.count("\n") + 1 if rows else 0)

    def _columns(self, rows: str) -> list[list[str]] | None:
        """Return the columns of complete rows, or None if any line is irregular."""
        cells = None if self.foreign in rows else split_cells(rows, self.width, self.separator)
        if cells is None:
            return None
        columns = [cells[place :: self.width + 1] for place in range(self.width)]
        lacks = "" in (columns[self.layout.form] if self.layout.tabbed else cells)
        return None if lacks or self._is_doubtful(columns) else self._kept(columns)

    def _is_doubtful(self, columns: Sequence[Sequence[str]]) -> bool:
        """Tell whether a last cell is blank, or a CoNLL-U row is a multiword token or an empty node."""
        if any(not cell or cell.isspace() for cell in set(columns[-1])):
            return True
        return self.number is not None and not all(map(str.isdecimal, columns[self.number]))

    def _kept(self, columns: list[list[str]]) -> list[list[str]]:
        """Return the columns that are needed; equal cells, except tokens, share one string."""
        for place, column in enumerate(columns):
            if place not in self.looked_at:
                columns[place] = []
            elif place != self.layout.form:
                columns[place] = list(map(intern, column))
        return columns

    def _sort(self, draft: RowDraft, line: str, line_number: int) -> None:
        """Add a line that does not begin a document."""
        if not line or line.isspace():
            draft.gap = True
        elif line[0] == "#" and (header := HEADER.match(line)):
            if tuple(header[1].split()) != self.layout.names:
                message = "# global.columns comes after the first token, or differs from the one before"
                self.problems.error(self.path, line_number, f"{message}; split the file here")
        elif line[0] == "#" and self.layout.is_comment(line):
            draft.add_comment(line)
        else:
            cells = cut_row(line)
            if not self._is_sound(cells, line_number):
                return
            if self.number is None or not _EXTRA_ID.fullmatch(cells[self.number]):
                draft.place_rows(1, line_number)
                draft.add_cells([cell] for cell in cells)

    def _is_sound(self, cells: list[str], line_number: int) -> bool:
        """Tell whether a row is complete and has a token; otherwise report it."""
        if len(cells) != self.width:
            expected = f"{self.width} as in {'the header' if self.layout.declared else 'the first row'}"
            self.problems.error(self.path, line_number, f"the line has {len(cells)} columns; expected {expected}")
            return False
        if not cells[self.layout.form]:
            self.problems.error(self.path, line_number, "the token is empty; end a segment with a blank line")
            return False
        return True


def _ended(other_lines: Iterable[OtherLine], size: int) -> list[tuple[int, str | None]]:
    """Return other lines with the number of rows before each, and the end of the block."""
    return [*((other.before, other.text) for other in other_lines), (size, None)]
