"""Mentions as CorefUD compares them: the words they cover, their head and, if that is no word, what it depends on.

They are laid over words by the rows of a CorefUD table, or by the tokens or characters that their spans cover.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import NamedTuple

from karat.annotations.tokens import covered_tokens
from karat.errors import InputError
from karat.matching.fragments import Spans, joined
from karat.measures.ratios import harmonic, quotient
from karat.model import Document, Mention, Span, TokenTable
from karat.protocols.coreference.corefud.sentences import numbered, table_of

_NO_HEAD = -1
_NOTHING = ("", "_")

Runs = Spans
"""Words as half-open ranges of positions: in order, and never touching each other."""

Parent = tuple[int, str]
"""A word that something depends on: the number of its sentence and its id there."""


class Mark(NamedTuple):
    """A mention by the positions of its words; ``depends`` are the enhanced dependencies of a zero."""

    runs: Runs
    head: int
    mention: Mention
    zero: bool = False
    depends: frozenset[tuple[Parent, str]] = frozenset()

    @property
    def start(self) -> int:
        """The first word."""
        return self.runs[0][0]

    @property
    def end(self) -> int:
        """The position behind the last word."""
        return self.runs[-1][1]

    @property
    def size(self) -> int:
        """How many words there are."""
        return sum([end - start for start, end in self.runs])

    def key(self, match: str) -> Hashable:
        """Return what makes two mentions the same: their words and, where heads are matched, their head."""
        return (self.runs, self.head) if match == "head" else self.runs


def in_file_order(mark: Mark) -> tuple[int, int, int]:
    """Order mentions as they are read: by their first word, longer ones first, then by their last word."""
    return mark.start, -mark.size, mark.end


def in_text_order(mark: Mark) -> tuple[int, int, int]:
    """Order mentions as they are scored: by their first word, their last word and their size."""
    return mark.start, mark.end, mark.size


def runs_of(spans: Iterable[Span]) -> Runs:
    """Return the ranges in order without empty ones; ranges that touch or overlap are joined.

    >>> runs_of([(4, 5), (1, 2), (2, 3), (7, 7)])
    ((1, 3), (4, 5))
    """
    return joined([span for span in spans if span[0] < span[1]])


def likeness(left: Mark, right: Mark) -> float:
    """Return the similarity of the dependencies of two zeros: labelled parents weigh ten times as much as parents."""
    parents = [{parent for parent, _ in mark.depends} for mark in (left, right)]
    return 10 * _agreement(left.depends, right.depends) + _agreement(*parents)


def _agreement(left: frozenset[Hashable] | set[Parent], right: frozenset[Hashable] | set[Parent]) -> float:
    """Return the F1 of two sets, 0 if one of them is empty."""
    common = len(left & right)
    return float(harmonic(quotient(common, len(left)), quotient(common, len(right)))) if common else 0.0


Lay = Callable[[Mention], Mark]
"""Lays a mention over the words of its document; a mention that covers none has no runs."""


def has_rows(document: Document) -> bool:
    """Return whether a document is a CorefUD table: rows with ids, and mentions that name their rows."""
    if document.table is None or "ID" not in document.table.columns:
        return False
    return all("rows" in mention.attributes for mention in document.mentions)


def lay_rows(gold: Document, system: Document) -> tuple[Lay, Lay]:
    """Return the marks of mentions over the rows of CorefUD tables: words and empty nodes."""
    positions = numbered(gold, system)
    return _Rows(gold, positions[0]), _Rows(system, positions[1])


class Ranges:
    """Finds the rows of a table that a mention names, as half-open ranges."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.rows = {str(row): row for row in range(len(table_of(document).forms))}

    def __call__(self, mention: Mention) -> list[Span]:
        """Return the rows of a mention, which it names as ``17-19,21``."""
        ranges: list[Span] = []
        for part in filter(None, mention.attributes["rows"].split(",")):
            first, _, last = part.partition("-")
            ranges.append((self.row(mention, first), self.row(mention, last or first) + 1))
        return ranges

    def row(self, mention: Mention, text: str) -> int:
        """Return a row that a mention names, or refuse one that is not there."""
        row = self.rows.get(text)
        if row is not None:
            return row
        message = f"document {self.document.id!r}: mention {mention.id!r} names the row {text[:20]!r}"
        advice = f"expected a row of its table, 0 to {len(self.rows) - 1}"
        raise InputError(f"{message}; {advice}", path=self.document.source or None)


class _Rows:
    """Makes the marks of one CorefUD document; ``positions`` are those of its rows."""

    def __init__(self, document: Document, positions: Sequence[int]) -> None:
        self.positions, self.ranges = positions, Ranges(document)
        table = table_of(document)
        self.ids = table.columns["ID"]
        self.depends = table.columns.get("DEPS", ())
        self.sentences = table.segments

    def __call__(self, mention: Mention) -> Mark:
        ranges = self.ranges(mention)
        head = self._head(mention, ranges)
        runs = runs_of((self.positions[row], self.positions[row] + 1) for span in ranges for row in range(*span))
        if head == _NO_HEAD:
            return Mark(runs, head, mention)
        if "." not in self.ids[head]:
            return Mark(runs, self.positions[head], mention)
        return Mark(runs, self.positions[head], mention, zero=True, depends=self._depends(head))

    def _head(self, mention: Mention, ranges: Sequence[Span]) -> int:
        """Return the row of the head: the first one, if none is named."""
        named = mention.attributes.get("head")
        if named is not None:
            return self.ranges.row(mention, named)
        return min((start for start, _ in ranges), default=_NO_HEAD)

    def _depends(self, row: int) -> frozenset[tuple[Parent, str]]:
        """Return the enhanced dependencies of a row, such as ``8:nsubj|9.1:obj``."""
        cell = self.depends[row] if self.depends else ""
        if cell in _NOTHING:
            return frozenset()
        sentence = bisect_right(self.sentences, row)
        parts = (part.partition(":") for part in cell.split("|"))
        return frozenset(((sentence, parent), label) for parent, _, label in parts)


def lay_spans(gold: Document, system: Document) -> tuple[Lay, Lay]:
    """Return the marks of mentions over the tokens that their spans cover, or over characters if there are no tokens.

    The head of such a mention is its first word, and none is a zero.
    """
    if gold.text == system.text:
        lay = _covering(next(filter(None, map(_tokens, (gold, system))), None))
        return lay, lay
    tables = [_tokens(document) for document in (gold, system)]
    for document, table in zip((gold, system), tables, strict=True):
        if document.mentions and document.text and table is None:
            message = f"document {gold.id!r}: the texts of gold and system differ, and one of them has no tokens"
            raise InputError(f"{message}; both sides must annotate the same text", path=system.source or None)
    return _covering(tables[0]), _covering(tables[1])


def _tokens(document: Document) -> TokenTable | None:
    """Return the token table of a document if its tokens have offsets in the text."""
    table = document.table
    return table if table is not None and table.forms and len(table.starts) == len(table.forms) else None


def _covering(table: TokenTable | None) -> Lay:
    if table is None:
        return lambda mention: _mark(runs_of(mention.spans), mention)
    starts = table.starts
    ends = [start + len(form) for start, form in zip(starts, table.forms, strict=True)]

    def lay(mention: Mention) -> Mark:
        return _mark(runs_of(covered_tokens(span, starts, ends) for span in mention.spans), mention)

    return lay


def _mark(runs: Runs, mention: Mention) -> Mark:
    return Mark(runs, runs[0][0] if runs else _NO_HEAD, mention)
