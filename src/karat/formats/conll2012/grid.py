"""Documents in CoNLL-2012 columns cut as a whole: tabs between cells, as many in each row, document and part first.

No row is looked at by itself. A document that is anything else is left to those who look at lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import itemgetter
from typing import NamedTuple

from karat.formats.conll2012.cells import SHORT, CellError, Marks
from karat.formats.conll2012.rows import NARROW, Draft

_SHARED = 2
"""So many first columns, document and part, are the same in all rows."""
_PLAIN = "-"
_MOST_KNOWN = 65_536


class Grid(NamedTuple):
    """A document without its chains, and the tokens with brackets in the cell."""

    draft: Draft
    marked: Iterable[tuple[int, Marks]]


class LastCells(dict[str, tuple[Marks, int]]):
    """What last cells mark, and how many blank lines stand behind them: each is read once.

    One that is odd, or holds more than itself and line ends, is a :class:`CellError`.
    """

    def __init__(self, read: Callable[[str], Marks]) -> None:
        self.read = read

    def __missing__(self, cell: str) -> tuple[Marks, int]:
        bare = cell.rstrip("\n")
        marks = self.read(bare)
        if not bare or "\n" in bare or marks.discarded:
            raise CellError(cell)
        if len(self) >= _MOST_KNOWN:
            self.clear()
        read = marks, len(cell) - len(bare)
        if len(cell) <= SHORT:
            self[cell] = read
        return read


def grid_of(name: str, body: str, line: int, known: LastCells) -> Grid | None:
    r"""Return the rows of a document, the first in that line; nothing if there is any doubt about one.

    >>> from karat.formats.conll2012.cells import strict_marks
    >>> body = "d\t0\t0\tBern\t(1)\nd\t0\t1\tsleeps\t-\n\n"
    >>> draft, marked = grid_of("d", body, 2, LastCells(strict_marks))
    >>> draft.columns[3], list(marked)
    (['Bern', 'sleeps'], [(0, Marks(singles=('1',), begins=(), ends=(), discarded=()))])
    """
    text = body.rstrip("\n")
    row = text[: text.find("\n")] if "\n" in text else text
    width = row.count("\t") + 1
    if width < NARROW or row[0] == "#" or " " in text or "\r" in text:
        return None
    shared = row.split("\t", _SHARED)[:_SHARED]
    prefix = "\t".join((*shared, ""))
    flat = text[len(prefix) :].replace(f"\n{prefix}", "\t\n\t")  # other line ends are left to the cell before them
    cells = flat.split("\t")
    stride = width - _SHARED + 1
    last = cells[stride - 2 :: stride]
    size = len(last)
    is_even = len(cells) == stride * size - 1 and cells[stride - 1 :: stride].count("\n") == size - 1
    is_shared = len(text) - len(flat) == len(prefix) * size + (len("\n") - len("\t\n\t")) * (size - 1)
    if not is_even or not is_shared or "" in cells or not all(map(str.strip, shared)):
        return None
    tokens = [token for token, cell in enumerate(last) if cell != _PLAIN]
    try:
        read = [known[last[token]] for token in tokens]
    except CellError:
        return None
    breaks = [(token, blank) for token, (_, blank) in zip(tokens, read, strict=True) if blank]
    if flat.count("\n") != size - 1 + sum(blank for _, blank in breaks):
        return None
    draft = Draft(name, columns=[[cell] * size for cell in shared])
    draft.columns += [cells[column::stride] for column in range(stride - 2)]
    _add_segments(draft, line, breaks)
    return Grid(draft, zip(tokens, map(itemgetter(0), read), strict=True))


def _add_segments(draft: Draft, line: int, breaks: Iterable[tuple[int, int]]) -> None:
    """Note where sentences begin: at the first token, and behind those that blank lines follow."""
    for token, blank in ((-1, 0), *breaks):
        line += blank
        draft.segments.append(token + 1)
        draft.lines.append((token + 1, line + token + 1))
