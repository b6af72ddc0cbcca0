"""HIPE TSV: one token per line, one annotation layer per column, documents and segments marked by comments.

Read as the HIPE scorer does: a comment closes a segment or a document only if tokens came before it, a date
applies until the next one, and ``S-``/``E-`` tags are read as ``B-``/``I-``. The scorer of June 2020 interpreted
less; the option ``revision`` selects it. Comments between the last token of a document and the line that begins the
next belong to the next.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from karat.annotations.columns import (
    GLUED_IN_HIPE,
    HASH_TOKENS,
    LINK_COLUMNS,
    MISC,
    gaps_in,
    labelled_spans,
    linked_outside,
    links_in,
)
from karat.annotations.faults import shown
from karat.annotations.tokens import join_tokens, line_of
from karat.errors import InputError, many
from karat.formats.base import Format, Problems, Want, everything_but
from karat.formats.hipe.blocks import Block, Cutter, has_tokens
from karat.formats.parts.dates import DATE_LINES
from karat.formats.parts.token_tables import add_mention
from karat.formats.parts.unread_names import NearNames
from karat.io import text_blocks
from karat.model import Document, TokenTable
from karat.settings import choice

COLUMNS = (
    *("NE-COARSE-LIT", "NE-COARSE-METO", "NE-FINE-LIT", "NE-FINE-METO", "NE-FINE-COMP", "NE-NESTED"),
    *("NEL-LIT", "NEL-METO", MISC),
)
"""The columns behind TOKEN, in the order of the shared tasks."""
_BOM = "\ufeff"
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
DOCUMENT_LINES = ("# document", "# hipe2022:document_id")
_MARKS = {"later": DOCUMENT_LINES, "2020": DOCUMENT_LINES[:1]}
_NO_DATE_FOUND = "2022-01-01"


@dataclass(frozen=True)
class HipeFileOptions:
    """How strictly a HIPE file is read."""

    rows: str = choice(
        ("pad", "full"), "a row with empty or missing cells: fill it up, or refuse the file as the 2022 scorer did"
    )
    hash_tokens: str = choice(
        ("keep", "drop"), "tokens that contain '#': keep them, or drop them as the current scorer does"
    )
    last_document: str = choice(
        ("keep", "lose"),
        "the last document of a file that ends in an empty segment: keep it, or lose it as the scorer does",
    )
    bom: str = choice(("skip", "refuse"), "a byte order mark: skip it, or refuse the file as the scorer does")
    revision: str = choice(
        ("later", "2020"),
        "read as the scorer does today, or as that of June 2020 did: no column MISC is needed, S- and E- tags are not "
        "converted, short rows are filled up, surplus cells refused, and no mark of HIPE-2022 begins a document",
    )


def read(path: str, *, problems: Problems, want: Want, options: HipeFileOptions) -> Iterator[Document]:
    """Yield the documents of a HIPE file; documents without tokens are skipped."""
    return _Reader(path, problems, want, options).documents(text_blocks(path))


def read_text(text: str, path: str, *, problems: Problems, want: Want, options: HipeFileOptions) -> Iterator[Document]:
    """Yield the documents of a HIPE file whose text was read, and possibly changed, before."""
    return _Reader(path, problems, want, options).documents(iter([text]))


def write(documents: Iterable[Document], options: HipeFileOptions) -> Iterator[str]:
    """Yield the text of one HIPE file with all documents."""
    from karat.formats.hipe.write import write as written

    del options
    return written(documents)


def sniff(head: str) -> bool:
    """Tell whether the first line is a HIPE header: TOKEN among tab-separated names."""
    header = head.removeprefix(_BOM).split("\n", 1)[0].rstrip("\r").split("\t")
    return "TOKEN" in header and len(header) > 1


class _Reader:
    """Assigns the lines of a file to documents."""

    def __init__(self, path: str, problems: Problems, want: Want, options: HipeFileOptions) -> None:
        self.path, self.problems, self.want, self.options = path, problems, want, options
        self.line = 1  # the number of the first line of the current block
        self.date = ""
        self.count = 0
        self.wanted: list[str] = []
        self.segment_start = 0
        self.marks = _MARKS[options.revision]
        self.unknown_marks = 0
        self.fault: InputError | None = None  # of the header; it matters only if there are tokens
        self._begin()

    def documents(self, blocks: Iterator[str]) -> Iterator[Document]:
        """Yield the documents as they are closed; ``blocks`` of text end at line ends."""
        header, _, rest = next(blocks, "").partition("\n")
        cutter = self._read_header(header)
        self.line = 2
        self._begin()
        if self.want.lines:
            self._number_lines(0, self.line)
        for text in filter(None, chain([rest], blocks)):
            if self.fault is None:
                block = cutter.cut(text, self.line)
                yield from self._read_block(block)
                self.line += block.lines
            elif has_tokens(text):
                raise self.fault
        length = len(self.table.forms)
        if length > (self.segment_start if self.options.last_document == "lose" else 0):
            yield self._finish()
        if any(cutter.converted.values()):
            starts, ends = cutter.converted.values()
            message = f"Converted {starts} S-tags and {ends} E-tags."
            self.problems.repair(self.path, None, message, once="converted tags")
        if self.unknown_marks:
            message = f"{many(self.unknown_marks, 'line')} of HIPE-2022 that would begin a document"
            message += " did not, as for the scorer of June 2020"
            self.problems.repair(self.path, None, message, once="unknown marks")

    def _read_header(self, line: str) -> Cutter:
        if line.startswith(_BOM):
            if self.options.bom == "refuse":
                message = "the file begins with a byte order mark, so its first column is not TOKEN"
                self.fault = InputError(f"{message}; save it as UTF-8 without BOM", path=self.path, line=1)
            line = line.removeprefix(_BOM)
        header = line.split("\t")
        for needed in ("TOKEN", "MISC"):
            if needed not in header and (needed, self.options.revision) != ("MISC", "2020"):
                problem = f"the header has no column {needed}" if line else "the first line is blank"
                expected = "expected tab-separated names such as TOKEN, NE-COARSE-LIT, MISC"
                self.fault = InputError(f"{problem}; {expected}", path=self.path, line=1)
        self._tell_misspelt(header)
        asked = self.want.columns
        if asked is not None and self.want.texts:
            asked |= {MISC}
        self.wanted = [name for name in dict.fromkeys(header) if name != "TOKEN" and (asked is None or name in asked)]
        return Cutter(self.path, self.problems, self.options, header, self.wanted)

    def _tell_misspelt(self, header: list[str]) -> None:
        """Report columns with nearly the name of one that the file lacks, once per file."""
        near = NearNames(COLUMNS)
        near.look(header)
        for name, meant in near.counts:
            message = f"the column {shown(name)} is not known; did you mean {meant}?"
            self.problems.repair(self.path, None, message, once=f"column {name}")

    def _read_block(self, block: Block) -> Iterator[Document]:
        """Add the tokens of a block to the current document, which the lines between them may close."""
        plain = not (self.want.lines or self.want.mentions)
        taken = 0
        token_offset = len(self.table.forms)
        for upto, offset, line in block.others:
            token = token_offset + upto
            if line.startswith("# segment"):
                if token > self.segment_start:
                    self.table.segments.append(token)
                    self.segment_start = token
                if plain:
                    continue
            elif line.startswith(self.marks) and token > self.segment_start:
                self._take(block, taken, upto)
                taken, token_offset = upto, -upto
                ahead = self._comments_ahead(token)
                yield self._finish()
                token = 0
                for comment in ahead:
                    self._keep_comment(comment, token)
            if self.want.lines:
                self._number_lines(token, self.line + offset + 1)
            if line:
                self._note_comment(line.split("\t", 1)[0], token, self.line + offset)
        self._take(block, taken, len(block.forms))

    def _begin(self) -> None:
        """Begin a document."""
        self.table = TokenTable([], {name: [] for name in self.wanted}, [0], dialect="hipe")
        if self.options.hash_tokens == "drop":
            self.table.filters.append(HASH_TOKENS)
        self.id = ""
        self.metadata: dict[str, str] = {}
        self.latest: list[tuple[int, str]] = []  # the comments before one and the same token
        self.segment_start = 0
        if self.date:
            self.table.dates.append((0, self.date))

    def _take(self, block: Block, start: int, end: int) -> None:
        """Add tokens of a block to the current document."""
        self.table.forms += block.forms[start:end]  # type: ignore[operator]
        for name, cells in self.table.columns.items():
            cells += block.columns[name][start:end]  # type: ignore[operator]

    def _note_comment(self, comment: str, token: int, line_number: int) -> None:
        """Interpret a comment before that token: a date, the document's id, or metadata."""
        if not comment:
            return
        if comment.startswith(DATE_LINES):
            self._set_date(comment, token, line_number)
        elif token > self.segment_start and comment.startswith(DOCUMENT_LINES):
            self.unknown_marks += 1
        self._keep_comment(comment, token)

    def _comments_ahead(self, end: int) -> list[str]:
        """Remove and return the comments after the last token, before the line that begins the next document."""
        comments, dates = self.table.comments, self.table.dates
        while comments and comments[-1][0] == end:
            comments.pop()
        while dates and dates[-1][0] == end:
            dates.pop()
        return [comment for token, comment in self.latest if token == end]

    def _keep_comment(self, comment: str, token: int) -> None:
        """Keep a comment; one before the first token may be metadata, or the id of the document."""
        if self.latest and self.latest[-1][0] != token:
            self.latest.clear()
        self.latest.append((token, comment))
        if self.want.mentions:
            self.table.comments.append((token, comment))
        if token == 0 and not comment.startswith("# segment"):
            key, equals, value = comment.lstrip("# ").partition("=")
            if equals:
                self.metadata[key.strip()] = value.strip()
                if comment.startswith(self.marks):
                    self.id = value.strip()

    def _set_date(self, comment: str, token: int, line_number: int) -> None:
        match = _DATE.search(comment)
        date = match.group() if match else _NO_DATE_FOUND
        try:
            read_day = datetime.date.fromisoformat if date.isascii() else _read_odd_day
            day = read_day(date)
        except ValueError:
            report = self.problems.repair if self.options.revision == "2020" else self.problems.error
            report(self.path, line_number, f"there is no such date as {date}; expected a date YYYY-MM-DD")
            return
        self.date = date = day.isoformat()
        dates = self.table.dates
        if dates and dates[-1][0] == token:
            dates.pop()
        dates.append((token, date))

    def _number_lines(self, token: int, line_number: int) -> None:
        """Record the line number of the next token."""
        lines = self.table.lines
        if lines and lines[-1][0] == token:
            lines.pop()
        lines.append((token, line_number))

    def _finish(self) -> Document:
        """Close the current document and begin the next."""
        self.count += 1
        table = self.table
        if table.segments[-1] == len(table.forms):
            table.segments.pop()
        document = Document(self.id or str(self.count), metadata=self.metadata, table=table, source=self.path)
        if self.want.mentions or self.want.texts:
            gaps = gaps_in(table.columns.get(MISC, ()), GLUED_IN_HIPE)
            document.text, table.starts = join_tokens(table.forms, gaps=gaps)
        if self.want.mentions:
            _add_mentions(document, table, self.problems)
        self._begin()
        return document


