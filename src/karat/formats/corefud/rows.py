"""The rows of a CoNLL-U file as a table: words and empty nodes, their text, and the rows of a mention."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import NamedTuple

from karat.annotations.tokens import join_tokens
from karat.model import Span, TokenTable

DIALECT = "corefud"
COLUMNS = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
EMPTY_CELL = "_"
GLUED = "SpaceAfter=No"
RANGE = re.compile(r"([0-9]{1,9})-([0-9]{1,9})(?=\t)")
"""How the row of a multiword token begins; such rows stand among the comments of a table."""
ID = re.compile(r"([0-9]{1,9})(?:\.([0-9]{1,9}))?")

Rows = tuple[tuple[int, int], ...]
"""The rows of a mention as inclusive ranges, ascending and apart from each other."""


class RowPlaces(NamedTuple):
    """Where the rows of a document stand in its text.

    ``starts`` has the offset of each row; an empty node has no width and stands where the next word of its
    sentence begins, or where the last word ends. ``words`` are the spans of the words, and ``before`` says how many
    words precede each row.
    """

    text: str
    starts: list[int]
    words: list[Span]
    before: list[int]

    def spans(self, rows: Rows) -> tuple[Span, ...]:
        """Return the spans of a mention: words that follow each other are one; without words it has no width."""
        ranges: list[tuple[int, int]] = []
        for first, last in rows:
            begin, end = self.before[first], self.before[last + 1]
            if ranges and ranges[-1][1] == begin:
                ranges[-1] = ranges[-1][0], end
            elif begin < end:
                ranges.append((begin, end))
        if not ranges:
            return ((self.starts[rows[0][0]],) * 2,)
        return tuple([(self.words[begin][0], self.words[end - 1][1]) for begin, end in ranges])


def lay_out(table: TokenTable) -> RowPlaces:
    """Return the text of a table and where its rows stand in it."""
    forms, ids = table.forms, table.columns["ID"]
    is_word = ["." not in name for name in ids]
    before = [0, *accumulate(is_word)]
    glued = {before[row] for row in _glued(table) if is_word[row]}
    word_forms = [form for form, word in zip(forms, is_word, strict=True) if word]
    text, word_starts = join_tokens(word_forms, glued)
    words = [(start, start + len(form)) for start, form in zip(word_starts, word_forms, strict=True)]
    starts: list[int] = []
    for first, last in zip(table.segments, [*table.segments[1:], len(forms)], strict=False):
        for row in range(first, last):
            if before[row] < before[last]:
                starts.append(words[before[row]][0])
            else:
                starts.append(words[before[row] - 1][1] if before[row] else 0)
    return RowPlaces(text, starts, words, before)


def _glued(table: TokenTable) -> Iterable[int]:
    """Yield the rows without a blank behind them; a multiword token speaks for the last of its words."""
    for row, cell in enumerate(table.columns["MISC"]):
        if GLUED in cell and GLUED in cell.split("|"):
            yield row
    ids, sentences = table.columns["ID"], set(table.segments)
    for row, line in table.comments:
        match = RANGE.match(line)
        if match and row < len(ids) and GLUED in line.rpartition("\t")[2].split("|"):
            last = row
            while ids[last] != match[2] and last + 1 < len(ids) and last + 1 not in sentences:
                last += 1
            yield last


def merged(fragments: Iterable[tuple[int, int]]) -> Rows:
    """Return the fragments in order, those that touch or overlap as one.

    >>> merged([(4, 4), (0, 2), (3, 3)])
    ((0, 4),)
    """
    rows: list[tuple[int, int]] = []
    for first, last in sorted(fragments):
        if rows and first <= rows[-1][1] + 1:
            rows[-1] = rows[-1][0], max(rows[-1][1], last)
        else:
            rows.append((first, last))
    return tuple(rows)


def row_at(rows: Rows, place: int) -> int | None:
    """Return the row at a place of a mention, counted from 1; None if it has fewer rows.

    >>> row_at(((17, 19), (21, 21)), 4)
    21
    """
    for first, last in rows:
        if place <= last - first + 1:
            return first + place - 1
        place -= last - first + 1
    return None


def place_of(rows: Rows, row: int) -> int | None:
    """Return the place of a row in a mention, counted from 1; None if it is not in it."""
    place = 1
    for first, last in rows:
        if first <= row <= last:
            return place + row - first
        place += last - first + 1
    return None


def written(rows: Rows) -> str:
    """Return the rows of a mention as text.

    >>> written(((17, 19), (21, 21))), parsed("17-19,21")
    ('17-19,21', ((17, 19), (21, 21)))
    """
    return ",".join([str(first) if first == last else f"{first}-{last}" for first, last in rows])


def parsed(text: str) -> Rows | None:
    """Return the rows that a text names; None if it is not as :func:`written` writes it."""
    if not re.fullmatch(r"[0-9]{1,9}(-[0-9]{1,9})?(,[0-9]{1,9}(-[0-9]{1,9})?)*", text):
        return None
    edges: Sequence[list[str]] = [fragment.split("-") for fragment in text.split(",")]
    rows = tuple([(int(edge[0]), int(edge[-1])) for edge in edges])
    return rows if merged(rows) == rows and written(rows) == text else None
