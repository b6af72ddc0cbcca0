"""The order of the text, for items that have a place in it and for items that have none."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol, TypeVar

from karat.matching.fragments import Spans


class Locatable(Protocol):
    """Anything with fragments, or without any if the text does not have it."""

    @property
    def spans(self) -> Spans:
        """The fragments, in order."""


T = TypeVar("T", bound=Locatable)


def in_text_order(items: Iterable[T], key: Callable[[T], Any]) -> list[T]:
    """Return items sorted by a key; those without a place come last, in the order in which they are given.

    >>> from karat.model import Mention
    >>> mentions = [Mention("m1", ()), Mention("m2", ((5, 9),)), Mention("m3", ((0, 4),)), Mention("m0", ())]
    >>> [mention.id for mention in in_text_order(mentions, lambda mention: mention.spans)]
    ['m3', 'm2', 'm1', 'm0']
    """
    return sorted(items, key=lambda item: text_position(item.spans, key(item)))


def text_position(spans: Spans, *key: Any) -> tuple[Any, ...]:
    """Return what an item sorts by: the key, behind all others if it has no spans.

    >>> sorted([(), ((5, 9),), ((0, 4),)], key=lambda spans: text_position(spans, spans))
    [((0, 4),), ((5, 9),), ()]
    """
    return (False, *key) if spans else (True,)
