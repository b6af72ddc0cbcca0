"""Discontinuous spans: which of them are a run of another, the same tokens in the same order without a gap."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from itertools import pairwise

from karat.model import Span
from karat.protocols.newsreader.spans import Runs

Pair = tuple[int, int]
"""A system span and a gold span, by their numbers."""


def is_run(part: Runs, whole: Runs) -> bool:
    """Say whether the tokens of one span stand in another, in the same order and without a gap.

    >>> is_run(((2, 3), (5, 6)), ((1, 3), (5, 9))), is_run(((1, 2), (5, 6)), ((1, 3), (5, 9)))
    (True, False)
    """
    (start, first_end), (last_start, end) = part[0], part[-1]
    if len(part) == 1:
        return any(low <= start and end <= high for low, high in whole)
    for place in range(len(whole) - len(part) + 1):
        window = whole[place : place + len(part)]
        ends = window[0][0] <= start and window[0][1] == first_end and window[-1][0] == last_start
        if ends and end <= window[-1][1] and window[1:-1] == part[1:-1]:
            return True
    return False


def scattered_pairs(gold: Mapping[int, Runs], system: Mapping[int, Runs]) -> Iterator[Pair]:
    """Yield the pairs of spans that might meet, of which one or both are discontinuous.

    Two that are discontinuous have a gap in common, and one that is not lies in a run of the other.

    >>> list(scattered_pairs({0: ((1, 2),), 1: ((4, 7),), 2: ((0, 1), (4, 5))}, {7: ((0, 2), (4, 6))}))
    [(7, 0)]
    """
    gaps: dict[Span, list[int]] = {}
    for index, runs in gold.items():
        for gap in set(_gaps(runs)):
            gaps.setdefault(gap, []).append(index)
    for index, runs in system.items():
        partners = {partner for gap in _gaps(runs) for partner in gaps.get(gap, ())}
        yield from ((index, partner) for partner in partners)
    yield from _inside(gold, system)
    yield from ((system, gold) for gold, system in _inside(system, gold))


def _gaps(runs: Runs) -> list[Span]:
    return [(before[1], behind[0]) for before, behind in pairwise(runs)]


def _inside(parts: Mapping[int, Runs], wholes: Mapping[int, Runs]) -> Iterator[Pair]:
    """Yield discontinuous spans with those of one run that lie in one of theirs."""
    plain = sorted((*runs[0], index) for index, runs in parts.items() if len(runs) == 1)
    for whole, runs in wholes.items():
        for start, end in runs if len(runs) > 1 else ():
            within = plain[bisect_left(plain, (start,)) : bisect_left(plain, (end,))]
            yield from ((whole, index) for _, last, index in within if last <= end)
