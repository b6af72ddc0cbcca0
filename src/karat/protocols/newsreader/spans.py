"""Spans over tokens: as ranges in documents, and in extracted files as lists of ids, such as ``13-14-15``."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from functools import lru_cache

from karat.model import Span

_KEPT = 1 << 16
"""The same few spans stand in many documents: so many are taken apart once only."""
_SHOWN = 12
"""How many tokens of a span are named one by one."""

Runs = tuple[Span, ...]
"""Tokens as ranges, as long as they can be; where there are several, a link is discontinuous."""
Tokens = str | Runs


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
    """Return the key that puts spans in the order of the text: token by token, numbers before everything else.

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
    """Return a span as it is told.

    >>> shown("13-14"), shown(((13, 15), (17, 18))), shown(((0, 900),))
    ('13-14', '13-14-17', '0-…-899')
    """
    if isinstance(span, str):
        return span
    if sum(end - start for start, end in span) > _SHOWN:
        return f"{span[0][0]}-…-{span[-1][1] - 1}"
    return "-".join(map(str, ids_of(span)))
