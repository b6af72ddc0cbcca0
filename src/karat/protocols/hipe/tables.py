"""Token tables of HIPE: the tokens that count, the entities of a slice, and the alignment of gold and system tables.

HIPE filters tokens before it reads entities off the columns, so this works on raw cells. A system's tables must have
the documents, the segments and the length of the gold's.
"""

from __future__ import annotations

import datetime
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, compress, pairwise, zip_longest
from typing import TypeVar

import msgspec

from karat.annotations.columns import HASH_TOKENS, OUTSIDE
from karat.annotations.tokens import line_of
from karat.errors import InputError
from karat.evaluation.pairing import TakeNote
from karat.evaluation.protocol import Pair
from karat.model import Document, Span, TokenTable
from karat.protocols.hipe.entities import ColumnEntities, ColumnEntity, Conflict, link_entities, ner_entities
from karat.protocols.hipe.judge import TokenSource
from karat.protocols.hipe.options import HipeColumn, HipeOptions, Slice

T = TypeVar("T")

_MISFIT = "the system file does not fit the gold"
_NEEDED = "it must have the same tokens in the same documents and segments"
_NOISE = r"LED(\d+(?:\.\d+)?)"


def is_table(document: Document) -> bool:
    """Return whether a document has the raw cells of a HIPE file."""
    return document.table is not None and document.table.dialect == "hipe"


def token_table(document: Document) -> TokenTable:
    """Return the token table of a document that has one."""
    assert document.table is not None  # noqa: S101 - only called on documents with tables
    return document.table


def kept(documents: Iterable[Document], options: HipeOptions) -> Iterator[Document]:
    """Yield the documents with the options for tokens and cells applied; documents that lose all tokens are dropped."""
    drops = options.rules.hash_tokens == "drop"
    for document in documents:
        prepared = _without_hash_tokens(document) if drops else document
        if drops and not token_table(prepared).forms:
            continue
        for pair in options.glue:
            prepared = _glued(prepared, *pair)
        yield prepared


class TablePair:
    """A gold table with the system's; entities are read off the cells of the tokens that a slice keeps."""

    def __init__(self, gold: Document, system: Document, columns: Sequence[HipeColumn], options: HipeOptions) -> None:
        if options.rules.odd_cells == "refuse":
            for column in columns:
                _refuse_odd_cells((gold, system), column.bounds or column.name)
        self.gold, self.system, self.options = gold, system, options
        self.places = (TokenSource(gold.source, token_table(gold)), TokenSource(system.source, token_table(system)))

    def entities(self, column: HipeColumn, part: Slice) -> ColumnEntities:
        """Return the tokens and the entities of a column in a slice."""
        mask = token_mask(self.gold, part)
        forms = tuple(_masked(token_table(document).forms, mask) for document in (self.gold, self.system))
        notes: list[str] = []
        gold = self._read(self.gold, column, mask, Conflict(notes.append, split=False))
        system = self._read(self.system, column, mask, Conflict(notes.append, split=True))
        characters = [_masked(_characters(document), mask) for document in (self.gold, self.system)]
        return ColumnEntities((forms[0], forms[1]), gold, system, notes, (characters[0], characters[1]))

    def _read(
        self, document: Document, column: HipeColumn, mask: Sequence[bool] | None, conflict: Conflict
    ) -> list[ColumnEntity]:
        cells = _masked(_cells(document, column.name), mask)
        if column.bounds is None:
            return ner_entities(cells)
        rule = self.options.spans
        bounds = None
        if rule == "ner" or (rule == "fixed" and column.bounds in token_table(document).columns):
            bounds = _masked(_cells(document, column.bounds), mask)
        return link_entities(cells, bounds, rule, conflict)


def _cells(document: Document, column: str) -> Sequence[str]:
    table = token_table(document)
    if column not in table.columns:
        known = ", ".join(table.columns) or "none"
        message = f"column {column} is missing; the evaluation needs it (there are: {known})"
        raise InputError(message, path=document.source, line=1)
    return table.columns[column]


def _characters(document: Document) -> Sequence[Span]:
    """Return the offsets of the tokens in the text, if they were read."""
    table = token_table(document)
    return [(start, start + len(form)) for start, form in zip(table.starts, table.forms, strict=bool(table.starts))]


def _with_table(document: Document, table: TokenTable) -> Document:
    return Document(document.id, document.text, metadata=document.metadata, table=table, source=document.source)


