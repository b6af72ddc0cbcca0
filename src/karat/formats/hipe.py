"""HIPE TSV: one token a line, one annotation layer a column, documents and segments marked by comments.

Read as the HIPE scorer reads it: a comment closes a segment or a document only if tokens came before it, a date
line is in force until the next one, and ``S-``/``E-`` tags are taken for ``B-``/``I-``.
"""

from __future__ import annotations

import datetime
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate, compress
from operator import add, itemgetter

from karat.errors import InputError
from karat.files import text_blocks
from karat.formats._hipe_mentions import add_mentions
from karat.formats.base import EVERYTHING, Format, Problems, Want
from karat.model import Document, TokenTable
from karat.settings import option

MAX_CELL = 131_072
"""Characters in a cell: the limit of the published program."""

_BOM = "\ufeff"
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_DOCUMENT = ("# document", "# hipe2022:document_id")
_NO_DATE_FOUND = "2022-01-01"
_SPECIAL = frozenset(("", "#", "\t"))
_OTHER_LINE = re.compile(r"\n((?:[#\t][^\n]*)?)(?=\n)")
_OtherLine = tuple[int, int, str]
"""A line that is no token: how many token lines come before it in its block, its place there, its text."""


@dataclass(frozen=True)
class HipeOptions:
    """How strictly a HIPE file is read."""

    rows: str = option(
        "pad",
        "a row with empty or missing cells: fill it up, or refuse the file as the 2022 scorer did",
        choices=("pad", "full"),
    )
    hash_tokens: str = option(
        "keep",
        "tokens that contain '#': keep them, or drop them as the current scorer does",
        choices=("keep", "drop"),
    )
    last_document: str = option(
        "keep",
        "the last document of a file that ends in an empty segment: keep it, or lose it as the scorer does",
        choices=("keep", "lose"),
    )
    bom: str = option(
        "skip",
        "a byte order mark: skip it, or refuse the file as the scorer does",
        choices=("skip", "refuse"),
    )


def read(
    path: str, *, problems: Problems, want: Want = EVERYTHING, options: HipeOptions | None = None
) -> Iterator[Document]:
    """Yield the documents of a HIPE file; those without tokens do not exist."""
    return _Reader(path, problems, want, options or HipeOptions()).documents()


def write(documents: Iterable[Document], options: HipeOptions) -> dict[str, str]:
    """Return the text of one HIPE file with all documents."""
    from karat.formats import _hipe_write

    del options
    return _hipe_write.write(documents)


def sniff(head: str) -> bool:
    """Say whether the first line is a HIPE header: TOKEN among tab-separated names."""
    header = head.removeprefix(_BOM).split("\n", 1)[0].rstrip("\r").split("\t")
    return "TOKEN" in header and len(header) > 1


