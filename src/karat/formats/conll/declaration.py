"""Column files in the style of CoNLL: one token per line, tags in columns, a blank line after each segment.

Without a header the first column is the token and the last one the tag, which is the default layer: its
mentions have ``layer == ""``, its raw cells are the column ``TAG``; columns between are ``2``, ``3``, etc.

With the header of CoNLL-U Plus, ``# global.columns = FORM NE-COARSE-LIT …``, ``FORM`` or ``TOKEN`` is the
token, ``TAG`` the default layer, and every other column a tag layer of that name, except the columns of
CoNLL-U itself, whose cells are only kept, and ``NEL-LIT`` and ``NEL-METO``, which hold the links of the mentions in
``NE-COARSE-LIT`` and ``NE-COARSE-METO``; tokens that are linked outside of those are mentions of the layer ``NEL-LIT``
or ``NEL-METO``. ``MISC`` then has the white space between tokens (see :mod:`karat.annotations.columns`), and rows of
multiword tokens and empty nodes (an ``ID`` such as ``3-4`` or ``3.1``) are skipped, since words have their own rows.

Documents begin at ``# newdoc id = X`` or ``-DOCSTART-``; those without an id are numbered. Lines such as
``# meta::key = value`` are the metadata of a document; for other comments see
:meth:`~karat.formats.conll.layout.Layout.is_comment`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from karat.annotations.columns import (
    FORM,
    FORM_NAMES,
    GLUED_IN_CONLL,
    LINK_COLUMNS,
    MISC,
    TAG,
    gaps_in,
    linked_outside,
    links_in,
    tag_layer_of,
)
from karat.annotations.tag_schemes import (
    ColumnForm,
    Scheme,
    Shape,
    chunks_and_forms,
    decode,
    fitting_scheme,
    shapes,
)
from karat.annotations.tokens import NO_GAPS, join_tokens, line_of
from karat.formats.base import Format, Problems, Want, everything_but
from karat.formats.conll.layout import ANAPHORA, HEADER, ConllOptions, Layout, cut_row, document_marker, is_anaphora
from karat.formats.conll.rows import Sorter
from karat.formats.conll.write import write
from karat.formats.parts.conllu_tags import has_tags
from karat.formats.parts.dates import dates_in
from karat.formats.parts.token_tables import add_mention, segment_ranges
from karat.io import is_file, text_blocks
from karat.io.source import SourceFile
from karat.model import Document, TokenTable
from karat.settings import MORE, limit

__all__ = ["FORMAT", "ConllOptions", "read", "sniff"]

MAX_COLUMNS = limit(1_000)
"""Columns in a file; beyond it a line is prose or an attack, not a row."""

_BOM = "\ufeff"
_SNIFFED_ROWS = 50
_TAG_CELL = re.compile(r"O|[BIELSU](?:-\S+)?")
_EMPTY = Layout((FORM, TAG), 0, declared=False, tabbed=True)


def read(path: str, *, problems: Problems, want: Want, options: ConllOptions) -> Iterator[Document]:
    """Yield the documents of a column file.

    With the scheme ``auto`` a file is read twice, first for the tags of each column, if lines are wanted, so that it
    is said where a tag breaks it. What can be read only once (standard input, a pipe) is kept in memory.
    """
    return ConllReader(path, problems, want, options).documents()


def sniff(head: str) -> bool:
    """Tell whether the first characters of a file name its columns or are rows of tokens and tags."""
    head_lines = head.removeprefix(_BOM).replace("\r\n", "\n").split("\n")
    if len(head_lines) > 1:
        head_lines.pop()  # empty, or cut off
    rows = [cut_row(line) for line in head_lines if not _is_between(line) and document_marker(line) is None]
    if rows and rows[0][0] == "TOKEN" and any(cell.startswith("NE") for cell in rows[0]):
        return False  # HIPE's own header
    headers = [header[1] for line in head_lines if (header := HEADER.match(line))]
    if headers:
        return not is_anaphora(headers[0]) and "ID" not in headers[0].split()
    if has_tags(head):
        return False  # CoNLL-U with a tag in MISC
    del rows[_SNIFFED_ROWS:]
    if not rows:
        return any(line.startswith("-DOCSTART-") for line in head_lines)
    width = len(rows[0])
    if width < 2 or any(len(row) != width or any(" " in cell for cell in row) for row in rows):
        return False
    if width > 2 and all(row[0].isdecimal() for row in rows):
        return False  # numbered words of CoNLL-U Plus, whose header is missing
    tags = {row[-1] for row in rows}
    return all(map(_TAG_CELL.fullmatch, tags)) and any(tag == "O" or "-" in tag for tag in tags)


class ConllReader:
    """Reads one file document by document."""

    def __init__(self, path: str, problems: Problems, want: Want, options: ConllOptions) -> None:
        self.path, self.problems, self.want, self.options = path, problems, want, options

    def documents(self) -> Iterator[Document]:
        """Yield the documents as they end."""
        decodes = self.want.mentions and (self.want.lines or self.options.repair != "conlleval")
        guesses = decodes and self.options.scheme == "auto"
        if isinstance(self.path, SourceFile):
            self.path.rereads = guesses
        begun: list[str] = []
        blocks = _without_bom(text_blocks(self.path))
        layout = self._layout(_lines(_kept(blocks, begun)))
        if layout is None:
            return
        wanted = [name for name in layout.names if self.want.columns is None or name in self.want.columns]
        layers = {name: layer for name in wanted if (layer := tag_layer_of(name)) is not None}
        blocks = chain(begun, blocks)
        schemes = None
        if decodes and self.options.scheme != "auto":
            schemes = dict.fromkeys(layers, self.options.scheme)
        elif guesses:
            first, blocks = _twice(self.path, blocks)
            schemes = self._guessed_schemes(first, layout, layers)
        places = None if self.want.forms else [layout.names.index(name) for name in wanted if name not in FORM_NAMES]
        sorter = Sorter(self.path, layout, self.problems, places)
        for count, draft in enumerate(sorter.drafts(blocks), 1):
            columns = dict(zip(layout.names, draft.columns, strict=True))
            forms = draft.columns[layout.form] if self.want.forms else []
            lines = draft.lines if self.want.lines else []
            table = TokenTable(forms, segments=draft.segments, lines=lines, dialect="conll")
            table.columns = {name: columns[name] for name in wanted if name not in FORM_NAMES}
            document = Document(draft.id or str(count), metadata=draft.metadata, table=table, source=self.path)
            if self.want.mentions:
                table.comments = draft.comments
                table.dates = dates_in(table.comments)
                gaps = gaps_in(columns[MISC], GLUED_IN_CONLL) if layout.declared and MISC in columns else NO_GAPS
                document.text, table.starts = join_tokens(table.forms, gaps=gaps)
                self._add_mentions(document, table, layers, schemes)
            yield document

    def _layout(self, source: Iterator[str]) -> Layout | None:
        """Return the columns, from the header or the first row; None after an error."""
        names: list[str] | None = None
        line_number, row = 0, ""
        for line_number, line in enumerate(source, 1):
            if header := HEADER.match(line):
                names = header[1].split()
                if is_anaphora(header[1]):
                    self.problems.error(self.path, line_number, ANAPHORA)
                    return None
                if len(FORM_NAMES.intersection(names)) != 1 or len(set(names)) < len(names):
                    expected = "must name FORM (or TOKEN) once, and no other column twice"
                    header_names = header[1].strip()
                    self.problems.error(self.path, line_number, f"# global.columns {expected}; found {header_names!r}")
                    return None
            elif not _is_between(line) and document_marker(line) is None:
                row = line
                break
        tabbed = "\t" in row or not row
        if names is not None:
            form = next(index for index, name in enumerate(names) if name in FORM_NAMES)
            return Layout(tuple(names), form, declared=True, tabbed=tabbed)
        width = len(cut_row(row))
        if width == 1 or width > MAX_COLUMNS:
            expected = f"a token, its tag, and at most {MAX_COLUMNS:,} columns" + (f", {MORE}" if width > 1 else "")
            size = f"{width:,} column{'s' if width > 1 else ''} ({row[:40]!r})"
            self.problems.error(self.path, line_number, f"the first row has {size}; expected {expected}")
            return None
        between = map(str, range(2, width))
        self.problems.has("conll", [f"rows of {width} columns"] if row else ())
        return Layout((FORM, *between, TAG), 0, declared=False, tabbed=tabbed) if row else _EMPTY

    def _guessed_schemes(self, blocks: Iterable[str], layout: Layout, layers: dict[str, str]) -> dict[str, Scheme]:
        """Return the scheme that fits each tag column best, determined in a separate pass over the file."""
        counts: dict[str, Counter[Shape]] = {name: Counter() for name in layers}
        places = {name: layout.names.index(name) for name in layers}
        sorter = Sorter(self.path, layout, Problems(collect=True), looked_at=places.values())
        for draft in sorter.drafts(blocks):
            for start, end in segment_ranges(draft.segments, draft.size):
                for name, place in places.items():
                    counts[name].update(shapes(draft.columns[place][start:end]))
        return {name: fitting_scheme(counts[name]) for name in layers}

    def _add_mentions(
        self,
        document: Document,
        table: TokenTable,
        layers: dict[str, str],
        schemes: dict[str, Scheme] | None,
    ) -> None:
        """Add the mentions of the tag columns, segment by segment."""
        for name, layer in layers.items():
            tags = table.columns[name]
            links = table.columns.get(LINK_COLUMNS.get(name, ""))
            chunks = self._counted(table, name) if schemes is None else self._decoded(table, name, schemes[name])
            for start, end, label in chunks:
                linked = links_in(links[start]) if links else ()
                add_mention(document, table, (start, end), (label,), layer, linked)
            if links:
                for tokens in linked_outside(tags, links):
                    add_mention(document, table, tokens, (), LINK_COLUMNS[name], links_in(links[tokens[0]]))

    def _decoded(self, table: TokenTable, name: str, scheme: Scheme) -> Iterator[tuple[int, int, str]]:
        """Yield the chunks of a column, and report every tag that breaks the scheme with its line."""
        tags = table.columns[name]
        for first, past in segment_ranges(table.segments, len(tags)):
            chunks, repairs = decode(tags[first:past], scheme, self.options.repair)
            for repair in repairs:
                line_number, message = line_of(table, first + repair.token), f"column {name}: {repair.message}"
                if repair.is_error:
                    repairs_left = "conlleval or discard" if self.options.repair == "strict" else "conlleval"
                    fix = f"correct it, or choose another scheme or the repair {repairs_left}"
                    self.problems.error(self.path, line_number, f"{message}; {fix}")
                else:
                    self.problems.repair(self.path, line_number, message)
            for start, end, label in chunks:
                yield first + start, first + end, label

    def _counted(self, table: TokenTable, name: str) -> Sequence[tuple[int, int, str]]:
        """Return the chunks of a column, and count their shapes; used where lines are not reported.

        No scheme moves a chunk, so the file need not be read for its scheme first.
        """
        chunks, forms = chunks_and_forms(table.columns[name], table.segments)
        for form, times in Counter(forms).items():
            self.problems.tags[ColumnForm(name, self.options.scheme, form)] += times
        return chunks


def _kept(blocks: Iterator[str], begun: list[str]) -> Iterator[str]:
    """Yield blocks, and keep them for a second reading from the start."""
    for block in blocks:
        begun.append(block)
        yield block


def _twice(path: str, blocks: Iterator[str]) -> tuple[Iterator[str], Iterator[str]]:
    """Return the blocks of a file for two readings; what is not a regular file is kept in memory."""
    if not is_file(path):
        held = list(blocks)
        return iter(held), iter(held)
    return blocks, _from_the_start(path)


def _from_the_start(path: str) -> Iterator[str]:
    if isinstance(path, SourceFile):
        path.rereads = False
    yield from _without_bom(text_blocks(path))


def _lines(blocks: Iterable[str]) -> Iterator[str]:
    """Yield lines one at a time: looking for the first row needs few, but a block has thousands."""
    for block in blocks:
        begin = 0
        while (end := block.find("\n", begin)) >= 0:
            yield block[begin:end]
            begin = end + 1
        if begin < len(block):
            yield block[begin:]


def _without_bom(source: Iterator[str]) -> Iterator[str]:
    yield next(source, "").removeprefix(_BOM)
    yield from source


def _is_between(line: str) -> bool:
    """Tell whether a line is blank or may be a comment, under any layout."""
    return not line or line.isspace() or (line[0] == "#" and "\t" not in line)


FORMAT = Format(
    name="conll",
    title="CoNLL columns: a token and its tags a line (IOB, BIOES, BILOU), with or without a header",
    known_by="rows of a token and its tags, or a line `# global.columns` with `FORM`",
    read=read,
    write=write,
    sniff=sniff,
    suffixes=(".conll", ".conllup", ".iob", ".iob2", ".bio", ".bioes"),
    options=ConllOptions,
    keeps=everything_but("attributes", "chains", "fragments", "notes", "relations", "scores", "unplaced"),
    layers="mentions without overlap in each tag column, tokens, segments",
)
