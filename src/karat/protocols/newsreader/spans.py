"""Spans as lists of token ids, such as ``13-14-15``: their order, and which of them are a run of another."""

from __future__ import annotations

from collections.abc import Mapping
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


class RunIndex:
    """Spans by their ids, so that those that could match another are found without looking at all.

    Each span has a number, such as the index of its link.
    """

    def __init__(self, numbers: Mapping[str, int]) -> None:
        self._spans = [f"-{span}-" for span in numbers]
        self._numbers = list(numbers.values())
        self._holding: dict[str, list[int]] = {}
        for place, span in enumerate(numbers):
            ids = ids_of(span)
            for token in ids if len(ids) == 1 else set(ids):
                if token in self._holding:
                    self._holding[token].append(place)
                else:
                    self._holding[token] = [place]

    def matching(self, span: str) -> list[int]:
        """Return the numbers of spans that are a run of this one or of which this one is a run, in their order.

        >>> RunIndex({"1": 0, "5-6-7": 1, "2-3": 2, "6": 3}).matching("6-7")
        [1, 3]
        """
        numbers, holding = self._numbers, self._holding
        ids = ids_of(span)
        if len(ids) == 1:
            return [numbers[place] for place in holding[span]] if span in holding else []
        places = {place for token in ids if token in holding for place in holding[token]}
        if not places:
            return []
        spans, span = self._spans, f"-{span}-"
        return [numbers[place] for place in sorted(places) if span in spans[place] or spans[place] in span]

    def parts_of(self, text: str) -> list[int]:
        """Return the numbers of spans that are a run of a text, in their order.

        >>> RunIndex({"1": 0, "5-6-7": 1, "2-3": 2, "6": 3}).parts_of("2-3-1x")
        [2]
        """
        places = {place for token in ids_of(text) for place in self._holding.get(token, ())}
        return [self._numbers[place] for place in sorted(places) if self._spans[place] in f"-{text}-"]