def _without_hash_tokens(document: Document) -> Document:
    """Return the document without tokens that contain a hash sign; segments without tokens are dropped."""
    table = token_table(document)
    if HASH_TOKENS in table.filters or "#" not in "".join(table.forms):
        return document
    mask = ["#" not in form for form in table.forms]
    kept_before = [0, *accumulate(mask)]
    kept = TokenTable(
        forms=list(compress(table.forms, mask)),
        columns={name: list(compress(cells, mask)) for name, cells in table.columns.items()},
        segments=sorted({kept_before[start] for start in table.segments} - {kept_before[-1]}),
        starts=list(compress(table.starts, mask)),
        dates=[(kept_before[start], date) for start, date in table.dates],
        dialect=table.dialect,
    )
    return _with_table(document, kept)


def _glued(document: Document, first: str, second: str) -> Document:
    """Return the document with the label of one column in front of another's, wherever the other has one."""
    right = _cells(document, second)
    glued = list(right)
    for index, cell in enumerate(right):
        if cell == OUTSIDE:
            continue
        front = _cells(document, first)[index]
        parts, tail = front.split("-"), cell.split("-")
        if len(parts) != 2 or len(tail) != 2:
            message = f"cannot glue {front!r} ({first}) and {cell!r} ({second}): both must look like B-label"
            raise InputError(message, path=document.source, line=line_of(token_table(document), index))
        glued[index] = f"{tail[0]}-{parts[1]}.{tail[1]}"
    table = token_table(document)
    return _with_table(document, msgspec.structs.replace(table, columns={**table.columns, second: glued}))


def _refuse_odd_cells(documents: Sequence[Document], column: str) -> None:
    """Refuse cells that are neither ``O`` nor hold a label, such as ``_``; the scorer makes entities of them."""
    for document in documents:
        cells = token_table(document).columns.get(column, [])
        odd = {cell for cell in set(cells) if cell.upper() != OUTSIDE and not cell[2:]}
        if odd:
            index = next(index for index, cell in enumerate(cells) if cell in odd)
            message = f"column {column}: {cells[index]!r} is not a tag; expected O, B-label or I-label"
            raise InputError(message, path=document.source, line=line_of(token_table(document), index))


def token_mask(document: Document, part: Slice) -> list[bool] | None:
    """Return which tokens of a gold document belong to a slice, or None if all do."""
    mask: list[bool] | None = None
    if part.level is not None:
        misc = _cells(document, "MISC")
        held = {cell: part.level.holds(noise_of(cell)) for cell in set(misc)}
        mask = [held[cell] for cell in misc]
    if part.period is not None:
        mask = both_masks(mask, [part.period.holds(date) for date in _dates(document)])
    return mask


def both_masks(mask: list[bool] | None, other: list[bool] | None) -> list[bool] | None:
    """Return which tokens both masks keep; None is a mask that keeps all."""
    if mask is None or other is None:
        return other if mask is None else mask
    return [left and right for left, right in zip(mask, other, strict=True)]


def noise_of(misc: str) -> float | None:
    """Return the OCR noise that a MISC cell states.

    >>> noise_of("NoSpaceAfter|LED0.25"), noise_of("_")
    (0.25, None)
    """
    stated = re.search(_NOISE, misc)
    return float(stated.group(1)) if stated else None


def _dates(document: Document) -> Iterator[datetime.date]:
    table = token_table(document)
    changes = dict(table.dates)
    if 0 not in changes:
        message = f"document {document.id!r} has no date; add a line such as '# date = 1798-01-20' before its tokens"
        raise InputError(message, path=document.source, line=line_of(token_table(document), 0))
    date = datetime.date.min
    for index in range(len(table.forms)):
        if index in changes:
            date = datetime.date.fromisoformat(changes[index])
        yield date


def _masked(cells: Sequence[T], mask: Sequence[bool] | None) -> Sequence[T]:
    return cells if mask is None else list(compress(cells, mask))


def is_cut(sizes: tuple[int, int]) -> bool:
    """Return whether the system has one document for several of the gold, so that it is cut as the gold is."""
    golds, systems = sizes
    return systems == 1 != golds


