"""Mentions as CorefUD compares them: the words they cover, their head and, if that is no word, what it depends on."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import NamedTuple

from karat.matching.places import Spans, joined
from karat.measures.ratios import harmonic, quotient
from karat.model import Mention, Span

Runs = Spans
"""Words as half-open ranges of positions: in order, and never touching each other."""

Parent = tuple[int, str]
"""A word that something depends on: the number of its sentence and its id there."""


class Mark(NamedTuple):
    """A mention laid over the words of its document; ``depends`` are the enhanced dependencies of a zero."""

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
    """Return ranges in order, joined where they touch or overlap, without those that hold nothing.

    >>> runs_of([(4, 5), (1, 2), (2, 3), (7, 7)])
    ((1, 3), (4, 5))
    """
    return joined([span for span in spans if span[0] < span[1]])


def likeness(one: Mark, other: Mark) -> float:
    """Return how alike the dependencies of two zeros are: parents with their labels count ten times the parents."""
    parents = [{parent for parent, _ in mark.depends} for mark in (one, other)]
    return 10 * _agreement(one.depends, other.depends) + _agreement(*parents)


def _agreement(one: frozenset[Hashable] | set[Parent], other: frozenset[Hashable] | set[Parent]) -> float:
    """Return the F1 of two sets; where one of them is empty it is 0."""
    common = len(one & other)
    return float(harmonic(quotient(common, len(one)), quotient(common, len(other)))) if common else 0.0
