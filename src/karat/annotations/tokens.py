"""Tokens and characters: building a text from tokens, and finding the tokens that a character span covers."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise
from operator import itemgetter

from karat.model import Span, TokenTable

AS_WRITTEN = "offset"
"""The attribute of a mention with its place as it was written, where that tells mentions of one place apart."""


def join_tokens(forms: Sequence[str], glued: Collection[int] = ()) -> tuple[str, list[int]]:
    """Return the text of the tokens and the offset of each; ``glued`` are the tokens without a blank behind them.

    >>> join_tokens(["Zürich", ",", "1798"], glued={0})
    ('Zürich, 1798', [0, 6, 8])
    """
    parts: list[str] = []
    starts: list[int] = []
    offset = 0
    for index, form in enumerate(forms):
        starts.append(offset)
        gap = "" if index in glued else " "
        parts.append(form + gap)
        offset += len(form) + len(gap)
    return "".join(parts).removesuffix(" "), starts


def covered_tokens(span: Span, starts: Sequence[int], ends: Sequence[int]) -> Span:
    """Return the half-open range of tokens that share a character with the span; it may be empty.

    >>> covered_tokens((3, 9), starts=[0, 6, 8], ends=[6, 7, 12])
    (0, 3)
    """
    return bisect_right(ends, span[0]), bisect_left(starts, span[1])


def cut_text(text: str, boundaries: Iterable[int] = ()) -> list[Span]:
    """Cut a text without tokens into some: runs of non-blanks, cut again at each of the boundaries.

    >>> cut_text("the Rhine's banks", boundaries=[4, 9])
    [(0, 3), (4, 9), (9, 11), (12, 17)]
    """
    cuts = sorted(set(boundaries))
    tokens: list[Span] = []
    for run in re.finditer(r"\S+", text):
        start, end = run.span()
        inside = cuts[bisect_right(cuts, start) : bisect_left(cuts, end)]
        tokens.extend(pairwise([start, *inside, end]))
    return tokens


def line_of(table: TokenTable, token: int) -> int | None:
    """Return the number of the line in which a token stands, if the reader kept it.

    >>> line_of(TokenTable(["a", "b", "c"], lines=[(0, 2), (2, 9)]), 1)
    3
    """
    run = bisect_right(table.lines, token, key=itemgetter(0)) - 1
    return None if run < 0 else table.lines[run][1] + token - table.lines[run][0]