class _Reader:
    """Reads block by block, so that the cells of thousands of lines are cut in one go."""

    def __init__(self, path: str, problems: Problems, want: Want, options: HipeOptions) -> None:
        self.path, self.problems, self.want, self.options = path, problems, want, options
        self.line = 1  # the number of the first line of the current block
        self.date = ""
        self.count = 0
        self.converted = {"S-": 0, "E-": 0}
        self.names: dict[str, int] = {}
        self.width = 0
        self.wanted: dict[str, int] = {}
        self.first_is_tag = False
        self.segment_start = 0
        self.fault: InputError | None = None  # of the header; it matters only if there are tokens
        self._begin()

    def documents(self) -> Iterator[Document]:
        """Yield the documents as they are closed."""
        for number, block in enumerate(text_blocks(self.path)):
            self._check_cell_sizes(block)
            if number == 0:
                header, _, block = block.partition("\n")
                self._read_header(header)
                self._begin()
                if self.want.lines:
                    self._number_lines(0, self.line)
            yield from self._read_block(block)
            self.line += block.count("\n")
        length = len(self.table.forms)
        if length > (self.segment_start if self.options.last_document == "lose" else 0):
            yield self._finish()
        if any(self.converted.values()):
            starts, ends = self.converted.values()
            self.problems.repair(self.path, None, f"Converted {starts} S-tags and {ends} E-tags.")

    def _read_header(self, line: str) -> None:
        if line.startswith(_BOM):
            if self.options.bom == "refuse":
                message = "the file begins with a byte order mark, so its first column is not TOKEN"
                self.fault = InputError(f"{message}; save it as UTF-8 without BOM", path=self.path, line=1)
            line = line.removeprefix(_BOM)
        header = line.split("\t")
        self.width = len(header)
        self.names = {name: index for index, name in enumerate(header)}
        for needed in ("TOKEN", "MISC"):
            if needed not in self.names:
                found = f"the header has no column {needed}" if line else "the first line is blank"
                expected = "expected tab-separated names such as TOKEN, NE-COARSE-LIT, MISC"
                self.fault = InputError(f"{found}; {expected}", path=self.path, line=1)
        self.wanted = {
            name: index
            for name, index in self.names.items()
            if name != "TOKEN" and (self.want.columns is None or name in self.want.columns)
        }
        self.first_is_tag = header[0].startswith("NE-")
        self.line = 2

    def _check_cell_sizes(self, block: str) -> None:
        """Refuse a cell beyond the limit; a block whose lines are all shorter than that needs few steps."""
        position = 0
        while len(block) - position > MAX_CELL:
            end = block.rfind("\n", position, position + MAX_CELL)
            if end < 0:
                end = block.find("\n", position) if "\n" in block[position:] else len(block)
                longest = max(map(len, block[position:end].split("\t")))
                if longest > MAX_CELL:
                    number = self.line + block.count("\n", 0, position)
                    message = f"a cell has {longest:,} characters; at most {MAX_CELL:,} are read"
                    raise InputError(message, path=self.path, line=number)
            position = end + 1

    def _read_block(self, block: str) -> Iterator[Document]:
        """Cut the cells of all token lines at once, then walk the few lines that are not tokens."""
        rows, others = _split_lines(block)
        if self.fault is not None:
            if rows:
                raise self.fault
            return
        cells = self._cut(rows)
        if cells is None:
            lines = block.removesuffix("\n").split("\n")
            block = "\n".join(self._full_row(number, line) for number, line in enumerate(lines, self.line))
            rows, others = _split_lines(block)
            cells = self._cut(rows) or []
        stride = self.width + 1
        forms = cells[self.names["TOKEN"] :: stride]
        columns = self._columns(cells, rows)
        if self.options.hash_tokens == "drop" and "#" in rows and "#" in "".join(forms):
            others = _drop_hash_tokens(forms, columns, others)
        taken = 0
        for upto, offset, line in others:
            token = len(self.table.forms) + upto - taken
            if line.startswith("# segment"):
                if token > self.segment_start:
                    self.table.segments.append(token)
                    self.segment_start = token
            elif line.startswith(_DOCUMENT) and token > self.segment_start:
                self._take(forms, columns, taken, upto)
                taken, token = upto, 0
                yield self._finish()
            if self.want.lines:
                self._number_lines(token, self.line + offset + 1)
            if line and (self.want.mentions or not line.startswith("# segment")):
                self._note_comment(line.split("\t", 1)[0], token, self.line + offset)
        self._take(forms, columns, taken, len(forms))

    def _cut(self, rows: str) -> list[str] | None:
        """Return the cells of all rows, a line end between them, or nothing if some row has another width."""
        if not rows:
            return []
        stride = self.width + 1
        cells = rows.replace("\n", "\t\n\t").split("\t")
        count = rows.count("\n") + 1
        regular = len(cells) == stride * count - 1 and cells[self.width :: stride].count("\n") == count - 1
        return cells if regular else None

    def _columns(self, cells: list[str], rows: str) -> dict[str, list[str]]:
        """Return the wanted columns: empty MISC cells filled, ``S-`` and ``E-`` tags read as ``B-`` and ``I-``."""
        stride = self.width + 1
        columns = {name: cells[index::stride] for name, index in self.wanted.items()}
        if "" in columns.get("MISC", ()):
            columns["MISC"] = [cell or "_" for cell in columns["MISC"]]
        if self.options.rows == "full":
            self._refuse_empty_cells(cells)
        if "\tS-" in rows or "\tE-" in rows or self.first_is_tag:
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

    def _full_row(self, number: int, line: str) -> str:
        """Return a token line with just as many cells as the header, or a blank line where it is at fault."""
        if line[:1] in _SPECIAL:
            return line
        cells = line.split("\t")
        if len(cells) == self.width:
            return line
        if self.options.rows == "full" and not (len(cells) < self.width and self._lacks_misc_only(len(cells))):
            self._refuse_row(number, len(cells))
            return ""
        for name, index in self.names.items():
            if index >= len(cells) and (name == "TOKEN" or name.startswith("NE-")):
                message = f"the row has {len(cells)} cells and none in column {name!r}; expected {self.width}"
                self.problems.error(self.path, number, f"{message}, as in the header")
                return ""
        return "\t".join((cells + ["_"] * self.width)[: self.width])

    def _lacks_misc_only(self, cells: int) -> bool:
        return cells == self.width - 1 == self.names["MISC"]

    def _refuse_row(self, number: int, values: int) -> None:
        message = f"the row has {values} filled cells where {self.width} are expected"
        self.problems.error(self.path, number, f"{message}: the 2022 scorer takes no empty or surplus cells")

    def _refuse_empty_cells(self, cells: list[str]) -> None:
        stride = self.width + 1
        if len(self.names) != self.width and cells:
            message = "a column name stands twice in the header: the 2022 scorer takes no such file"
            self.problems.error(self.path, 1, message)
        for name, index in self.names.items():
            if name != "MISC" and "" in cells[index::stride]:
                message = f"a cell of column {name!r} is empty in or after this line"
                self.problems.error(self.path, self.line, f"{message}: the 2022 scorer takes no empty cells")

    def _begin(self) -> None:
        """Begin a document."""
        self.table = TokenTable([], {name: [] for name in self.wanted}, [0], dialect="hipe")
        self.id = ""
        self.metadata: dict[str, str] = {}
        self.segment_start = 0
        if self.date:
            self.table.dates.append((0, self.date))

    def _take(self, forms: list[str], columns: dict[str, list[str]], start: int, end: int) -> None:
        """Add tokens of the current block to the current document."""
        self.table.forms += forms[start:end]
        for name, cells in self.table.columns.items():
            cells += columns[name][start:end]

    def _note_comment(self, comment: str, token: int, number: int) -> None:
        """Let a comment before that token set the date or the document's id, or be metadata."""
        if not comment:
            return
        if comment.startswith(("# date", "# hipe2022:date")):
            self._set_date(comment, token, number)
        if self.want.mentions:
            self.table.comments.append((token, comment))
        if token == 0 and not comment.startswith("# segment"):
            key, equals, value = comment.lstrip("# ").partition("=")
            if equals:
                self.metadata[key.strip()] = value.strip()
                if comment.startswith(_DOCUMENT):
                    self.id = value.strip()

    def _set_date(self, comment: str, token: int, number: int) -> None:
        found = _DATE.search(comment)
        date = found.group() if found else _NO_DATE_FOUND
        try:
            read_day = datetime.date.fromisoformat if date.isascii() else _read_odd_day
            day = read_day(date)
        except ValueError:
            self.problems.error(self.path, number, f"there is no such day as {date}; expected a date YYYY-MM-DD")
            return
        self.date = date = day.isoformat()
        dates = self.table.dates
        if dates and dates[-1][0] == token:
            dates.pop()
        dates.append((token, date))

    def _number_lines(self, token: int, number: int) -> None:
        """Note that the token to come stands in the line of that number."""
        lines = self.table.lines
        if lines and lines[-1][0] == token:
            lines.pop()
        lines.append((token, number))

    def _finish(self) -> Document:
        """Close the current document and begin the next."""
        self.count += 1
        table = self.table
        if table.segments[-1] == len(table.forms):
            table.segments.pop()
        document = Document(self.id or str(self.count), metadata=self.metadata, table=table, source=self.path)
        if self.want.mentions:
            add_mentions(document, self.problems)
        self._begin()
        return document


