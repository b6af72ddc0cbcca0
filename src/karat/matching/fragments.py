"""Fragments of a span as half-open ranges: merging those that touch, and counting common positions."""

from __future__ import annotations

from collections.abc import Iterable

from karat.model import Span

Spans = tuple[Span, ...]


def joined(spans: Iterable[Span]) -> Spans:
    """Return the fragments in order, with touching ones merged, so that equal characters give equal fragments.

    >>> joined([(9, 12), (0, 4), (4, 6)])
    ((0, 6), (9, 12))
    """
    fragments: list[Span] = []
    for start, end in sorted(spans):
        if fragments and start <= fragments[-1][1]:
            fragments[-1] = (fragments[-1][0], max(end, fragments[-1][1]))
        else:
            fragments.append((start, end))
    return tuple(fragments)


def common(spans: Spans, other_spans: Spans) -> int:
    """Return how many positions two sequences of fragments share; each must be in order and merged.

    >>> common(((0, 4), (6, 9)), ((2, 7),))
    3
    """
    if len(spans) == 1 == len(other_spans):
        return max(0, min(spans[0][1], other_spans[0][1]) - max(spans[0][0], other_spans[0][0]))
    size = left = right = 0
    while left < len(spans) and right < len(other_spans):
        (start, end), (other_start, other_end) = spans[left], other_spans[right]
        size += max(0, min(end, other_end) - max(start, other_start))
        if end < other_end:
            left += 1
        else:
            right += 1
    return size
