"""Mentions as Universal Anaphora compares them: the words they cover, part by part, or the place of a zero."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable
from itertools import accumulate
from typing import NamedTuple

from karat.annotations.tokens import line_of
from karat.errors import InputError
from karat.model import Document, Mention, Span, TokenTable
from karat.protocols.coreference.corefud.marks import Runs, runs_of
from karat.protocols.coreference.corefud.sentences import table_of
from karat.protocols.coreference.corefud.words import Ranges, has_rows, lay_spans

MIN = "Min"
_CORE = re.compile(r"([0-9]{1,9})(?:,([0-9]{1,9})(?:,.*)?)?")


class AnaphoraMark(NamedTuple):
    """A mention laid over the words of its document; ``parts`` are its ranges of words as they were written."""

    key: Hashable
    """What makes two mentions the same: their words or, if they have none, the place of their empty nodes."""
    mention: Mention
    runs: Runs = ()
    parts: tuple[Span, ...] = ()

    @property
    def is_zero(self) -> bool:
        """Whether it covers no word."""
        return not self.runs

    @property
    def size(self) -> int:
        """How many words there are."""
        return sum([end - start for start, end in self.runs])

    @property
    def reach(self) -> tuple[int, int, int]:
        """How mentions are ordered: by their first word, their last word and their size."""
        return self.runs[0][0], self.runs[-1][1], self.size

    def core(self, document: Document) -> Span | None:
        """Return the words that a mention must cover to be taken for this one, as its ``Min`` says."""
        text = self.mention.attributes.get(MIN)
        if text is None:
            return None
        match = _CORE.fullmatch(text)
        if not match:
            message = f"document {document.id!r}: the {MIN} of mention {self.mention.id!r} is {text[:20]!r}"
            raise InputError(f"{message}; expected words such as 4 or 4,5", path=document.source or None)
        core = int(match[1]) - 1, int(match[2] or match[1])
        return core if core[0] < core[1] else None


Lay = Callable[[Mention], AnaphoraMark]
"""Lays a mention over the words of its document."""


def laid(gold: Document, system: Document) -> tuple[Lay, Lay]:
    """Return how the mentions of both sides are laid over the same words."""
    if has_rows(gold) and has_rows(system):
        check_words(gold, system)
        return _Rows(gold), _Rows(system)
    golds, systems = lay_spans(gold, system)

    def mark_by(lay: Callable[..., object]) -> Lay:
        return lambda mention: _covering(mention, lay(mention).runs)  # type: ignore[attr-defined]

    return mark_by(golds), mark_by(systems)


def _covering(mention: Mention, runs: Runs) -> AnaphoraMark:
    return AnaphoraMark(runs or ("zero", mention.spans), mention, runs, runs)


class _Rows:
    """Lays the mentions of a document with rows; empty nodes are counted from the word before them."""

    def __init__(self, document: Document) -> None:
        self.ranges = Ranges(document)
        is_word = [not is_empty for is_empty in _empty_nodes(table_of(document))]
        self.before = [0, *accumulate(is_word)]
        self.last_word = [0, *accumulate((row + 1 if word else 0 for row, word in enumerate(is_word)), max)]

    def __call__(self, mention: Mention) -> AnaphoraMark:
        rows = self.ranges(mention)
        parts = tuple([(self.before[first], self.before[end]) for first, end in rows])
        runs = runs_of(parts)
        if runs:
            return AnaphoraMark(runs, mention, runs, parts)
        places = [(self.before[first], first - self.last_word[first], end - first) for first, end in rows]
        return AnaphoraMark(("zero", tuple(places)), mention)


def _empty_nodes(table: TokenTable) -> list[bool]:
    return ["." in name for name in table.columns["ID"]]


def check_words(gold: Document, system: Document) -> None:
    """Refuse a system document that has not the words of the gold; empty nodes may differ."""
    wanted, given = _words(gold), _words(system)
    for (_, form), (row, other) in zip(wanted, given, strict=False):
        if form != other:
            message = f"document {gold.id!r}: the word {other!r} stands where the gold has {form!r}"
            advice = "gold and system must have the same words, only empty nodes may differ"
            line = line_of(table_of(system), row)
            raise InputError(f"{message}; {advice}", path=system.source or None, line=line)
    if len(wanted) != len(given):
        message = f"document {gold.id!r} has {len(given)} words instead of {len(wanted)}"
        raise InputError(f"{message}; gold and system must have the same words", path=system.source or None)


def _words(document: Document) -> list[tuple[int, str]]:
    table = table_of(document)
    nodes = zip(_empty_nodes(table), table.forms, strict=True)
    return [(row, form) for row, (is_empty, form) in enumerate(nodes) if not is_empty]
