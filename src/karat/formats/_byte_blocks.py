"""Blocks of lines cut as arrays of bytes, for large files with one token a line: by where separators and line ends are.

No line of a block is looked at by itself: the places of all separators form a grid with a row for each token, if the
block is regular. One that is not is left to those who look at lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from karat.formats._blocks import OtherLine

Places = NDArray[Any]
_LINE_END = ord("\n")


class _Decoded(dict[bytes, str]):
    """Cells by their bytes: each is decoded once."""

    def __missing__(self, cell: bytes) -> str:
        self[cell] = text = cell.decode()
        return text


class BlockRows(NamedTuple):
    """The rows of a block: where each begins and ends, the separators in each, and the lines that are no rows.

    ``lines`` is the number of all lines.
    """

    raw: bytes
    buffer: Places
    starts: Places
    ends: Places
    separators: Places
    others: list[OtherLine]
    lines: int

    def column(self, index: int) -> tuple[Places, Places]:
        """Return where the cells of a column begin and end."""
        left = self.starts if index == 0 else self.separators[:, index - 1] + 1
        return left, self.ends if index == self.separators.shape[1] else self.separators[:, index]

    def has_empty(self, index: int) -> bool:
        """Say whether a cell of a column is empty."""
        left, right = self.column(index)
        return bool((left == right).any())

    def marked(self, index: int, plain: str) -> tuple[list[int], list[str]]:
        """Return the rows whose cell in a column is not the plain one, a single character, and those cells."""
        left, right = self.column(index)
        places = np.flatnonzero((right - left != 1) | (self.buffer[left] != ord(plain)))
        raw, edges = self.raw, zip(left[places].tolist(), right[places].tolist(), strict=True)
        known = _Decoded()
        return places.tolist(), [known[raw[start:end]] for start, end in edges]

    def cells(self, index: int) -> list[str]:
        """Return the cells of a column: what is no part of it is left out of the block, and the rest split at once."""
        if not len(self.starts):
            return []
        left, right = self.column(index)
        steps = np.zeros(len(self.buffer) + 1, np.int8)
        steps[left] = 1
        steps[right + 1] -= 1  # the separator or line end behind a cell is kept, to split by
        inside = np.cumsum(steps[:-1], dtype=np.int8).view(np.bool_)
        text = self.buffer[inside].tobytes().decode()
        return text[:-1].split(text[-1])


def grid_of(block: str, width: int, separator: str, heads: str, words: Sequence[bytes] = ()) -> BlockRows | None:
    r"""Return the rows of a block; nothing if some row has another number of cells.

    A line is no row if it is empty, or begins with one of the ``heads``, a character each, or one of the ``words``.

    >>> grid = grid_of("# a\nB O\n\nC O\n", 2, " ", "#")
    >>> grid.cells(0), grid.marked(0, "C"), grid.others[0].text
    (['B', 'C'], ([0], ['B']), '# a')
    """
    raw = block.encode() if block.endswith("\n") else f"{block}\n".encode()
    buffer = np.frombuffer(raw, np.uint8)
    line_ends = np.flatnonzero(buffer == _LINE_END)
    line_starts = np.concatenate(([0], line_ends[:-1] + 1))
    first = buffer[line_starts]
    is_other = first == _LINE_END
    for head in heads:
        is_other |= first == ord(head)
    for word in words:
        for line in np.flatnonzero(first == word[0]).tolist():
            is_other[line] |= raw.startswith(word, line_starts[line])
    other_lines = _others(raw, line_starts, line_ends, np.flatnonzero(is_other))
    starts, ends = line_starts[~is_other], line_ends[~is_other]
    separators = np.flatnonzero(buffer == ord(separator))
    if any(separator in other.text for other in other_lines):
        separators = separators[~is_other[np.searchsorted(line_ends, separators)]]
    if width < 2 or len(separators) != len(starts) * (width - 1):
        return None
    grid = separators.reshape(len(starts), width - 1)
    if (grid[:, 0] < starts).any() or (grid[:, -1] > ends).any():
        return None
    return BlockRows(raw, buffer, starts, ends, grid, other_lines, len(line_ends))


def _others(raw: bytes, line_starts: Places, line_ends: Places, lines: Places) -> list[OtherLine]:
    """Return the lines of these numbers, which are no rows."""
    texts = zip(line_starts[lines].tolist(), line_ends[lines].tolist(), strict=True)
    rows_before = (lines - np.arange(len(lines))).tolist()
    return list(map(OtherLine, rows_before, lines.tolist(), (raw[start:end].decode() for start, end in texts)))