def _read_odd_day(date: str) -> datetime.date:
    """Return a date with digits that are not ASCII, some of which the scorer accepts."""
    return datetime.datetime.strptime(date, "%Y-%m-%d").date()


def _add_mentions(document: Document, table: TokenTable, problems: Problems) -> None:
    """Add the mentions of the columns to a document that has its text.

    Each column of tags is a layer. The links of an entity are those of its first token; tokens that are linked
    outside of entities are mentions of the column of links, one for each run of equal links. A cell without a
    label is not a mention, and is reported.
    """

    def report(token: int, message: str) -> None:
        problems.repair(document.source, line_of(table, token), message)

    for name, cells in table.columns.items():
        if not name.startswith("NE-"):
            continue
        links = table.columns.get(LINK_COLUMNS[name]) if name in LINK_COLUMNS else None
        for type_, start, end in labelled_spans(cells):
            cell = cells[start]
            if not type_:
                report(start, f"column {name}: {cell!r} is not a tag; expected O, B-label or I-label")
                continue
            if cell[:1].upper() != "B":
                report(start, f"column {name}: {cell!r} begins an entity; expected B-{cell[2:]}")
            linked = links_in(links[start]) if links else ()
            add_mention(document, table, (start, end), (cell[2:],), name, linked)
        if links:
            for tokens in linked_outside(cells, links):
                add_mention(document, table, tokens, (), LINK_COLUMNS[name], links_in(links[tokens[0]]))


FORMAT = Format(
    name="hipe",
    title="HIPE 2020/2022 TSV",
    known_by="a first line of columns with `TOKEN`, such as `NE-COARSE-LIT` and `NEL-LIT`",
    read=read,
    sniff=sniff,
    suffixes=(".tsv",),
    write=write,
    options=HipeFileOptions,
    keeps=everything_but("attributes", "chains", "fragments", "notes", "relations", "scores", "unplaced"),
    layers="mentions in named layers, ranked links, token cells, dates",
)
