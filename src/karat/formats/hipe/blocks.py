"""Cutting blocks of HIPE lines into tokens and cells: thousands of lines at once.

There are two ways with the same result. One works on text and knows every irregularity. The other works on arrays
of bytes; it is for large files, leaves the tokens in the block until they are looked at, and hands a block that is
not perfectly regular to the first.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate, compress
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from karat.annotations.cells import CutText, SparseColumn
from karat.errors import InputError
from karat.formats._blocks import OtherLine, other_line, split_cells, split_lines
from karat.formats.base import Problems

if TYPE_CHECKING:
    from karat.formats.hipe.declaration import HipeOptions

MAX_CELL = 131_072
"""Characters in a cell: the limit of the published program."""

_SPECIAL = frozenset(("", "#", "\t"))
_OTHER_LINE = other_line(r"[#\t]")


class Block(NamedTuple):
    """The tokens of a block, the cells of the wanted columns, the lines that are no tokens, and the number of lines."""

    forms: Sequence[str]
    columns: Mapping[str, Sequence[str]]
    others: list[OtherLine]
    lines: int


def plain_cell(column: str) -> str:
    """Return the cell that says nothing, in a column of that name."""
    return "O" if column.startswith("NE-") else "_"


class Cutter:
    """Cuts the blocks of one file; ``vectorised`` says whether to work on arrays of bytes where that is possible."""

    def __init__(
        self,
        path: str,
        problems: Problems,
        options: HipeOptions,
        header: Sequence[str],
        wanted: Sequence[str],
        *,
        vectorised: bool,
    ) -> None:
        self.path, self.problems, self.options = path, problems, options
        self.width = len(header)
        self.names = {name: index for index, name in enumerate(header)}
        self.wanted = {name: self.names[name] for name in wanted}
        self.vectorised = vectorised
        self.first_is_tag = header[0].startswith("NE-")
        self.converted = {"S-": 0, "E-": 0}

    def cut(self, block: str, line: int) -> Block:
        """Cut a block whose first line has that number."""
        self._check_cell_sizes(block, line)
        cut_block = self._cut_bytes(block) if self.vectorised else None
        return cut_block or self._cut_text(block, line)

    def _check_cell_sizes(self, block: str, line: int) -> None:
        """Refuse a cell beyond the limit; a block whose lines are all shorter than that needs few steps."""
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

    def _cut_bytes(self, block: str) -> Block | None:
        """Cut a block by the places of its tabs and line ends, or give up where it is not regular."""
        block = block if block.endswith("\n") else f"{block}\n"
        if self.first_is_tag or "\tS-" in block or "\tE-" in block:
            return None
        may_be_empty = self.options.rows == "pad" and "MISC" not in self.wanted
        if not may_be_empty and ("\t\t" in block or "\t\n" in block or len(self.names) != self.width):
            return None
        from karat.formats._byte_blocks import grid_of

        grid = grid_of(block, self.width, "\t", "#\t")
        if grid is None:
            return None
        if self.options.hash_tokens == "drop":
            comments = sum(other.text.startswith("#") for other in grid.others)
            if grid.raw.count(b"#") != comments:
                return None
        columns = {}
        for name, index in self.wanted.items():
            plain = plain_cell(name)
            columns[name] = SparseColumn(plain, len(grid.starts), *grid.marked(index, plain))
        left, right = grid.column(self.names["TOKEN"])
        forms = CutText(grid.raw, left.astype("int32"), right.astype("int32"))
        return Block(forms, columns, grid.others, grid.lines)

    def _cut_text(self, block: str, line: int) -> Block:
        """Cut a block by splitting its text; rows that are too short or too long are mended or refused first."""
        rows, others = split_lines(block, _OTHER_LINE)
        cells = split_cells(rows, self.width)
        height = block.count("\n")
        if cells is None:
            lines = block.removesuffix("\n").split("\n")
            block = "\n".join(self._full_row(line_number, row) for line_number, row in enumerate(lines, line))
            rows, others = split_lines(block, _OTHER_LINE)
            cells = split_cells(rows, self.width) or []
        if self.options.rows == "full":
            self._refuse_empty_cells(cells, line)
        forms = cells[self.names["TOKEN"] :: self.width + 1]
        columns = self._columns(cells, rows)
        if self.options.hash_tokens == "drop" and "#" in rows and "#" in "".join(forms):
            others = _drop_hash_tokens(forms, columns, others)
        return Block(forms, columns, others, height)

    def _columns(self, cells: list[str], rows: str) -> dict[str, list[str]]:
        """Return the wanted columns: empty MISC cells filled, and today ``S-``, ``E-`` read as ``B-`` and ``I-``."""
        stride = self.width + 1
        columns = {name: cells[index::stride] for name, index in self.wanted.items()}
        if "" in columns.get("MISC", ()):
            columns["MISC"] = [cell or "_" for cell in columns["MISC"]]
        if self.options.revision != "2020" and ("\tS-" in rows or "\tE-" in rows or self.first_is_tag):
            for name, index in self.names.items():
                if name.startswith("NE-"):
                    mended = self._mend_tags(cells[index::stride])
                    if name in columns:
                        columns[name] = mended
        return columns

    def _mend_tags(self, cells: list[str]) -> list[str]:
        tags = {cell for cell in set(cells) if cell.startswith(("S-", "E-"))}
        if not tags:
            return cells
        for prefix in self.converted:
            self.converted[prefix] += sum(cell.startswith(prefix) for cell in cells)
        mended = {tag: ("B-" if tag[0] == "S" else "I-") + tag[2:] for tag in tags}
        return [mended.get(cell, cell) for cell in cells]

    def _full_row(self, line_number: int, line: str) -> str:
        """Return a token line with just as many cells as the header, or a blank line where it is at fault."""
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
        """Return a row as that of June 2020 is: short ones are filled up, whatever the column, long ones are faults."""
        if len(cells) > self.width:
            message = f"the row has {len(cells)} cells where {self.width} are expected"
            self.problems.error(self.path, line_number, f"{message}: the scorer of June 2020 takes no surplus cells")
            return ""
        return "\t".join(cells + ["_"] * (self.width - len(cells)))

    def _refuse_empty_cells(self, cells: list[str], line: int) -> None:
        stride = self.width + 1
        if len(self.names) != self.width and cells:
            message = "a column name stands twice in the header: the 2022 scorer takes no such file"
            self.problems.error(self.path, 1, message)
        for name, index in self.names.items():
            if name != "MISC" and "" in cells[index::stride]:
                message = f"a cell of column {name!r} is empty in or after this line"
                self.problems.error(self.path, line, f"{message}: the 2022 scorer takes no empty cells")


def has_tokens(block: str) -> bool:
    """Say whether some line of a block is a token."""
    return bool(split_lines(block, _OTHER_LINE)[0])


def _drop_hash_tokens(forms: list[str], columns: dict[str, list[str]], others: list[OtherLine]) -> list[OtherLine]:
    """Remove the tokens with a hash sign in place; return the other lines, theirs among them as blank ones."""
    keep = ["#" not in form for form in forms]
    before = [0, *accumulate(keep)]
    shifted = [OtherLine(before[upto], offset, line) for upto, offset, line in others]
    starts = [upto for upto, _, _ in others]
    for row, kept in enumerate(keep):
        if not kept:
            shifted.append(OtherLine(before[row], row + bisect_right(starts, row), ""))
    for cells in (forms, *columns.values()):
        cells[:] = compress(cells, keep)
    return sorted(shifted, key=itemgetter(1))
