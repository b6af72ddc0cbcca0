"""The lines of a column file sorted into documents: line by line where it must be, else thousands at a time."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from sys import intern

from karat.formats._blocks import other_line, split_cells, split_lines
from karat.formats._conll_layout import HEADER, METADATA, Layout, cut_row, document_marker
from karat.formats.base import Problems

_EXTRA_ID = re.compile(r"\d+[-.]\d+")
_MARKS = ("#", "-DOCSTART-")
"""What a line that is no row may begin with."""
_OTHER_LINE = other_line("#|-DOCSTART-")


@dataclass
class Draft:
    """What the lines of a document hold; what stands before the first marker is one only if it has tokens.

    ``size`` is how many tokens it has, ``lines`` the index of a token and the number of its line wherever the number
    does not go up by one.
    """

    columns: list[list[str]]
    size: int = 0
    id: str = ""
    begun: bool = False
    lines: list[tuple[int, int]] = field(default_factory=list)
    segments: list[int] = field(default_factory=list)
    comments: list[tuple[int, str]] = field(default_factory=list)
    metadata: dict[str, str] = field(default_factory=dict)
    gap: bool = True
    following: int = 0

    def place_rows(self, rows: int, line_number: int) -> None:
        """Note that so many tokens follow, which stand in lines from that number on."""
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
        """Keep a comment at its place, or as metadata."""
        if entry := METADATA.match(line):
            self.metadata[entry[1]] = entry[2]
        else:
            self.comments.append((self.size, line))


class Sorter:
    """Sorts the lines of a file into documents and drops faulty rows.

    A block whose rows are beyond doubt, as nearly all are, is cut as a whole; every other one line by line. Of columns
    beside those that are ``looked_at``, if that is said, cells may be lacking.
    """

    def __init__(self, path: str, layout: Layout, problems: Problems, looked_at: Collection[int] | None = None) -> None:
        self.path, self.layout, self.problems = path, layout, problems
        self.looked_at = range(len(layout.names)) if looked_at is None else looked_at
        self.width = len(layout.names)
        self.number = layout.names.index("ID") if layout.declared and "ID" in layout.names else None

    def drafts(self, blocks: Iterable[str]) -> Iterator[Draft]:
        """Yield the documents as they end; every block of text ends where a line does."""
        draft = self._empty()
        line_number = 1
        for block in blocks:
            columns, others = self._cut(block)
            taken = placed = 0
            for before, line in others:
                if before > placed:
                    draft.place_rows(before - placed, line_number)
                    line_number += before - placed
                    placed = before
                if line:
                    draft.add_cells(column[taken:before] for column in columns)
                    taken = before
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

    def _empty(self) -> Draft:
        return Draft([[] for _ in self.layout.names])

    def _cut(self, block: str) -> tuple[list[list[str]], list[tuple[int, str | None]]]:
        """Return the columns of a block, and its other lines with the number of rows before each; at last its end.

        Where there is doubt about a row, all lines are other lines.
        """
        rows, others = split_lines(block, _OTHER_LINE)
        columns = self._columns(rows)
        if columns is None:
            lines = block.removesuffix("\n").split("\n")
            return [[] for _ in self.layout.names], [(0, line) for line in lines]
        size = rows.count("\n") + 1 if rows else 0
        return columns, [*((before, line) for before, _, line in others), (size, None)]

    def _columns(self, rows: str) -> list[list[str]] | None:
        """Return the columns of rows that have all their cells; nothing if there is any doubt about a line."""
        separator, other = ("\t", " ") if self.layout.tabbed else (" ", "\t")
        cells = None if other in rows else split_cells(rows, self.width, separator)
        if cells is None:
            return None
        columns = [cells[place :: self.width + 1] for place in range(self.width)]
        lacks = "" in (columns[self.layout.form] if self.layout.tabbed else cells)
        if lacks or any(not cell or cell.isspace() for cell in set(columns[-1])):
            return None
        if self.number is not None and not all(map(str.isdecimal, columns[self.number])):
            return None
        for place, column in enumerate(columns):
            if place not in self.looked_at:
                columns[place] = []
            elif place != self.layout.form:
                columns[place] = list(map(intern, column))
        return columns

    def _sort(self, draft: Draft, line: str, line_number: int) -> None:
        """Add what a line that begins no document holds."""
        if not line or line.isspace():
            draft.gap = True
        elif line[0] == "#" and (header := HEADER.match(line)):
            if tuple(header[1].split()) != self.layout.names:
                message = "# global.columns stands behind the first token, or differs from the one before"
                self.problems.error(self.path, line_number, f"{message}; split the file here")
        elif line[0] == "#" and self.layout.is_comment(line):
            draft.add_comment(line)
        else:
            cells = cut_row(line)
            if self._is_sound(cells, line_number) and not self._is_extra(cells):
                draft.place_rows(1, line_number)
                draft.add_cells([cell] for cell in cells)

    def _is_sound(self, cells: list[str], line_number: int) -> bool:
        """Report a row with missing or surplus cells, or without a token."""
        if len(cells) != self.width:
            expected = f"{self.width} as in {'the header' if self.layout.declared else 'the first row'}"
            self.problems.error(self.path, line_number, f"the line has {len(cells)} columns; expected {expected}")
            return False
        if not cells[self.layout.form]:
            self.problems.error(self.path, line_number, "the token is empty; end a segment with a blank line")
            return False
        return True

    def _is_extra(self, cells: list[str]) -> bool:
        """Say whether a row of CoNLL-U stands for several words or for none."""
        return self.number is not None and _EXTRA_ID.fullmatch(cells[self.number]) is not None
