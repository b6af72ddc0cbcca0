"""Splits blocks of HIPE lines into tokens and cells, thousands of lines at a time."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate, compress
from operator import itemgetter
from sys import intern
from typing import TYPE_CHECKING, NamedTuple

from karat.errors import InputError
from karat.formats.base import Problems
from karat.formats.parts.blocks import OtherLine, other_line, split_cells, split_lines

if TYPE_CHECKING:
    from karat.formats.hipe.declaration import HipeFileOptions

MAX_CELL = 131_072
"""Characters in a cell: the limit of the published program."""

_SPECIAL = frozenset(("", "#", "\t"))
"""What a line that is no token begins with."""
_OTHER_LINE = other_line("[#\t]")


class Block(NamedTuple):
    """The tokens of a block, the cells of the wanted columns, the other lines, and the number of lines."""

    forms: list[str]
    columns: Mapping[str, list[str]]
    others: list[OtherLine]
    lines: int


class _Rows(NamedTuple):
    """The rows of a block: their text, their cells with a line end between rows, and the lines that are not rows."""

    text: str
    cells: list[str]
    others: list[OtherLine]


class Cutter:
    """Splits the blocks of one file."""

    def __init__(
        self,
        path: str,
        problems: Problems,
        options: HipeFileOptions,
        header: Sequence[str],
        wanted: Sequence[str],
    ) -> None:
        self.path, self.problems, self.options = path, problems, options
        self.width = len(header)
        self.names = {name: index for index, name in enumerate(header)}
        self.wanted = {name: self.names[name] for name in wanted}
        self.first_is_tag = header[0].startswith("NE-")
        self.converted = {"S-": 0, "E-": 0}

    def cut(self, block: str, line: int) -> Block:
        """Return the tokens of a block whose first line has this number."""
        self._check_cell_sizes(block, line)
        return self._cut_text(block, line)

    def _check_cell_sizes(self, block: str, line: int) -> None:
        """Refuse a cell beyond the limit; fast if all lines of the block are shorter than that."""
        position = 0
        while len(block) - position > MAX_CELL:
            end = block.rfind("\n", position, position + MAX_CELL)
            if end < 0:
                end = block.find("\n", position)
                end = len(block) if end < 0 else end
                longest = max(map(len, block[position:end].split("\t")))
                if longest > MAX_CELL:
                    message = f"a cell has {longest:,} characters; at most {MAX_CELL:,} are read"
                    raise InputError(message, path=self.path, line=line + block.count("\n", 0, position))
            position = end + 1

    def _cut_text(self, block: str, line: int) -> Block:
        """Return a block split as text; rows that are too short or too long are repaired or refused first."""
        text = block if block.endswith("\n") else f"{block}\n"
        rows = self._rows(text)
        if rows is None:
            lines = enumerate(text.removesuffix("\n").split("\n"), line)
            text = "".join(f"{self._full_row(line_number, row)}\n" for line_number, row in lines)
            rows = self._rows(text)
            assert rows is not None  # noqa: S101 - each has as many cells as the header now
        if self.options.rows == "full":
            self._refuse_empty_cells(rows, line)
        forms = rows.cells[self.names["TOKEN"] :: self.width + 1]
        cut_block = Block(forms, self._columns(rows), rows.others, len(forms) + len(rows.others))
        may_have_hashes = self.options.hash_tokens == "drop" and "#" in rows.text
        return _without_hash_tokens(cut_block) if may_have_hashes else cut_block

    def _rows(self, text: str) -> _Rows | None:
        """Return rows and other lines; None if a row has another width than the header."""
        row_text, other_lines = split_lines(text, _OTHER_LINE)
        cells = split_cells(row_text, self.width)
        return None if cells is None else _Rows(row_text, cells, other_lines)

    def _columns(self, rows: _Rows) -> dict[str, list[str]]:
        """Return the wanted columns with empty MISC cells filled, and ``S-``, ``E-`` read as ``B-`` and ``I-``."""
        stride = self.width + 1
        cells = {name: rows.cells[index::stride] for name, index in self.wanted.items()}
        if "" in cells.get("MISC", ()):
            cells["MISC"] = [cell or "_" for cell in cells["MISC"]]
        if self.options.revision != "2020" and ("\tS-" in rows.text or "\tE-" in rows.text or self.first_is_tag):
            for name, index in self.names.items():
                if name.startswith("NE-"):
                    mended = self._mend_tags(rows.cells[index::stride])
                    if name in cells:
                        cells[name] = mended
        return {name: list(map(intern, column)) for name, column in cells.items()}  # few differ: keep each once

    def _mend_tags(self, cells: list[str]) -> list[str]:
        tags = {cell for cell in set(cells) if cell.startswith(("S-", "E-"))}
        if not tags:
            return cells
        for prefix in self.converted:
            self.converted[prefix] += sum(cell.startswith(prefix) for cell in cells)
        mended = {tag: ("B-" if tag[0] == "S" else "I-") + tag[2:] for tag in tags}
        return [mended.get(cell, cell) for cell in cells]

    def _full_row(self, line_number: int, line: str) -> str:
        """Return a token line with exactly as many cells as the header, or a blank line if it is faulty."""
        if line[:1] in _SPECIAL:
            return line
        cells = line.split("\t")
        if len(cells) == self.width:
            return line
        if self.options.revision == "2020":
            return self._filled_row(line_number, cells)
        only_misc_lacks = len(cells) == self.width - 1 == self.names["MISC"]
        if self.options.rows == "full" and not only_misc_lacks:
            message = f"the row has {len(cells)} filled cells where {self.width} are expected"
            self.problems.error(self.path, line_number, f"{message}: the 2022 scorer takes no empty or surplus cells")
            return ""
        for name, index in self.names.items():
            if index >= len(cells) and (name == "TOKEN" or name.startswith("NE-")):
                message = f"the row has {len(cells)} cells and none in column {name!r}; expected {self.width}"
                self.problems.error(self.path, line_number, f"{message}, as in the header")
                return ""
        return "\t".join((cells + ["_"] * self.width)[: self.width])

    def _filled_row(self, line_number: int, cells: list[str]) -> str:
        """Return a row as the revision of June 2020 reads it: short ones are filled up, long ones are faults."""
        if len(cells) > self.width:
            message = f"the row has {len(cells)} cells where {self.width} are expected"
            self.problems.error(self.path, line_number, f"{message}: the scorer of June 2020 takes no surplus cells")
            return ""
        return "\t".join(cells + ["_"] * (self.width - len(cells)))

    def _refuse_empty_cells(self, rows: _Rows, line: int) -> None:
        stride = self.width + 1
        if len(self.names) != self.width and rows.cells:
            message = "a column name stands twice in the header: the 2022 scorer takes no such file"
            self.problems.error(self.path, 1, message)
        for name, index in self.names.items():
            if name != "MISC" and "" in rows.cells[index::stride]:
                message = f"a cell of column {name!r} is empty in or after this line"
                self.problems.error(self.path, line, f"{message}: the 2022 scorer takes no empty cells")


def has_tokens(block: str) -> bool:
    """Tell whether a block has a token."""
    return any(line[:1] not in _SPECIAL for line in block.split("\n"))


def _without_hash_tokens(block: Block) -> Block:
    """Return a block without tokens that have a hash sign; their lines count as blank lines."""
    keep = ["#" not in form for form in block.forms]
    kept_before = [0, *accumulate(keep)]
    other_lines = [OtherLine(kept_before[upto], place, line) for upto, place, line in block.others]
    starts = [upto for upto, _, _ in block.others]
    for row, is_kept in enumerate(keep):
        if not is_kept:
            other_lines.append(OtherLine(kept_before[row], row + bisect_right(starts, row), ""))
    columns = {name: list(compress(cells, keep)) for name, cells in block.columns.items()}
    return Block(list(compress(block.forms, keep)), columns, sorted(other_lines, key=itemgetter(1)), block.lines)
