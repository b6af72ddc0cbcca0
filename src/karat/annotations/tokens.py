"""Tokens with character offsets: building a text from tokens, and finding the tokens that a span covers."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import accumulate, pairwise
from operator import add, itemgetter
from types import MappingProxyType

from karat.model import Document, Span, TokenTable

AS_WRITTEN = "offset"
"""The attribute of a mention with its place as it was written, where that tells mentions of one place apart."""

NO_GAPS: Mapping[int, str] = MappingProxyType({})


def join_tokens(
    forms: Sequence[str], glued: Collection[int] = (), gaps: Mapping[int, str] = NO_GAPS
) -> tuple[str, list[int]]:
    """Return the text of the tokens, and the offset of each token.

    Args:
        forms: the tokens.
        glued: the indices of tokens that no blank follows.
        gaps: other white space than one blank after a token, by its index; -1 is that before the first token.

    >>> join_tokens(["Zürich", ",", "1798"], glued={0}, gaps={1: "\\n"})
    ('Zürich,\\n1798', [0, 6, 8])

    """
    if not glued and not gaps:
        return " ".join(forms), list(map(add, accumulate(map(len, forms), initial=0), range(len(forms))))
    parts: list[str] = [gaps.get(-1, "")]
    starts: list[int] = []
    offset = len(parts[0])
    last = len(forms) - 1
    for index, form in enumerate(forms):
        starts.append(offset)
        gap = gaps.get(index, "" if index in glued or index == last else " ")
        parts.append(form + gap)
        offset += len(form) + len(gap)
    return "".join(parts), starts


def gaps_between(text: str, forms: Sequence[str], starts: Sequence[int]) -> dict[int, str]:
    """Return the white space after each token where it is not one blank, and before the first token (key -1).

    >>> gaps_between("Zürich,\\n1798 ", ["Zürich", ",", "1798"], [0, 6, 8])
    {0: '', 1: '\\n', 2: ' '}
    """
    if not forms:
        return {-1: text} if text else {}
    ends = [start + len(form) for start, form in zip(starts, forms, strict=True)]
    gaps = {index: text[end:start] for index, (end, start) in enumerate(zip(ends, starts[1:], strict=False))}
    around = {-1: text[: starts[0]], len(forms) - 1: text[ends[-1] :]}
    inner = {index: gap for index, gap in gaps.items() if gap != " "}
    return inner | {index: gap for index, gap in around.items() if gap}


def tokens_of(document: Document) -> tuple[Sequence[str], list[int], list[int]]:
    """Return the tokens, their offsets, and the first token of each segment; a text without tokens is split."""
    table = document.table
    if table is not None:
        starts = table.starts or join_tokens(table.forms)[1]
        inner = {first for first in table.segments if 0 < first < len(table.forms)}
        return table.forms, starts, sorted(inner | {0}) if table.forms else []
    text = document.text
    cuts = cut_text(text, (edge for mention in document.mentions for span in mention.spans for edge in span))
    starts = [start for start, _ in cuts]
    breaks = (bisect_right(starts, offset) for offset, character in enumerate(text) if character == "\n")
    segments = sorted({0, *(token for token in breaks if token < len(cuts))}) if cuts else []
    return [text[start:end] for start, end in cuts], starts, segments


def covered_tokens(span: Span, starts: Sequence[int], ends: Sequence[int]) -> Span:
    """Return the half-open range of tokens that share a character with the span; it may be empty.

    >>> covered_tokens((3, 9), starts=[0, 6, 8], ends=[6, 7, 12])
    (0, 3)
    """
    return bisect_right(ends, span[0]), bisect_left(starts, span[1])


class TokenEdges:
    """The start and end offsets of tokens, to find the tokens at a span.

    >>> edges = TokenEdges([0, 5, 9], ["Bank", "von", "Bern"])
    >>> edges.at((5, 13)), edges.at((5, 12))
    ((1, 2), None)
    """

    def __init__(self, starts: Sequence[int], forms: Sequence[str]) -> None:
        self._first = {start: token for token, start in enumerate(starts)}
        self._last = {start + len(form): token for token, (start, form) in enumerate(zip(starts, forms, strict=True))}

    def at(self, span: Span) -> tuple[int, int] | None:
        """Return the first and the last token of a span, or None if it does not start and end at token edges."""
        first, last = self._first.get(span[0]), self._last.get(span[1])
        return None if first is None or last is None or first > last else (first, last)


def cut_text(text: str, boundaries: Iterable[int] = ()) -> list[Span]:
    """Split a text into tokens: runs of non-blank characters, split again at each of the boundaries.

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
    """Return the line number of a token, or None if the reader did not record it.

    >>> line_of(TokenTable(["a", "b", "c"], lines=[(0, 2), (2, 9)]), 1)
    3
    """
    run = bisect_right(table.lines, token, key=itemgetter(0)) - 1
    return None if run < 0 else table.lines[run][1] + token - table.lines[run][0]


def fragments(places: Sequence[int], starts: Sequence[int], forms: Sequence[str]) -> tuple[Span, ...]:
    """Return the spans of tokens, given their indices in ascending order; adjacent tokens become one span.

    >>> fragments([0, 1, 3], [0, 5, 9, 14], ["Bank", "von", "Bern", "AG"])
    ((0, 8), (14, 16))
    """
    spans: list[Span] = []
    for index, token in enumerate(places):
        end = starts[token] + len(forms[token])
        if index and places[index - 1] == token - 1:
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((starts[token], end))
    return tuple(spans)