def by_position(
    gold: Iterable[Document], system: Iterable[Document], other_tokens: int, note: TakeNote, *, cut: bool
) -> Iterator[Pair]:
    """Pair gold and system documents in their order; each system document is as long as its gold document.

    A system file without document marks is ``cut`` as the gold is, and accepted if at most ``other_tokens`` distinct
    tokens differ. As in the published program, tokens are not compared otherwise.
    """
    if cut:
        yield from _cut(gold, next(iter(system)), other_tokens, note)
        return
    golds, systems = iter(gold), iter(system)
    for count, (left, right) in enumerate(zip_longest(golds, systems)):
        if left is not None and right is not None and _outline(left) == _outline(right):
            yield left, right
            continue
        sizes = [count + (side is not None) + sum(1 for _ in rest) for side, rest in ((left, golds), (right, systems))]
        if left is not None and right is not None and sizes[0] == sizes[1]:
            raise _mismatch(left, right)
        message = f"{_MISFIT}: it has {sizes[1]} documents, the gold {sizes[0]}; {_NEEDED}"
        raise InputError(message, path=None if right is None else right.source)


def _outline(document: Document) -> tuple[Sequence[int], int]:
    """Return the starts of the segments of a document and its length, by which documents are compared quickly."""
    table = token_table(document)
    return table.segments or [0], len(table.forms)


def _segments(table: TokenTable) -> list[tuple[int, int]]:
    return list(pairwise([*(table.segments or [0]), len(table.forms)]))


def _mismatch(gold: Document, system: Document) -> InputError:
    """Return the error for documents of different structure, with the first line where they differ."""
    table = token_table(system)
    segments = _segments(table)
    given, wanted = ([end - start for start, end in spans] for spans in (segments, _segments(token_table(gold))))
    where = f"{_MISFIT} in document {gold.id!r}"
    if len(wanted) != len(given):
        message = f"{where}: {len(given)} segments instead of {len(wanted)}; {_NEEDED}"
        return InputError(message, path=system.source)
    lengths = enumerate(zip(given, wanted, strict=True))
    segment = next(index for index, (length, right) in lengths if length != right)
    message = f"{where}: segment {segment + 1} has {given[segment]} tokens instead of {wanted[segment]}; {_NEEDED}"
    return InputError(message, path=system.source, line=line_of(table, segments[segment][0]))


def _cut(gold: Iterable[Document], system: Document, other_tokens: int, note: TakeNote) -> Iterator[Pair]:
    """Cut the first segment of a system file without document marks into the documents and segments of the gold."""
    table = token_table(system)
    length = _segments(table)[0][1]
    confusions: Counter[tuple[str, str]] = Counter()
    position = 0
    for document_number, document in enumerate(gold, 1):
        target = token_table(document)
        begin = position
        for start, end in _segments(target):
            piece = table.forms[position : min(position + end - start, length)]
            _check_length(piece, target.forms[start:end], system.source, document_number)
            if piece != target.forms[start:end]:
                _compare(piece, target.forms[start:end], confusions, other_tokens, system.source, note)
            position += end - start
        columns = {name: cells[begin:position] for name, cells in table.columns.items()}
        part = TokenTable(table.forms[begin:position], columns, list(target.segments), dialect=table.dialect)
        yield document, Document(document.id, table=part, source=system.source)


def _check_length(piece: Sequence[str], wanted: Sequence[str], path: str, position: int) -> None:
    if len(piece) < len(wanted):
        raise InputError(
            "the system file has only one document, which is cut up as the gold is, and its first segment ends after "
            f"{len(piece)} of "
            f"{len(wanted)} tokens of a segment in gold document {position}; give it all tokens of the gold, or its "
            "document and segment lines",
            path=path,
        )


def _compare(
    piece: Sequence[str],
    wanted: Sequence[str],
    confusions: Counter[tuple[str, str]],
    other_tokens: int,
    path: str,
    note: TakeNote,
) -> None:
    """Accept a few different tokens in a part of the system file, with the words of the scorer's log."""
    note(f"Different tokens in GS ({len(wanted)} tokens in total) and system output ({len(piece)} tokens in total): ")
    note("Given equal length documents, trying to patch system response tokens with GS tokens...")
    for given, expected in zip(piece, wanted, strict=True):
        if given != expected:
            confusions[given, expected] += 1
            if len(confusions) > other_tokens:
                kinds = f"more than {other_tokens} kinds of tokens" if other_tokens else "there are tokens that"
                raise InputError(
                    f"{kinds} differ from the gold (such as {given!r} for {expected!r}); the system file must have the "
                    "tokens of the gold, or its document and segment lines",
                    path=path,
                )
    note(f"Patched {confusions.total()} tokens: {confusions}")
