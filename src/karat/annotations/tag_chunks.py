"""Chunks of tags as published scorers read them, by comparing each tag with its neighbour.

A scorer decides whether a chunk ends between two tags, and whether one starts. The decision for each pair of tags is
cached, so that reading a tag is a table lookup.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any

from karat.annotations.tag_schemes import LONGEST_KNOWN, MOST_RUNS, OUTSIDE, TagRun, runs_in

__all__ = ["OUTSIDE", "Between", "Chunks", "NeighbourReading", "Reading", "Split", "chunks_over"]


Chunks = list[tuple[int, int, str]]
"""Start, end and label of the chunks of a segment."""
Reading = Callable[[Sequence[str]], Chunks]
"""How a program reads the tags of a segment."""
Split = Callable[[str], tuple[str, str]]
"""Returns prefix and label of a tag."""
Between = Callable[[tuple[str, str], tuple[str, str]], tuple[bool, bool]]
"""Says whether a chunk ends between two tags, given by prefix and label, and whether one starts."""

_NOTHING = (OUTSIDE, "")
"""What stands before the first tag."""
_MOST_PAIRS = 65_536
"""How many pairs of tags are remembered; a reading that has seen more forgets them and begins anew."""


class NeighbourReading:
    """Reads chunks by comparing neighbouring tags; the label of a chunk is that of its last tag.

    With ``remembers`` the last start remains valid until the next one, even after an end; otherwise a start
    ends the open chunk.
    """

    def __init__(self, split: Split, between: Between, *, remembers: bool = False) -> None:
        self.split, self.between, self.remembers = split, between, remembers
        self._first = _Row(self, _NOTHING)
        self._rows: dict[str, _Row] = {}
        self._runs: dict[tuple[bool, TagRun], Chunks] = {}
        self.pairs = 0

    def __call__(self, tags: Sequence[str]) -> Chunks:
        """Return the chunks of a segment."""
        if tags.count(OUTSIDE) == len(tags):
            return []
        if self.pairs > _MOST_PAIRS:
            self._first, self._rows, self.pairs = _Row(self, _NOTHING), {}, 0
        chunks: Chunks = []
        start = 0 if self.remembers else None
        row = self._first
        for index, tag in enumerate((*tags, OUTSIDE)):
            ends, starts, label, row = row[tag]
            if ends and start is not None:
                chunks.append((start, index, label))
                start = start if self.remembers else None
            if starts:
                start = index
        if start is not None and not self.remembers:
            chunks.append((start, len(tags), label))
        return chunks

    def over(self, tags: Sequence[str], segments: Sequence[int]) -> Chunks:
        """Return the chunks of several segments, given the index of the first token of each.

        Only runs of tags other than ``O`` are read. The chunks of a run that does not depend on its context are
        cached; if one does, every segment is read tag by tag.
        """
        if not self.is_quiet_outside:
            return one_by_one(self, tags, segments)
        edges = set(segments)
        chunks: Chunks = []
        for first, run in runs_in(tags, segments):
            key = (first in edges, run)
            known = self._runs.get(key)
            if known is None:
                known = self.of_run(*key)
                if known is None:
                    return one_by_one(self, tags, segments)
                if len(run) <= LONGEST_KNOWN and len(self._runs) < MOST_RUNS:
                    self._runs[key] = known
            chunks += [(first + start, first + end, label) for start, end, label in known]
        return chunks

    @cached_property
    def is_quiet_outside(self) -> bool:
        """Whether no chunk starts or ends between ``O`` and ``O``."""
        return not any((*self._first[OUTSIDE][:2], *self.row(OUTSIDE)[OUTSIDE][:2]))

    def of_run(self, begins_segment: bool, run: Sequence[str]) -> Chunks | None:
        """Return the chunks of a run, or None if they depend on earlier tags or continue after the run."""
        ends, starts, _, _ = (self._first if begins_segment else self.row(OUTSIDE))[run[0]]
        closes = self.row(run[-1])[OUTSIDE][0]
        if not starts or not closes or (ends and self.remembers):
            return None
        if begins_segment:
            return self(run)
        return [(start - 1, end - 1, label) for start, end, label in self((OUTSIDE, *run))]

    def row(self, tag: str) -> _Row:
        """Return the cached decisions for the pairs that begin with a tag."""
        row = self._rows.get(tag)
        if row is None:
            row = self._rows[tag] = _Row(self, self.split(tag))
        return row


class _Row(dict[str, tuple[bool, bool, str, Any]]):
    """By the next tag: whether a chunk ends and whether one starts, the label of the ended chunk, and the next row."""

    def __init__(self, reading: NeighbourReading, before: tuple[str, str]) -> None:
        self.reading, self.before = reading, before

    def __missing__(self, tag: str) -> tuple[bool, bool, str, Any]:
        reading = self.reading
        ends, starts = reading.between(self.before, reading.split(tag))
        step = ends or (starts and not reading.remembers), starts, self.before[1], reading.row(tag)
        self[tag] = step
        reading.pairs += 1
        return step


def chunks_over(reading: Reading, tags: Sequence[str], segments: Sequence[int]) -> Chunks:
    """Return the chunks that a scorer reads from several segments, given the index of the first token of each."""
    if isinstance(reading, NeighbourReading):
        return reading.over(tags, segments)
    return one_by_one(reading, tags, segments)


def one_by_one(reading: Reading, tags: Sequence[str], segments: Sequence[int]) -> Chunks:
    """Return the same as :func:`chunks_over`, computed segment by segment."""
    return [
        (first + start, first + end, label)
        for first, past in pairwise((*segments, len(tags)))
        for start, end, label in reading(tags[first:past])
    ]
