"""Documents in CoNLL-2012 columns cut as a whole: tabs between cells, as many in each row, and the same document first.

No row is looked at by itself. A document that is anything else is left to those who look at lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import itemgetter
from typing import NamedTuple

from karat.formats.conll2012.cells import SHORT, CellError, Marks
from karat.formats.conll2012.rows import NARROW, Draft

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
    row = body[: body.find("\n")]
    first, stride = row[: row.find("\t")], row.count("\t")
    joint = f"\n{first}"
    text = body.rstrip("\n") + joint
    if stride + 1 < NARROW or row[0] == "#" or not first.strip() or " " in text or "\r" in text or "\t\t" in text:
        return None
    cells = text.split("\t")  # in which the last cell of a row is joined with the line end and the first of the next
    joined, plain = cells[stride::stride], _PLAIN + joint
    tokens = [token for token, cell in enumerate(joined) if cell != plain]
    marked = "".join([f"{joined[token]}\t" for token in tokens])
    ending = f"{joint}\t"
    if len(cells) != stride * len(joined) + 1 or marked.count(ending) != len(tokens):
        return None
    try:
        read = [known[cell] for cell in marked.replace(ending, "\t").split("\t")[:-1]]
    except CellError:
        return None
    breaks = [(token, blank) for token, (_, blank) in zip(tokens, read, strict=True) if blank]
    if text.count("\n") != len(joined) + sum(blank for _, blank in breaks):
        return None
    draft = Draft(name, columns=[[first] * len(joined), *(cells[column::stride] for column in range(1, stride))])
    _add_segments(draft, line, breaks)
    return Grid(draft, zip(tokens, map(itemgetter(0), read), strict=True))


def _add_segments(draft: Draft, line: int, breaks: Iterable[tuple[int, int]]) -> None:
    """Note where sentences begin: at the first token, and behind those that blank lines follow."""
    for token, blank in ((-1, 0), *breaks):
        line += blank
        draft.segments.append(token + 1)
        draft.lines.append((token + 1, line + token + 1))
