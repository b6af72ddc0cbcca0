"""Spans as lists of token ids, such as ``13-14-15``: their order, and which of them are a run of another."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

_KEPT = 1 << 16
"""The same few spans stand in many documents: so many are taken apart once only."""

Ids = tuple[str, ...]


@lru_cache(_KEPT)
def ids_of(span: str) -> Ids:
    """Return the ids of a span.

    >>> ids_of("13-14")
    ('13', '14')
    """
    return tuple(span.split("-"))


@lru_cache(_KEPT)
def place_of(span: str) -> tuple[tuple[bool, int, str], ...]:
    """Return the key that puts spans in the order of the text: numbers as numbers, before everything else.

    >>> sorted(["10", "t1", "9-10", "9"], key=place_of)
    ['9', '9-10', '10', 't1']
    """
    return tuple(map(_as_number, ids_of(span)))


def _as_number(token: str) -> tuple[bool, int, str]:
    is_number = token.isascii() and token.isdigit() and len(token) < 19
    return not is_number, int(token) if is_number else 0, token


def is_run(part: str, whole: str) -> bool:
    """Say whether the ids of one span stand in another, in the same order and without a gap.

    >>> is_run("16-17", "13-14-15-16-17"), is_run("1-3", "1-2-3"), is_run("1", "11-12")
    (True, False, False)
    """
    return f"-{part}-" in f"-{whole}-"


class RunIndex:
    """Spans by their ids, so that those that could match another are found without looking at all."""

    def __init__(self, spans: Iterable[str]) -> None:
        self._order: dict[str, int] = {}
        self._holding: dict[str, list[str]] = {}
        self._beginning: dict[str, list[str]] = {}
        for span in dict.fromkeys(spans):
            self._order[span] = len(self._order)
            ids = ids_of(span)
            self._beginning.setdefault(ids[0], []).append(span)
            for token in set(ids):
                self._holding.setdefault(token, []).append(span)

    def matching(self, span: str) -> list[str]:
        """Return the spans that are a run of this one or of which this one is a run, in the order they were given.

        >>> RunIndex(["1", "5-6-7", "2-3", "6"]).matching("6-7")
        ['5-6-7', '6']
        """
        ids = ids_of(span)
        if len(ids) == 1:
            return self._holding.get(span, [])
        runs = {whole for whole in self._holding.get(ids[0], ()) if is_run(span, whole)}
        for token in set(ids):
            if token in self._beginning:
                runs.update([part for part in self._beginning[token] if is_run(part, span)])
        return sorted(runs, key=self._order.__getitem__) if len(runs) > 1 else list(runs)
