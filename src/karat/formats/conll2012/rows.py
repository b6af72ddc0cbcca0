"""Rows of a CoNLL-2012 file as drafts of documents, which each scorer's rules fill, and cells by column.

A draft has raw rows, and mentions as ranges of rows. A document whose rows all have the same number of tab-separated
cells, and its own name first, is split as a whole instead of row by row.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import compress, repeat
from operator import itemgetter, not_
from typing import NamedTuple

from karat.formats.conll2012.cells import SHORT, CellError, Marks, Range

WORDS = ("DOC", "PART", "NUMBER", "FORM", "POS", "PARSE", "LEMMA", "FRAMESET", "SENSE", "SPEAKER", "NE")
"""The columns of the standard; those of arguments follow, one for each predicate of the sentence."""

Words = tuple[list[str], dict[str, Sequence[str]]]
"""The words of a draft, and its other cells by column."""

FORM, ARGUMENTS = "FORM", "ARGS"
NARROW = 5
"""With fewer columns than this, the token is the one before the last."""

_FILLER = "_"
_PLAIN = "-"
_MOST_KNOWN = 65_536
"""Cells that are remembered."""


class Failure(NamedTuple):
    """Why the scorer would stop, and in which line."""

    line: int
    message: str


@dataclass
class ConllDraft:
    """A document as read: its tokens as raw rows, and the mentions of each entity as ranges of tokens.

    Entities are in order of first occurrence, mentions in the order in which they end. ``segments``
    are the first tokens of sentences and ``lines`` the line numbers, as in :class:`~karat.model.TokenTable`.
    ``places`` has, by entity and position, the identity of mentions for which it is not their range. A draft that is
    split already has ``columns``, all but the last, and no rows.
    """

    name: str
    rows: list[str] = field(default_factory=list)
    segments: list[int] = field(default_factory=list)
    lines: list[tuple[int, int]] = field(default_factory=list)
    chains: dict[str, list[Range]] = field(default_factory=dict)
    comments: list[tuple[int, str]] = field(default_factory=list)
    discarded: list[str] = field(default_factory=list)
    places: dict[tuple[str, int], str] = field(default_factory=dict)
    failure: Failure | None = None
    columns: list[list[str]] = field(default_factory=list)

    @property
    def size(self) -> int:
        """The number of tokens."""
        return len(self.columns[0]) if self.columns else len(self.rows)

    def add_row(self, row: str, line_number: int) -> None:
        """Add a token, and its line number where that does not follow from the previous one."""
        token = len(self.rows)
        if not self.lines or line_number != self.lines[-1][1] + token - self.lines[-1][0]:
            self.lines.append((token, line_number))
        self.rows.append(row)


def add_rows(draft: ConllDraft, body: str, line: int, blanks: str | None = None) -> None:
    """Add the rows of a text, whose first line has the number ``line``; blank lines only end a sentence.

    ``blanks`` are the characters of which a blank line consists; by default all Unicode white space.
    """
    rows = body.split("\n")
    if any(map(str.isspace, rows)):
        rows = [row if row.strip(blanks) else "" for row in rows]
    rows.append("")
    start, length = 0, len(rows)
    while start < length:
        end = rows.index("", start)
        if end > start:
            draft.segments.append(len(draft.rows))
            draft.lines.append((len(draft.rows), line + start))
            draft.rows += rows[start:end]
        start = end + 1


def line_at(draft: ConllDraft, token: int) -> int:
    """Return the line number of a token."""
    run = bisect_right(draft.lines, token, key=itemgetter(0)) - 1
    return draft.lines[run][1] + token - draft.lines[run][0]


def rows_beside(draft: ConllDraft, *plain: str) -> Iterator[tuple[int, str]]:
    """Yield the tokens with their rows, except rows with one of these endings."""
    return compress(enumerate(draft.rows), map(not_, map(str.endswith, draft.rows, repeat(plain))))


def cut(rows: list[str], columns: frozenset[str] | None) -> Words:
    r"""Return the tokens of rows and the requested columns (all if None), except the last column.

    >>> cut(["d 0 0 Bern NNP -", "d 0 1 sleeps VBZ -"], frozenset({"POS"}))
    (['Bern', 'sleeps'], {'POS': ['NNP', 'VBZ']})
    """
    if not rows:
        return [], {}
    width = _even_width(rows)
    if width is None:
        return _cut_each(rows, columns)
    cells = "\t".join(rows).split("\t")
    return table_of([cells[column::width] for column in range(width - 1)], columns)


def table_of(cells: list[list[str]], columns: frozenset[str] | None) -> Words:
    """Return the tokens and the requested columns (all if None), given the cells of all columns but the last."""
    names = column_names(len(cells) + 1)
    kept: dict[str, Sequence[str]] = {}
    for column, name in enumerate(names):
        if name != FORM and (columns is None or name in columns):
            kept[name] = list(map(" ".join, zip(*cells[column:], strict=True))) if name == ARGUMENTS else cells[column]
    return cells[names.index(FORM)], kept


def column_names(width: int) -> list[str]:
    """Return the names of the columns before the last one; the token is always ``FORM``.

    >>> column_names(3), column_names(6)
    (['1', 'FORM'], ['DOC', 'PART', 'NUMBER', 'FORM', 'POS'])
    """
    if width < NARROW:
        return [*map(str, range(1, width - 1)), FORM]
    return [*WORDS[: width - 1], *([ARGUMENTS] if width - 1 > len(WORDS) else [])]


def _even_width(rows: list[str]) -> int | None:
    """Return the number of columns if all rows have the same number of tabs and no irregular cell; else None."""
    text = "\t".join(rows)
    if " " in text or "\t\t" in text or "\r" in text or text[-1] == "\t" or text[0] == "\t":
        return None
    tabs = set(map(str.count, rows, repeat("\t")))
    return tabs.pop() + 1 if len(tabs) == 1 and 0 not in tabs else None


def uneven(draft: ConllDraft) -> int:
    """Return how many rows have another number of cells than the first row of their sentence."""
    tabs = set(map(str.count, draft.rows, repeat("\t")))
    if not draft.rows or (len(tabs) == 1 and 0 not in tabs):
        return 0
    widths = [len(fields(row)) for row in draft.rows]
    ends = [*draft.segments[1:], len(widths)]
    return sum(
        width != widths[start] for start, end in zip(draft.segments, ends, strict=True) for width in widths[start:end]
    )


def fields(row: str) -> list[str]:
    """Return the cells of a row, split at tabs if it has any, else at blanks."""
    row = row.strip()
    return [cell.strip() for cell in row.split("\t")] if "\t" in row else row.split()


def _cut_each(rows: list[str], columns: frozenset[str] | None) -> Words:
    """Split rows that may differ in their number of cells; the first row determines the column names."""
    grid = [fields(row) or [""] for row in rows]  # a row of white space that its program takes for a token
    width = len(grid[0])
    if width < NARROW:
        names = column_names(max(width, 2))
        forms = [cells[-2] if len(cells) > 1 else cells[0] for cells in grid]
    else:
        names = column_names(max(map(len, grid)))
        forms = [cells[3] if len(cells) >= NARROW else cells[-2] if len(cells) > 1 else cells[0] for cells in grid]
    kept: dict[str, Sequence[str]] = {}
    for column, name in enumerate(names):
        if name == FORM or (columns is not None and name not in columns):
            continue
        if name == ARGUMENTS:
            kept[name] = [" ".join(cells[len(WORDS) : -1]) for cells in grid]
        else:
            kept[name] = [(cells[column] if column < len(cells) - 1 else "") or _FILLER for cells in grid]
    return [form or _FILLER for form in forms], kept


class Grid(NamedTuple):
    """A document without its chains, and the tokens with brackets."""

    draft: ConllDraft
    marked: Iterable[tuple[int, Marks]]


class LastCells(dict[str, tuple[Marks, int]]):
    """A cache of the marks of last cells, and of the blank lines after them.

    An irregular cell, or one with more than line ends after it, raises :class:`CellError`.
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
    r"""Return the rows of a document, whose first row has this line number; None if any row is irregular.

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
    draft = ConllDraft(name, columns=[[first] * len(joined), *(cells[column::stride] for column in range(1, stride))])
    for token, blank in ((-1, 0), *breaks):  # sentences begin with the first token, and behind blank lines
        line += blank
        draft.segments.append(token + 1)
        draft.lines.append((token + 1, line + token + 1))
    return Grid(draft, zip(tokens, map(itemgetter(0), read), strict=True))
