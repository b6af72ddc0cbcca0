"""Spans over tokens: ranges in documents, and lists of ids such as ``13-14-15`` in extracted files."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import pairwise

from karat.model import Span

_KEPT = 1 << 16
"""The same few spans stand in many documents: so many are taken apart once only."""
_SHOWN = 12
"""How many tokens of a span are named one by one."""

Runs = tuple[Span, ...]
"""Tokens as ranges, as long as they can be; where there are several, a link is discontinuous."""
Tokens = str | Runs
SpanPair = tuple[int, int]
"""A system span and a gold span, by their numbers."""


def runs_of(ranges: Iterable[Span]) -> Runs:
    """Return the runs of tokens in some ranges, in their order.

    >>> runs_of([(0, 2), (2, 3), (3, 3), (7, 9)])
    ((0, 3), (7, 9))
    """
    runs: list[Span] = []
    for start, end in ranges:
        if start < end and runs and start == runs[-1][1]:
            runs[-1] = (runs[-1][0], end)
        elif start < end:
            runs.append((start, end))
    return tuple(runs)


def ids_of(span: Tokens) -> tuple[Hashable, ...]:
    """Return the tokens of a span one by one.

    >>> ids_of("13-14"), ids_of(((13, 15),))
    (('13', '14'), (13, 14))
    """
    return ids_in(span) if isinstance(span, str) else tuple(token for run in span for token in range(*run))


@lru_cache(_KEPT)
def ids_in(span: str) -> tuple[str, ...]:
    """Return the ids of a span in a file."""
    return tuple(span.split("-"))


def place_of(span: Tokens) -> tuple[Hashable, ...]:
    """Return the sort key of a span in text order: token by token, numbers first.

    >>> sorted(["10", "t1", "9-10", "9"], key=place_of)
    ['9', '9-10', '10', 't1']
    >>> sorted([((1, 3), (9, 10)), ((1, 2),), ((1, 4),), ((1, 2), (9, 10))], key=place_of)
    [((1, 2),), ((1, 4),), ((1, 3), (9, 10)), ((1, 2), (9, 10))]
    """
    return _numbers_of(span) if isinstance(span, str) else tuple(_run_by_run(span))


@lru_cache(_KEPT)
def _numbers_of(span: str) -> tuple[tuple[bool, int, str], ...]:
    return tuple(map(_as_number, ids_in(span)))


def _as_number(token: str) -> tuple[bool, int, str]:
    is_number = token.isascii() and token.isdigit() and len(token) < 19
    return not is_number, int(token) if is_number else 0, token


def _run_by_run(span: Runs) -> Iterator[int]:
    """Yield what compares as tokens do: of runs that begin alike, those that jump ahead come last, long ones first."""
    for (start, end), following in zip(span, (*span[1:], None), strict=True):
        jumps_ahead = following is not None and following[0] > end
        yield from (start, jumps_ahead, -end if jumps_ahead else end)


def shown(span: Tokens) -> str:
    """Return a span in words.

    >>> shown("13-14"), shown(((13, 15), (17, 18))), shown(((0, 900),))
    ('13-14', '13-14-17', '0-…-899')
    """
    if isinstance(span, str):
        return span
    if sum(end - start for start, end in span) > _SHOWN:
        return f"{span[0][0]}-…-{span[-1][1] - 1}"
    return "-".join(map(str, ids_of(span)))


def is_run(part: Runs, whole: Runs) -> bool:
    """Return whether the tokens of one span occur in another, in the same order and without a gap.

    >>> is_run(((2, 3), (5, 6)), ((1, 3), (5, 9))), is_run(((1, 2), (5, 6)), ((1, 3), (5, 9)))
    (True, False)
    """
    (start, first_end), (last_start, end) = part[0], part[-1]
    if len(part) == 1:
        return any(low <= start and end <= high for low, high in whole)
    for index in range(len(whole) - len(part) + 1):
        window = whole[index : index + len(part)]
        ends = window[0][0] <= start and window[0][1] == first_end and window[-1][0] == last_start
        if ends and end <= window[-1][1] and window[1:-1] == part[1:-1]:
            return True
    return False


def scattered_pairs(gold: Mapping[int, Runs], system: Mapping[int, Runs]) -> Iterator[SpanPair]:
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


def _inside(parts: Mapping[int, Runs], wholes: Mapping[int, Runs]) -> Iterator[SpanPair]:
    """Yield discontinuous spans with those of one run that lie in one of theirs."""
    plain = sorted((*runs[0], index) for index, runs in parts.items() if len(runs) == 1)
    for whole, runs in wholes.items():
        for start, end in runs if len(runs) > 1 else ():
            within = plain[bisect_left(plain, (start,)) : bisect_left(plain, (end,))]
            yield from ((whole, index) for _, last, index in within if last <= end)