def _read_odd_day(date: str) -> datetime.date:
    """Read a date with digits that are not ASCII; the scorer takes some of them."""
    return datetime.datetime.strptime(date, "%Y-%m-%d").date()


def _split_lines(block: str) -> tuple[str, list[_OtherLine]]:
    """Return the token lines of a block as one text, and the other lines with their places."""
    parts = _OTHER_LINE.split(f"\n{block}" if block.endswith("\n") else f"\n{block}\n")
    runs, lines = parts[::2], parts[1::2]
    before = list(accumulate(run.count("\n") for run in runs[:-1]))
    places = map(add, before, range(len(lines)))
    return "".join(runs)[1:-1], list(zip(before, places, lines, strict=True))


def _drop_hash_tokens(forms: list[str], columns: dict[str, list[str]], others: list[_OtherLine]) -> list[_OtherLine]:
    """Remove the tokens with a hash sign in place; return the other lines, theirs among them as blank ones."""
    keep = ["#" not in form for form in forms]
    before = [0, *accumulate(keep)]
    shifted = [(before[upto], offset, line) for upto, offset, line in others]
    starts = [upto for upto, _, _ in others]
    for row, kept in enumerate(keep):
        if not kept:
            shifted.append((before[row], row + bisect_right(starts, row), ""))
    for cells in (forms, *columns.values()):
        cells[:] = compress(cells, keep)
    return sorted(shifted, key=itemgetter(1))


FORMAT = Format(
    name="hipe",
    title="HIPE 2020/2022 TSV",
    read=read,
    sniff=sniff,
    suffixes=(".tsv",),
    write=write,
    options=HipeOptions,
    layers="mentions in named layers, ranked links, token cells, dates",
)
